package kv

import (
	"encoding/json"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
)

// An entry is an operation in the log.
type entry struct {
	Term int
	ID   string // of the request
	Op   string
}

// A state is what a server must not forget. Its file has a line for each change. An entry replaces those from its index on.
type state struct {
	h    *loopsim.Host
	bug  Bug
	term int
	vote string  // for whom, in this term
	log  []entry // from index 1 on
	lost bool    // a write has failed: the host starts again
}

// A line is a change of the state: a term and a vote, or an entry.
type line struct {
	Term  int    `json:",omitempty"`
	Vote  string `json:",omitempty"`
	Index int    `json:",omitempty"`
	Entry entry
}

const file = "log"

func (s *state) load() error {
	s.log = make([]entry, 1)
	lines, err := rpc.ReadLog(s.h.Disk(), file)
	for _, text := range lines {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			return err
		}
		s.apply(l)
	}
	if err != nil || len(lines) == 0 {
		return err
	}
	return s.h.Disk().Sync(file) // what a failed write has left is acknowledged from now on
}

func (s *state) apply(l line) {
	if l.Index > 0 {
		s.log = append(s.log[:l.Index:l.Index], l.Entry)
	} else {
		s.term, s.vote = l.Term, l.Vote
	}
}

// write makes changes durable. It reports false if it cannot: then the host starts again, because the content of the file is not known.
func (s *state) write(lines ...line) bool {
	if s.lost || len(lines) == 0 {
		return !s.lost
	}
	var data []byte
	for _, l := range lines {
		text, _ := json.Marshal(l)
		data = append(append(data, text...), '\n')
		s.apply(l)
	}
	d := s.h.Disk()
	err := d.Append(file, data)
	if err == nil && !(s.bug == AckBeforeSync && lines[0].Index > 0) {
		err = d.Sync(file)
	}
	if err != nil {
		s.lost = true
		s.h.World().Inject(loopsim.Fault{Kind: loopsim.Kill, Host: s.h.Name(), For: time.Second})
	}
	return err == nil
}

// newTerm begins a term with a vote, or with none.
func (s *state) newTerm(term int, vote string) bool {
	return s.write(line{Term: term, Vote: vote})
}

// last is the position of the last entry.
func (s *state) last() position { return position{len(s.log) - 1, s.log[len(s.log)-1].Term} }

// has reports whether the log has an entry.
func (s *state) has(p position) bool { return p.Index < len(s.log) && s.log[p.Index].Term == p.Term }

// add adds entries behind an index, except those that the log has already.
func (s *state) add(behind int, entries []entry) bool {
	var lines []line
	for i, e := range entries {
		if index := behind + 1 + i; len(lines) > 0 || !s.has(position{index, e.Term}) {
			lines = append(lines, line{Index: index, Entry: e})
		}
	}
	return s.write(lines...)
}
