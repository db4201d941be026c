package loopview

import (
	"embed"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed page.html script.js style.css icon.svg
var files embed.FS

const (
	writeLimit = 10 * time.Second // for a viewer that does not read
	maxSeconds = 30
)

// The page loads nothing but its own files, runs no other script, sends nothing anywhere, and is shown in no frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var types = map[string]string{
	"page.html": "text/html; charset=utf-8",
	"script.js": "text/javascript; charset=utf-8",
	"style.css": "text/css; charset=utf-8",
	"icon.svg":  "image/svg+xml",
}

// ServeHTTP serves the page at a path that ends in a slash. Below that path it serves the page's files: script.js,
// style.css, icon.svg, state (JSON, made for the page; its form may change) and trace.
//
// trace is a file for Perfetto or chrome://tracing. It has the recorded phases, callbacks and sleeps of each loop, up
// to the last 8,192, from the time with viewers. With the parameter seconds, from 1 to 30, it records for that long
// first. Without the parameter and without viewers, it records for 2 seconds.
//
// The path up to the last slash makes no difference. Other methods than GET and HEAD are refused. A viewer that does not
// read its answer loses its connection after 10 seconds.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "loopview only reads", http.StatusMethodNotAllowed)
		return
	}
	name := path.Base(r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = "page.html"
	}
	switch name {
	case "state":
		v.serveState(w, r)
	case "trace":
		v.serveTrace(w, r)
	case "page.html", "script.js", "style.css", "icon.svg":
		b, _ := files.ReadFile(name)
		send(w, types[name], b)
	default:
		http.NotFound(w, r)
	}
}

func send(w http.ResponseWriter, contentType string, b []byte) {
	// Not every ResponseWriter knows deadlines. An answer that cannot be written is lost.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(b)
}

func (v *View) serveState(w http.ResponseWriter, r *http.Request) {
	since, _ := strconv.ParseUint(r.URL.Query().Get("since"), 10, 64) // an invalid number means from the beginning
	v.mu.Lock()
	v.look()
	b, err := v.answer(since)
	v.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, "application/json", b)
}

func (v *View) serveTrace(w http.ResponseWriter, r *http.Request) {
	seconds := 0
	if s := r.URL.Query().Get("seconds"); s != "" {
		var err error
		if seconds, err = strconv.Atoi(s); err != nil || seconds < 1 || seconds > maxSeconds {
			http.Error(w, fmt.Sprintf("seconds is a number from 1 to %d", maxSeconds), http.StatusBadRequest)
			return
		}
	}
	if r.Method == http.MethodHead {
		send(w, "application/json", nil)
		return
	}
	v.mu.Lock()
	if seconds == 0 && !v.looking {
		seconds = 2
	}
	for range seconds {
		v.look()
		v.mu.Unlock()
		select {
		case <-time.After(time.Second):
		case <-r.Context().Done():
			return
		}
		v.mu.Lock()
	}
	v.look()
	tracks := v.tracks()
	v.mu.Unlock()
	w.Header().Set("Content-Disposition", `attachment; filename="loops.trace.json"`)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
	w.Header().Set("Content-Type", "application/json")
	_ = writeTrace(w, v.boot, tracks) // a file that cannot be written is lost
}
