package loopview

import (
	"bufio"
	"encoding/json"
	"io"
	"time"

	"github.com/eventloop-go/eventloop/inspect"
)

// A traceEvent is an event in the Chrome trace format, which Perfetto and chrome://tracing read.
type traceEvent struct {
	Name  string         `json:"name"`
	Type  string         `json:"ph"`
	At    float64        `json:"ts"` // microseconds
	Took  *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Class string         `json:"cat,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// A track is a copy of a loop's data for a trace.
type track struct {
	id      int
	name    string
	made    time.Time
	spans   []span
	samples []sample
}

// tracks returns the recorded events. The caller holds the lock.
func (v *View) tracks() (all []track) {
	for _, w := range v.loops {
		t := track{id: w.id, name: w.loop.Name(), samples: append([]sample(nil), w.samples...)}
		t.spans = w.recorder.between(0, v.tick+1)
		t.made = w.recorder.epoch()
		all = append(all, t)
	}
	return all
}

var spanNames = map[spanKind]string{spanSleep: "sleeps", spanUnseen: "not observed"}

// writeTrace writes tracks in the Chrome trace format. Times are since start.
func writeTrace(to io.Writer, start time.Time, tracks []track) error {
	w := bufio.NewWriter(to)
	first := true
	var failed error
	write := func(e traceEvent) {
		b, err := json.Marshal(e)
		if err != nil {
			failed = err
			return
		}
		if !first {
			_, _ = w.WriteString(",\n")
		}
		first = false
		_, _ = w.Write(b) // Flush tells
	}
	_, _ = w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[` + "\n")
	for _, t := range tracks {
		name := t.name
		if name == "" {
			name = "loop"
		}
		write(traceEvent{Name: "thread_name", Type: "M", PID: 1, TID: t.id, Args: map[string]any{"name": name}})
		epoch := t.made.Sub(start)
		for _, s := range t.spans {
			took := microseconds(s.took)
			e := traceEvent{Name: s.phase.String(), Type: "X", At: microseconds(epoch + s.at), Took: &took, PID: 1, TID: t.id, Class: "phase"}
			switch s.kind {
			case spanCallback, spanCheckpoint:
				e.Class, e.Name = "callback", s.name
				if s.kind == spanCheckpoint {
					e.Name = "microtasks"
				} else if e.Name == "" {
					e.Name = "callback"
				}
				e.Args = map[string]any{"phase": s.phase.String(), "jobs": s.jobs}
				if s.made != "" {
					e.Args["submitted"] = s.made
				}
			case spanSleep, spanUnseen:
				e.Class, e.Name = "", spanNames[s.kind]
			}
			write(e)
		}
		for _, s := range t.samples {
			at := microseconds(time.UnixMilli(s.At).Sub(start))
			write(traceEvent{Name: name + " queued", Type: "C", At: at, PID: 1, TID: t.id, Args: map[string]any{
				inspect.PhaseExternal.String(): s.Queued[0], inspect.PhaseInternal.String(): s.Queued[1],
				inspect.PhaseCheck.String(): s.Queued[2], inspect.PhaseClose.String(): s.Queued[3],
			}})
		}
	}
	_, _ = w.WriteString("\n]}\n")
	if err := w.Flush(); err != nil {
		return err
	}
	return failed
}

func microseconds(d time.Duration) float64 { return float64(d) / 1000 }
