package promise

import (
	"github.com/eventloop-go/eventloop/internal/inside"
)

// reactions holds the reactions of a promise that has more than one, in the order of attaching. Holders of the lock
// of the promise's word fill it. As a job it runs them all.
//
// ECMA-262 queues one microtask for each reaction. Here a settled promise queues one for all. The difference cannot
// be observed: the separate microtasks would be adjacent in the queue, and microtasks they queue come behind the
// last. NextTick callbacks wait until the microtask queue is empty anyway.
type reactions struct {
	node
	loop    *core
	nodes   []*node
	bridges []*node // the nodes that attachOnce searches
	first   [8]*node
	limit   int  // the number of nodes at which there is no room
	leaving bool // some nodes can be abandoned
	ran     int
}

// An abandonable is a reaction that may become pointless: its race is over, the context of its Await has ended. It is
// asked by those who hold the lock of the word.
//
// A promise that lives long and is raced against a million times must not keep a million of them. One that is alone is
// replaced by the next reaction. Among several they are dropped when there is no more room, and the room is at most
// some times the number of those that are alive then.
type abandonable interface {
	abandoned() bool
}

const leastLimit = 8

func abandoned(n *node) bool {
	a, ok := n.job.(abandonable)
	return ok && a.abandoned()
}

// join attaches n to a word that pointed to head, and returns the word's next node. The word is locked.
func join(head, n *node, mayLeave bool, loop *core) *node {
	switch job := head.job.(type) {
	case *reactions:
		job.add(n, mayLeave)
		return head
	case *initial:
		if job.held != nil {
			job.held()
		}
		return n
	case abandonable:
		if job.abandoned() {
			return n
		}
		mayLeave = true
	}
	s := &reactions{loop: loop, limit: leastLimit, leaving: mayLeave}
	s.job = s
	s.first[0], s.first[1] = head, n
	s.nodes = s.first[:2]
	if _, ok := head.job.(bridge); ok {
		s.bridges = append(s.bridges, head)
	}
	return &s.node
}

func (s *reactions) add(n *node, mayLeave bool) {
	s.leaving = s.leaving || mayLeave
	if len(s.nodes) >= s.limit {
		s.makeRoom()
	}
	s.nodes = append(s.nodes, n)
}

// makeRoom drops the nodes that are abandoned, and makes room for more.
func (s *reactions) makeRoom() {
	if s.leaving {
		s.nodes = living(s.nodes)
		s.bridges = living(s.bridges)
	}
	if n := len(s.nodes); cap(s.nodes) < 2*n {
		s.nodes = append(make([]*node, 0, 4*n), s.nodes...)
	}
	s.limit = max(cap(s.nodes), leastLimit)
}

// without returns the node of a locked word without n, which is queued already: nothing has joined before it.
func without(head, n *node) *node {
	s, ok := head.job.(*reactions)
	switch {
	case ok && s.nodes[0] == n:
		s.ran = 1
	case head == n:
		return &touched
	}
	return head
}

// living removes from nodes those that are abandoned, and gives back the room of a list that was much longer.
func living(nodes []*node) []*node {
	live := nodes[:0]
	for _, n := range nodes {
		if !abandoned(n) {
			live = append(live, n)
		}
	}
	clear(nodes[len(live):])
	if cap(live) > 4*len(live)+leastLimit {
		live = append(make([]*node, 0, max(2*len(live), leastLimit)), live...)
	}
	return live
}

// Run runs the reactions. After Goexit the rest run in the deferred call, before the core goes on.
func (s *reactions) Run() {
	defer func() {
		if s.ran < len(s.nodes) {
			s.Run()
		}
	}()
	for !s.runSome() {
	}
}

// runSome runs reactions until none is left, or one that is an [inside.Failer] has failed: then it returns false. Between
// any two it looks for a loop that is being closed.
func (s *reactions) runSome() (finished bool) {
	var job inside.Job // in progress
	defer func() {
		if f, ok := job.(inside.Failer); ok {
			f.JobFailed(failure(recover()))
		}
	}()
	origin, loop := s.job, s.loop
	for s.ran < len(s.nodes) {
		if s.ran > 0 && loop.Closing() {
			// Queued only so that the loop counts them as dropped.
			for ; s.ran < len(s.nodes); s.ran++ {
				loop.Enqueue(s)
			}
			break
		}
		n := s.nodes[s.ran]
		s.nodes[s.ran] = nil
		s.ran++
		if one, ok := n.job.(*shared); ok {
			one.race.enter(origin)
			continue
		}
		job, n.job = n.job, origin
		job.Run()
		job = nil
	}
	return true
}
