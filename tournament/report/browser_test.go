package report

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// browser opens a page in a headless Chromium and collects everything it complains of.
func browser(t *testing.T, file string) (ctx context.Context, complaints func() []string) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("neither chromium, chromium-browser nor google-chrome is on PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true), chromedp.UserDataDir(profile(t)))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 60*time.Second)
	t.Cleanup(cancel)
	ctx, _ = chromedp.NewContext(ctx)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits for the browser to end
	var mu sync.Mutex
	var found []string
	add := func(s string) {
		mu.Lock()
		found = append(found, s)
		mu.Unlock()
	}
	chromedp.ListenTarget(ctx, func(ev any) {
		switch e := ev.(type) {
		case *runtime.EventExceptionThrown:
			add("exception: " + e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			add("console: " + string(e.Type))
		case *log.EventEntryAdded:
			add("log: " + e.Entry.Text)
		}
	})
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	if err := chromedp.Run(ctx, log.Enable(), chromedp.EmulateViewport(1280, 900), chromedp.Navigate(u.String()), chromedp.WaitVisible("#main")); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return found
	}
}

// profile makes a directory for a browser's data. A browser may have processes that write for a moment after it has
// ended, so that one attempt to remove the directory, which is all that TempDir makes, can fail.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		deadline := time.Now().Add(10 * time.Second)
		for os.RemoveAll(dir) != nil && time.Now().Before(deadline) {
		}
	})
	return dir
}

// artefact writes a screenshot to the directory in EVENTLOOP_ARTEFACTS, if that is set.
func artefact(t *testing.T, name string, png []byte) {
	t.Helper()
	if len(png) < 1000 {
		t.Errorf("the screenshot %s has %d bytes", name, len(png))
	}
	dir := os.Getenv("EVENTLOOP_ARTEFACTS")
	if dir == "" {
		dir = t.TempDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

func page(t *testing.T, r *render.Report) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := render.Write(f, r, render.HTML); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestThePageWorksInARealBrowser(t *testing.T) {
	in := madeUp(t, "linux", "amd64", func(f *result.File) {
		f.Rows = append(f.Rows, result.Row{Category: "Hostile" + hostile, Kind: result.KindComponent, Samples: f.Rows[0].Samples})
	})
	r, _ := Report([]*parse.Input{in}, ReportOptions{})
	ctx, complaints := browser(t, page(t, r))

	const table = `Array.from(document.querySelectorAll("section")).find(s => s.querySelector("h2") && s.querySelector("h2").textContent === "Verdicts").querySelector("table")`
	first := func(column int) (s string) {
		t.Helper()
		if err := chromedp.Run(ctx, chromedp.Evaluate(fmt.Sprintf(`%s.tBodies[0].rows[0].cells[%d].textContent`, table, column), &s)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	mark := func() {
		t.Helper()
		if err := chromedp.Run(ctx, chromedp.Evaluate(`(() => { const b = `+table+`.tHead.rows[0].cells[2].querySelector("button"); b.id = "sortme"; b.scrollIntoView({block: "center", behavior: "instant"}); })()`, nil)); err != nil {
			t.Fatal(err)
		}
	}
	mark()
	if err := chromedp.Run(ctx, chromedp.Click("#sortme", chromedp.ByID)); err != nil {
		t.Fatal(err)
	}
	low := first(2)
	// The second time by keyboard.
	if err := chromedp.Run(ctx, chromedp.Focus("#sortme", chromedp.ByID), chromedp.SendKeys("#sortme", "\r", chromedp.ByID)); err != nil {
		t.Fatal(err)
	}
	high := first(2)
	if !strings.HasPrefix(low, "5") || high != "499" {
		t.Errorf("sorting gave %s first, then %s", low, high)
	}
	var shown, all int
	var output string
	filter := `(() => { const i = ` + table + `.closest(".table").querySelector(".filter input"); i.id = "filterme"; i.scrollIntoView({block: "center", behavior: "instant"}); })()`
	count := `Array.from(` + table + `.tBodies[0].rows).filter(r => !r.hidden).length`
	if err := chromedp.Run(ctx, chromedp.Evaluate(count, &all), chromedp.Evaluate(filter, nil), chromedp.Click("#filterme", chromedp.ByID),
		chromedp.SendKeys("#filterme", "pingpong", chromedp.ByID), chromedp.Evaluate(count, &shown),
		chromedp.Evaluate(table+`.closest(".table").querySelector("output").textContent`, &output)); err != nil {
		t.Fatal(err)
	}
	if shown != 3 || output != fmt.Sprintf("3 of %d rows", all) {
		t.Errorf("the filter shows %d rows and says %q", shown, output)
	}
	var themes, charts, best, scripts int
	var theme string
	if err := chromedp.Run(ctx, chromedp.Click("#theme", chromedp.ByID), chromedp.Evaluate(`document.documentElement.dataset.theme`, &theme),
		chromedp.Evaluate(`document.querySelectorAll("#theme:not([hidden])").length`, &themes),
		chromedp.Evaluate(`document.querySelectorAll("svg").length`, &charts),
		chromedp.Evaluate(`document.querySelectorAll("td.best").length`, &best),
		chromedp.Evaluate(`document.querySelectorAll("script").length`, &scripts)); err != nil {
		t.Fatal(err)
	}
	if theme == "" || themes != 1 || charts < 5 || best < 5 || scripts != 1 {
		t.Errorf("theme %q, %d toggles, %d charts, %d best cells, %d scripts", theme, themes, charts, best, scripts)
	}
	for _, s := range complaints() {
		t.Errorf("the browser complains: %s", s)
	}
}

func TestThePageFitsScreensOfEverySize(t *testing.T) {
	in := madeUp(t, "linux", "amd64", nil)
	r, _ := Report([]*parse.Input{in}, ReportOptions{})
	ctx, complaints := browser(t, page(t, r))
	for _, c := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"light", 1280, 900, "light"}, {"dark", 1280, 900, "dark"}, {"phone", 390, 844, "light"}, {"phone-dark", 390, 844, "dark"}} {
		var png, table, bars, lines []byte
		show := func(selector string) chromedp.Action {
			return chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"})`, selector), nil)
		}
		var overflow bool
		var background string
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(c.width, c.height), chromedp.Reload(), chromedp.WaitVisible("#main"),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}),
			chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth`, &overflow),
			chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &background),
			chromedp.Evaluate(`scrollTo({top: 0, behavior: "instant"})`, nil), chromedp.CaptureScreenshot(&png),
			show(".table"), chromedp.CaptureScreenshot(&table), show("figure"), chromedp.CaptureScreenshot(&bars),
			show("figure:has(polyline)"), chromedp.CaptureScreenshot(&lines)); err != nil {
			t.Fatal(err)
		}
		if overflow {
			t.Errorf("%s: the page is wider than the screen", c.name)
		}
		if dark := strings.HasPrefix(background, "rgb(20"); dark != (c.scheme == "dark") {
			t.Errorf("%s: the background is %s", c.name, background)
		}
		artefact(t, c.name+".png", png)
		artefact(t, c.name+"-table.png", table)
		artefact(t, c.name+"-bars.png", bars)
		artefact(t, c.name+"-lines.png", lines)
	}
	for _, s := range complaints() {
		t.Errorf("the browser complains: %s", s)
	}
}
