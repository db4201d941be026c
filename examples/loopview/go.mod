module github.com/eventloop-go/eventloop/examples/loopview

go 1.25.0

require (
	github.com/chromedp/cdproto v0.0.0-20250724212937-08a3db8b4327
	github.com/chromedp/chromedp v0.14.2
	github.com/eventloop-go/eventloop v0.1.0
)
