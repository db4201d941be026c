package promise

import (
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Reactions can be given up: those of a race that is over, of an Await whose context has ended. A promise that lives
// long and is raced against a million times must not keep a million of them.
//
// The list is singly linked, so a reaction in its middle is not taken out at once. If it is the newest, the loop pops
// it. Otherwise it stays, abandoned, until there may be as many such nodes as live ones: then the loop goes through
// the list and cuts them out. Each node of the kind knows how much room there is above it until then, which costs an
// ordinary promise nothing. Nodes of the kind are counted as long as no ordinary one comes between, so at most a
// constant number are left under each of those.

// A room counts how many reactions that can be abandoned may be attached on top of one before the loop cleans up.
type room struct{ sched.Int32 }

const leastRoom = 64

// attachDetachable is attach for a reaction that can be abandoned.
func (p *Promise[T]) attachDetachable(n *node) {
	own := n.job.room()
	for {
		head := p.word.Load()
		for shared(head) {
			head = p.unshare(head)
		}
		left := int32(leastRoom)
		switch {
		case bottom(head):
			n.next = &touched // so that the promise still knows, when n is gone, that somebody had attached
		case settled(head):
			p.attach(n)
			return
		default:
			n.next = head
			if below := head.job.room(); below != nil {
				left = below.Load() - 1
			}
		}
		own.Store(left)
		if p.word.CompareAndSwap(head, n) {
			if left <= 0 {
				own.Store(leastRoom)
				_ = p.loop.EnqueueJob(cleanup{&p.core})
			}
			return
		}
	}
}

// pop takes an abandoned node off the list if it is the newest. Only the loop calls it: others may push meanwhile, but
// none of them changes n.next.
func (c *core) pop(n *node) {
	if c.word.Load() == n {
		c.word.CompareAndSwap(n, n.next)
	}
}

// A cleanup is a microtask that cuts abandoned nodes out of a list.
type cleanup struct{ c *core }

func (j cleanup) Run() {
	c := j.c
	head := c.word.Load()
	for !bottom(head) && !settled(head) && head.job.abandoned() {
		c.word.CompareAndSwap(head, head.next)
		head = c.word.Load()
	}
	if bottom(head) || settled(head) {
		return
	}
	var top *room
	live := int32(0)
run:
	for last, n := head, head; !bottom(n); n = n.next {
		r := n.job.room()
		switch {
		case r == nil && top != nil:
			break run // an ordinary reaction ends the run of those that can be abandoned
		case r != nil && n.job.abandoned():
			last.next = n.next
			continue
		case r != nil:
			live++
			if top == nil {
				top = r
			}
		}
		last = n
	}
	if top != nil {
		top.Store(max(live, leastRoom))
	}
}
