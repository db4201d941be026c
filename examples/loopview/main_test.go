package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/loopview"
	"github.com/eventloop-go/eventloop/promise"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the program is slow on purpose
	m.Run()
}

// started runs the program until the test ends.
func started(t *testing.T) (url string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	urls, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, "127.0.0.1:0", func(url string) { urls <- url }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return <-urls
}

func TestThePageShowsTheLoopsInARealBrowser(t *testing.T) {
	ctx, complaints := browser(t, started(t))
	var names, rejection, slow string
	var drawn, heat int
	if err := chromedp.Run(ctx, until(`document.querySelectorAll("#slow tbody tr").length > 0 && document.querySelectorAll("#rejections tbody tr").length > 0`),
		until(`Array.from(document.querySelectorAll(".loop .list")).some(l => l.textContent.includes("takeOrders"))`),
		chromedp.Evaluate(`Array.from(document.querySelectorAll(".loop h2"), h => h.textContent).join()`, &names),
		chromedp.Evaluate(`document.querySelector("#rejections tbody").textContent`, &rejection),
		chromedp.Evaluate(`document.querySelector("#slow tbody").textContent`, &slow),
		until(colours("canvas.time")+" > 4"), chromedp.Evaluate(colours("canvas.time"), &drawn), chromedp.Evaluate(colours("canvas.heat"), &heat)); err != nil {
		t.Fatal(err)
	}
	if names != "orders,compute" || !strings.Contains(rejection, errNoStock.Error()) || !strings.Contains(slow, "serveOrder") && !strings.Contains(slow, "takeOrders") || drawn < 5 || heat < 3 {
		t.Errorf("%s; %s; %s; %d and %d colours", names, rejection, slow, drawn, heat)
	}
	// An unfolded row stays unfolded when the table is rebuilt.
	if err := chromedp.Run(ctx, evaluate(`document.querySelector(".loop td details").open = true; window.cell = document.querySelector(".loop td")`),
		until(`!window.cell.isConnected`), until(`document.querySelector(".loop td details").open`)); err != nil {
		t.Fatal(err)
	}
	// By keyboard: pause, move, and go on.
	var status, hint string
	if err := chromedp.Run(ctx, chromedp.Focus("#pause"), chromedp.SendKeys("#pause", "\r"), until(`document.getElementById("status").textContent === "paused"`),
		chromedp.SendKeys("canvas.time", "\ue012"), chromedp.SetValue("#span", "50"), evaluate(`document.getElementById("span").dispatchEvent(new Event("change"))`),
		evaluate(`(() => { const c = document.querySelector("canvas.time"); for (let x = 0; x < c.clientWidth; x++) {
			c.dispatchEvent(new PointerEvent("pointermove", {clientX: c.getBoundingClientRect().left + x, clientY: c.getBoundingClientRect().top + 40}));
			if (document.querySelector(".hint").textContent.includes("loopview.")) break; } })()`),
		chromedp.Text(".hint", &hint), chromedp.Click("#pause"), until(`document.getElementById("status").textContent === "live"`),
		chromedp.Text("#status", &status)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hint, "loopview.") {
		t.Errorf("the hint is %q", hint)
	}
	for _, s := range complaints() {
		t.Errorf("the browser complains: %s", s)
	}
}

func TestThePageFitsScreensOfEverySize(t *testing.T) {
	ctx, complaints := browser(t, started(t))
	groups := 0
	if err := chromedp.Run(ctx, until(reports("#slow")+" > 5 && "+reports("#rejections")+" > 2"), chromedp.Evaluate(`document.querySelectorAll("#rejections tbody tr").length`, &groups)); err != nil {
		t.Fatal(err)
	}
	if groups != 1 {
		t.Errorf("equal rejections are in %d rows", groups)
	}
	for _, c := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"loopview-light", 1280, 900, "light"}, {"loopview-dark", 1280, 900, "dark"}, {"loopview-phone", 390, 844, "light"}, {"loopview-phone-dark", 390, 844, "dark"}} {
		var overflow bool
		var background string
		var png []byte
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(c.width, c.height),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}),
			until(`document.querySelector("canvas.time").clientWidth <= innerWidth`),
			chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth`, &overflow),
			chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor`, &background), chromedp.FullScreenshot(&png, 100)); err != nil {
			t.Fatal(err)
		}
		if overflow {
			t.Errorf("%s: the page is wider than the screen", c.name)
		}
		if dark := strings.HasPrefix(background, "rgb(20"); dark != (c.scheme == "dark") {
			t.Errorf("%s: the background is %s", c.name, background)
		}
		artefact(t, c.name+".png", png)
	}
	// The pictures of the documents: one loop, and its slow callbacks, on a phone.
	var height float64
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(390, 844), chromedp.SetValue("#span", "500"), evaluate(`document.getElementById("span").dispatchEvent(new Event("change"));
			for (const e of [document.querySelectorAll(".loop")[1], document.getElementById("rejections").closest("section")]) e.style.display = "none"`),
		chromedp.Evaluate(`document.body.scrollHeight`, &height)); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		var picture []byte
		if err := chromedp.Run(ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
			chromedp.ActionFunc(func(ctx context.Context) (err error) {
				picture, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(80).
					WithCaptureBeyondViewport(true).WithClip(&page.Viewport{Width: 390, Height: height, Scale: 1}).Do(ctx)
				return err
			})); err != nil {
			t.Fatal(err)
		}
		artefact(t, "loopview-"+scheme+".webp", picture)
	}
	for _, s := range complaints() {
		t.Errorf("the browser complains: %s", s)
	}
}

func TestHostileNamesAreTextInARealBrowser(t *testing.T) {
	const hostile = `<img src=x onerror="document.title='broken'"></script><script>document.title="broken"</script>`
	view := loopview.New()
	loop := eventloop.New(eventloop.WithName(hostile), inspect.WithMetrics(), promise.WithUnhandledRejection(view.Rejection))
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	defer func() { _ = loop.Shutdown(context.Background()); <-ended }()
	view.Add(loop)
	view.SlowCallback(inspect.SlowCallback{Loop: hostile, Function: hostile, Submitted: hostile, Stack: []byte(hostile), Running: true})
	_ = loop.Submit(func() { promise.Reject[int](loop, errors.New(hostile)) })
	server := httptest.NewServer(http.StripPrefix("/debug", view))
	defer server.Close()
	ctx, complaints := browser(t, server.URL+"/debug/")
	var title, name, all string
	var images, scripts int
	if err := chromedp.Run(ctx, until(`document.querySelectorAll("#rejections tbody tr").length > 0`), chromedp.Title(&title),
		chromedp.Evaluate(`document.querySelector(".loop h2").textContent`, &name), chromedp.Evaluate(`document.body.textContent`, &all),
		chromedp.Evaluate(`document.querySelectorAll("img").length`, &images), chromedp.Evaluate(`document.querySelectorAll("script").length`, &scripts)); err != nil {
		t.Fatal(err)
	}
	if title != "Event loops" || name != hostile || images != 0 || scripts != 1 || strings.Count(all, hostile) < 5 {
		t.Error(fmt.Sprint(title, name, images, scripts, strings.Count(all, hostile)))
	}
	for _, s := range complaints() {
		t.Errorf("the browser complains: %s", s)
	}
}
