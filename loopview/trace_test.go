package loopview

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

func TestATraceIsInTheChromeFormat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const name = "<img src=x onerror=alert(1)>\"\xff"
		l := running(t, inspect.WithMetrics(), eventloop.WithName(name))
		v := viewed(t, l, running(t))
		if _, err := l.ScheduleRepeating(100*time.Millisecond, work); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r := get(v, "/trace?seconds=3")
		if took := time.Since(start); took != 3*time.Second || r.Code != http.StatusOK || !strings.Contains(r.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%v %v %v", took, r.Code, r.Header())
		}
		var trace struct{ TraceEvents []traceEvent }
		if err := json.Unmarshal(r.Body.Bytes(), &trace); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Body.String(), "<img") {
			t.Error("a name is not escaped")
		}
		types, classes, names := map[string]int{}, map[string]int{}, map[string]int{}
		var phase traceEvent
		for _, e := range trace.TraceEvents {
			types[e.Type]++
			classes[e.Class]++
			names[e.Name]++
			if e.At < 0 || e.Took != nil && (*e.Took < 0 || e.At+*e.Took > 3.1e6) {
				t.Errorf("%+v", e)
			}
			if e.Class == "phase" {
				phase = e
			}
		}
		if types["M"] != 2 || types["C"] < 5 || classes["callback"] < 25 || classes["phase"] < 25 || names["sleeps"] < 25 || phase.Took == nil {
			t.Errorf("%v %v %v", types, classes, names)
		}
	})
}

func TestATraceTakesTwoSecondsIfNobodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := viewed(t, running(t))
		start := time.Now()
		get(v, "/trace")
		if took := time.Since(start); took != 2*time.Second {
			t.Error(took)
		}
		get(v, "/trace")
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("%v though somebody looks", took)
		}
	})
}
