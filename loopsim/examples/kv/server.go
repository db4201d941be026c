// Package kv is a replicated key-value store, as an example for package loopsim. Three servers elect a leader, which brings each change
// to a majority before it answers: the core of Raft. The leader answers reads alone while it has a lease. Clients ask again, with the same id,
// until they have an answer.
package kv

import (
	"slices"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
)

const (
	silence  = time.Second            // of the leader, before another server may be elected
	beat     = 200 * time.Millisecond // between messages of the leader
	lease    = silence * 9 / 10       // from a message that a majority has answered; shorter, for clocks that do not go equally fast
	majority = 2
)

// A server is one of the three. It is the leader of its term, or asks for votes, or follows.
type server struct {
	state
	peers     []*peer
	leading   bool
	leader    string        // who leads, as far as is known
	heard     time.Duration // when the leader was heard last, on the host's clock that does not jump
	election  eventloop.Timer
	committed int
	waiting   map[int]func(answer)
	store     *store
}

// A peer is another server.
type peer struct {
	client *rpc.Client
	next   int           // the first entry to send
	match  int           // up to which entry its log is equal to ours
	acked  time.Duration // when we sent the last message that it has answered
}

// Serve runs a server. The function applied is called with each change in order.
func Serve(h *loopsim.Host, bug Bug, names []string, applied func(index int, id string)) error {
	s := &server{state: state{h: h, bug: bug}, waiting: map[int]func(answer){}, store: newStore(bug, applied)}
	if err := s.load(); err != nil {
		return err
	}
	s.heard = h.Uptime() // it may have promised not to vote, just before a crash
	for _, name := range names {
		if name != h.Name() {
			s.peers = append(s.peers, &peer{client: rpc.NewClient(h, name+":80")})
		}
	}
	s.waitForElection()
	return listen(h, s.handle)
}

// handle answers a message.
func (s *server) handle(m message, reply func(answer)) {
	if s.lost {
		return
	}
	switch m.Kind {
	case "vote":
		reply(s.votes(m))
	case "append":
		reply(s.accept(m))
	case "do":
		s.do(m, reply)
	}
}

// waitForElection has the server ask for votes, unless this is called again before.
func (s *server) waitForElection() {
	s.election.Stop()
	s.election, _ = s.h.Loop().ScheduleTimer(silence+time.Duration(s.h.Rand.Int64N(int64(silence))), s.askForVotes)
}

// follow ends what the server was, in a new term or in this one.
func (s *server) follow(term int) bool {
	s.leading = false
	if s.bug != KeepsWaiting {
		clear(s.waiting)
	}
	s.waitForElection()
	return term == s.term || s.newTerm(term, "")
}

func (s *server) askForVotes() {
	s.waitForElection()
	if !s.newTerm(s.term+1, s.h.Name()) {
		return
	}
	s.leader = ""
	term, votes := s.term, 1
	for _, p := range s.peers {
		ask(p.client, message{Kind: "vote", Term: term, From: s.h.Name(), Last: s.last()}, func(a answer) {
			switch {
			case a.Term > s.term:
				s.follow(a.Term)
			case a.OK && s.term == term:
				if votes++; votes == majority {
					s.lead()
				}
			}
		})
	}
}

// votes decides about a vote.
func (s *server) votes(m message) answer {
	if !s.leading && s.h.Uptime()-s.heard < silence { // a leader may have a lease
		return answer{}
	}
	if m.Term > s.term && !s.follow(m.Term) {
		return answer{}
	}
	last := s.last()
	longer := m.Last.Term > last.Term || m.Last.Term == last.Term && m.Last.Index >= last.Index
	if m.Term < s.term || s.vote != "" && s.vote != m.From || !longer && s.bug != AnyVote {
		return answer{Term: s.term}
	}
	return answer{OK: s.newTerm(m.Term, m.From)}
}

// lead makes the server the leader of its term.
func (s *server) lead() {
	s.h.Logf("leads in term %d", s.term)
	s.election.Stop()
	s.leading, s.leader = true, s.h.Name()
	for _, p := range s.peers {
		p.next, p.match, p.acked = len(s.log), 0, -lease
	}
	s.beat(s.term)
}

func (s *server) beat(term int) {
	if !s.leading || s.term != term {
		return
	}
	s.sendAll()
	_, _ = s.h.Loop().ScheduleTimer(beat, func() { s.beat(term) })
}

func (s *server) sendAll() {
	for _, p := range s.peers {
		s.send(p)
	}
}

// send sends a peer the entries that it lacks, or an empty message.
func (s *server) send(p *peer) {
	sent, term, prev := s.h.Uptime(), s.term, p.next-1
	m := message{Kind: "append", Term: term, From: s.h.Name(), Prev: position{prev, s.log[prev].Term}, Entries: s.log[p.next:], Commit: s.committed}
	ask(p.client, m, func(a answer) {
		switch {
		case a.Term > s.term:
			s.follow(a.Term)
		case !s.leading || s.term != term || a.Term == 0:
		case !a.OK: // its log is another: send more
			if p.next > p.match+1 && prev == p.next-1 {
				p.next = max(p.match, min(prev-1, a.Match)) + 1
				s.send(p)
			}
		default:
			p.acked = max(p.acked, sent)
			p.match = max(p.match, a.Match)
			p.next = p.match + 1
			s.commit()
		}
	})
}

// accept takes entries from the leader.
func (s *server) accept(m message) answer {
	if m.Term < s.term {
		return answer{Term: s.term}
	}
	if !s.follow(m.Term) {
		return answer{}
	}
	s.leader, s.heard = m.From, s.h.Uptime()
	if !s.has(m.Prev) {
		return answer{Term: s.term, Match: len(s.log) - 1}
	}
	if !s.add(m.Prev.Index, m.Entries) {
		return answer{}
	}
	match := m.Prev.Index + len(m.Entries)
	s.apply(min(m.Commit, match))
	if s.bug == AckOfAll {
		match = len(s.log) - 1
	}
	return answer{OK: true, Term: s.term, Match: match}
}

// commit looks for entries that a majority has.
func (s *server) commit() {
	if s.lost {
		return
	}
	matches := []int{len(s.log) - 1}
	for _, p := range s.peers {
		matches = append(matches, p.match)
	}
	slices.Sort(matches)
	to := matches[len(matches)-majority]
	if s.log[to].Term == s.term { // an older entry may still be replaced by another leader's
		s.apply(to)
	}
}

// apply does what is committed, up to an entry, and answers.
func (s *server) apply(to int) {
	for s.committed < to {
		s.committed++
		value := s.store.do(s.committed, s.log[s.committed])
		if reply := s.waiting[s.committed]; reply != nil {
			delete(s.waiting, s.committed)
			reply(answer{OK: true, Value: value})
		}
	}
}

// hasLease reports whether no other server can have been elected: a majority has promised not to vote.
func (s *server) hasLease() bool {
	n := 1
	for _, p := range s.peers {
		if s.h.Uptime()-p.acked < lease {
			n++
		}
	}
	return n >= majority
}

// do does what a client asks for.
func (s *server) do(m message, reply func(answer)) {
	if !s.leading {
		reply(answer{Leader: s.leader})
		return
	}
	leased := s.hasLease() || s.bug == OldLeader
	current := s.log[s.committed].Term == s.term || s.bug == ReadsAtOnce
	if key, read := readOf(m.Op); read && leased && current {
		reply(answer{OK: true, Value: s.store.values[key]})
		return
	}
	if s.add(len(s.log)-1, []entry{{s.term, m.ID, m.Op}}) {
		s.waiting[len(s.log)-1] = reply
		if s.bug == Alone {
			s.apply(len(s.log) - 1)
		}
		s.sendAll()
	}
}
