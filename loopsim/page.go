package loopsim

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"time"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageMost is how many entries a page shows, the last ones.
const pageMost = 20_000

// A pageEntry is an entry as the page has it: kind, host, peer, time and duration in nanoseconds, text.
type pageEntry [6]any

// writePage writes the time line as a page that needs nothing else.
func (w *World) writePage(to io.Writer, test string) error {
	var hosts []string
	for _, m := range w.machines {
		hosts = append(hosts, m.name)
	}
	all := w.inOrder()
	if n := len(all) - pageMost; n > 0 {
		all = all[n:]
	}
	entries := []pageEntry{}
	for _, e := range all {
		entries = append(entries, pageEntry{kindNames[e.kind], e.host, e.peer, e.at, e.took, e.text})
	}
	data, err := json.Marshal(map[string]any{"hosts": hosts, "entries": entries})
	if err != nil {
		return err
	}
	view := struct {
		Test, Failure string
		Seed          uint64
		At            time.Duration
		Data          template.JS
	}{Test: test, Seed: w.seed, Data: template.JS(data)} // Marshal escapes what could end the script
	if w.failure != nil {
		view.Failure, view.At = w.failure.class+": "+w.failure.text, time.Duration(w.failure.at)
	}
	return pageTemplate.Execute(to, view)
}
