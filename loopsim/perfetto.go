package loopsim

import (
	"bufio"
	"encoding/json"
	"io"
)

// A traceEvent is an event in the Chrome trace format, which Perfetto reads. Times are microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Type  string         `json:"ph"`
	At    float64        `json:"ts"`
	Took  *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Class string         `json:"cat,omitempty"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// The tracks of a host, which is a process of the trace.
const (
	trackLoop = iota + 1
	trackNetwork
	trackFaults
)

// writePerfetto writes the time line in the Chrome trace format, with messages as arrows between hosts.
func (w *World) writePerfetto(to io.Writer) error {
	out := bufio.NewWriter(to)
	enc := json.NewEncoder(out)
	first := true
	var failed error
	write := func(e traceEvent) {
		if !first {
			_ = out.WriteByte(',') // Flush tells
		}
		first = false
		if err := enc.Encode(e); err != nil && failed == nil {
			failed = err
		}
	}
	_, _ = out.WriteString(`{"displayTimeUnit":"ms","traceEvents":[` + "\n")
	for _, m := range w.machines {
		write(traceEvent{Name: "process_name", Type: "M", PID: m.id + 1, Args: map[string]any{"name": m.name}})
		for i, name := range []string{"loop", "network", "faults and story"} {
			write(traceEvent{Name: "thread_name", Type: "M", PID: m.id + 1, TID: trackLoop + i, Args: map[string]any{"name": name}})
		}
	}
	for _, e := range w.inOrder() {
		at, took := micros(e.at), micros(max(e.took, 1000))
		pid := e.host + 1
		switch e.kind {
		case kindCallback:
			write(traceEvent{Name: e.text, Type: "X", At: at, Took: &took, PID: pid, TID: trackLoop, Class: "callback"})
		case kindSend:
			short := micros(1000)
			write(traceEvent{Name: e.text, Type: "X", At: at, Took: &short, PID: pid, TID: trackNetwork, Class: "message"})
			write(traceEvent{Name: "message", Type: "s", At: at, PID: pid, TID: trackNetwork, Class: "message", ID: e.id})
			write(traceEvent{Name: e.text, Type: "X", At: at + took, Took: &short, PID: e.peer + 1, TID: trackNetwork, Class: "message"})
			write(traceEvent{Name: "message", Type: "f", Bind: "e", At: at + took, PID: e.peer + 1, TID: trackNetwork, Class: "message", ID: e.id})
		case kindFault:
			write(traceEvent{Name: e.text, Type: "X", At: at, Took: &took, PID: pid, TID: trackFaults, Class: "fault"})
		default:
			write(traceEvent{Name: kindNames[e.kind] + " " + e.text, Type: "i", Scope: "t", At: at, PID: pid, TID: trackFaults, Class: kindNames[e.kind]})
		}
	}
	_, _ = out.WriteString("]}\n")
	if err := out.Flush(); err != nil {
		return err
	}
	return failed
}

func micros(ns int64) float64 { return float64(ns) / 1000 }
