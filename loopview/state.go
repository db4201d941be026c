package loopview

import (
	"encoding/json"
	"time"
)

const (
	maxSent    = 2000 // spans in an answer, the newest
	maxAnswers = 4    // that are kept for others who ask the same
)

// state is one page update: the events since Tick.
type state struct {
	Boot       int64           `json:"boot"` // identifies the view
	Tick       uint64          `json:"tick"`
	Now        int64           `json:"now"` // milliseconds since 1970
	Bounds     []time.Duration `json:"bounds"`
	Loops      []loopState     `json:"loops"`
	Slow       []slow          `json:"slow"`
	Rejections []rejected      `json:"rejections"`
}

type loopState struct {
	ID        int           `json:"id"`
	Name      string        `json:"name"`
	Ended     bool          `json:"ended"`
	Metrics   bool          `json:"metrics"`
	Running   time.Duration `json:"running"` // the callback in progress
	Function  string        `json:"function"`
	Asleep    bool          `json:"asleep"`
	Made      float64       `json:"made"`  // milliseconds since 1970
	Slept     time.Duration `json:"slept"` // since when it is asleep; times are since Made
	Samples   []sample      `json:"samples"`
	Names     []string      `json:"names"`
	Spans     [][7]int64    `json:"spans"` // kind, phase, at, took, jobs, name, where it was made
	Resources inventory     `json:"resources"`
}

// answer returns the state since a tick, as JSON. Equal requests get the same bytes. The lock is held.
func (v *View) answer(since uint64) ([]byte, error) {
	if since > v.tick { // it is from another view
		since = 0
	}
	if known := v.answers[since]; known != nil {
		return known, nil
	}
	s := state{Boot: v.boot.UnixNano() / 1000, Tick: v.tick, Now: time.Now().UnixMilli(), Bounds: bounds, Loops: []loopState{}}
	s.Slow, s.Rejections = v.reports.between(since, v.tick)
	for _, w := range v.loops {
		s.Loops = append(s.Loops, w.state(since, v.tick))
	}
	b, err := json.Marshal(s)
	if err == nil && len(v.answers) < maxAnswers {
		v.answers[since] = b
	}
	return b, err
}

func (w *watched) state(since, tick uint64) loopState {
	s := loopState{ID: w.id, Name: shorten(w.loop.Name(), maxText), Ended: w.ended(), Metrics: w.before.Loops > 0, Running: w.before.Running}
	if !s.Ended {
		s.Resources = w.question.found()
	}
	for _, one := range w.samples {
		if one.Tick > since {
			s.Samples = append(s.Samples, one)
		}
	}
	index := map[string]int64{"": 0}
	s.Names = append(s.Names, "")
	number := func(name string) int64 {
		n, known := index[name]
		if !known {
			n = int64(len(s.Names))
			index[name], s.Names = n, append(s.Names, shorten(name, maxText))
		}
		return n
	}
	spans := w.recorder.between(since, tick)
	if len(spans) > maxSent {
		spans = spans[len(spans)-maxSent:]
	}
	for _, p := range spans {
		s.Spans = append(s.Spans, [7]int64{int64(p.kind), int64(p.phase), int64(p.at), int64(p.took), int64(p.jobs), number(p.name), number(p.made)})
	}
	w.recorder.now(&s)
	return s
}
