package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens a page in a headless Chromium. It collects all of the page's errors and its requests to other
// servers.
func browser(t *testing.T, url string) (ctx context.Context, complaints func() []string) {
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
	ctx, cancel = context.WithTimeout(ctx, 120*time.Second)
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
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, url) {
				add("asks for " + e.Request.URL)
			}
		}
	})
	if err := chromedp.Run(ctx, log.Enable(), network.Enable(), chromedp.EmulateViewport(1280, 900), chromedp.Navigate(url), chromedp.WaitVisible(".loop")); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return found
	}
}

// profile makes a directory for a browser's data. A browser's processes may write for a moment after it has ended.
// Then removing the directory fails at first, and TempDir tries only once.
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

// until waits until an expression is true in the page.
func until(expression string) chromedp.Action {
	return chromedp.Poll(expression, nil, chromedp.WithPollingInterval(100*time.Millisecond), chromedp.WithPollingTimeout(90*time.Second))
}

func evaluate(expression string) chromedp.Action { return chromedp.Evaluate(expression, nil) }

// colours counts the colours in a canvas, by a copy.
func colours(selector string) string {
	return fmt.Sprintf(`(() => { const c = document.querySelector(%q), o = new OffscreenCanvas(c.width, c.height).getContext("2d", {willReadFrequently: true});
		o.drawImage(c, 0, 0);
		const d = o.getImageData(0, 0, c.width, c.height).data, s = new Set();
		for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
		return s.size; })()`, selector)
}

// reports adds up the numbers of equal reports in a table.
func reports(selector string) string {
	return fmt.Sprintf(`Array.from(document.querySelectorAll(%q), e => Number(e.textContent)).reduce((a, b) => a + b, 0)`, selector+" tbody td:first-child")
}
