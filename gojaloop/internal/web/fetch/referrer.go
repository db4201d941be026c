package fetch

import (
	weburl "github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
	"github.com/nlnwa/whatwg-url/url"
)

// maxReferrer is the length from which on only the origin of a referrer is sent (Referrer Policy 8.3).
const maxReferrer = 4096

// referrer returns the value of a request's header Referer: nothing, or a URL (determine request's referrer, Referrer
// Policy 8.3). A script is not a document, so its requests have no referrer unless it names one.
func referrer(source, policy string, target *url.Url) string {
	if source == "" || source == "about:client" {
		return ""
	}
	from, err := weburl.Parse(source, nil)
	if err != nil || from.Scheme() != "http" && from.Scheme() != "https" {
		return ""
	}
	from.SetUsername("")
	from.SetPassword("")
	full, short := from.Href(true), weburl.Origin(from)+"/"
	if len(full) > maxReferrer {
		full = short
	}
	same := weburl.Origin(from) == weburl.Origin(target)
	downgrade := from.Scheme() == "https" && target.Scheme() != "https"
	switch policy {
	case "unsafe-url":
		return full
	case "origin":
		return short
	case "same-origin":
		if same {
			return full
		}
	case "origin-when-cross-origin":
		if same {
			return full
		}
		return short
	case "no-referrer-when-downgrade":
		if !downgrade {
			return full
		}
	case "strict-origin":
		if !downgrade {
			return short
		}
	case "", "strict-origin-when-cross-origin":
		if same {
			return full
		}
		if !downgrade {
			return short
		}
	}
	return ""
}
