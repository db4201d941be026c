package promise

import (
	"github.com/eventloop-go/eventloop/internal/inside"
)

// The word of a promise points to a node. Most nodes are reactions: the job that runs when the promise is settled.
//
// Job changes its meaning once. As long as the node is in the word or the list of a promise, it is the object that
// holds the node. When the promise is settled, that object is queued, and job becomes the promise that the node was
// attached to. The reaction takes the outcome from it. So a reaction needs no field for its promise, and a list needs
// no links.
//
// Three goroutines may read job. They are the holder of the lock of the word that leads to the node (see below), the
// goroutine that has taken the node out to queue it, and the node's owner after it has run.
type node struct {
	job inside.Job
}

// The word of a promise holds both its state and its reactions. It points to
//
//	nil          pending, nobody has attached
//	&touched     pending; somebody has attached and gone
//	&busy        locked by a goroutine that settles the promise, changes its reactions or looks at a node
//	&contended   the same, and other goroutines wait: see wordlock.go
//	&fulfilled   fulfilled; value holds the value
//	another node, whose job is
//	             *rejection  rejected
//	             *initial     pending, no reaction: see initial
//	             *reactions    pending, reactions in the order of attaching
//	             another     pending, one reaction
//
// The word is its own lock. A goroutine that finds one of the last kinds swaps &busy for it, reads or changes it, and
// stores the next word; the others wait. No foreign code runs meanwhile. But settling queues a job, so the lock may
// be held for as long as it takes to get the loop's lock. A goroutine that finds nil or &touched needs no lock: one
// compare-and-swap attaches the first reaction, or settles.
//
// One goroutine settles. It has been chosen before, by the claim of a resolver; or only one reaction can settle the
// promise, as with those of Then. It writes the value, swaps &busy for the word, queues the reactions that it finds
// there, and stores the final state. settleOnLoop has a shorter way.
//
// No reaction is lost or runs twice. Either the settler finds it in the word, or the goroutine that attaches it sees
// the final state and queues it.
//
// Order. A job accepted by the loop before a reaction was attached is ahead of that reaction. It was accepted before
// the settler found the reaction in the word, and the settler queues later. Enqueue first moves in the jobs queued by
// other goroutines. A reaction attached after the promise has settled is behind those attached before. Its goroutine
// has seen the final state, which is stored after those are queued.
//
// Happens before. The settler writes the value, or the rejection, before it stores the final state, and readers load
// that state first. Reactions may run before it is stored; they wait for it (outcome).
var touched, busy, contended, fulfilled node

// An initial is the node of a promise that has no reaction but something to remember until the first is attached.
type initial struct {
	node
	trace *trace // where the promise was made, or nil
	held  func() // to call, with the word locked, when a reaction is attached; or nil
}

func (*initial) Run() {}

// start makes p a pending promise of loop.
func (p *Promise[T]) start(loop *core) {
	p.loop = loop
	if tracing.Load() {
		p.startTraced()
	}
}

func (p *Promise[T]) startTraced() { p.setInitial(&initial{trace: newTrace()}) }

func (p *Promise[T]) setInitial(b *initial) {
	b.job = b
	p.word.Store(&b.node)
}

// An origin is a promise as the job of a node that was attached to it.
type origin[T any] Promise[T]

func (*origin[T]) Run() {}

// from returns the promise that a node, whose object has been queued, was attached to.
func from[T any](n *node) *Promise[T] { return (*Promise[T])(n.job.(*origin[T])) }

// bind gives n the promise that it was attached to, and returns the job to queue.
func (p *Promise[T]) bind(n *node) inside.Job {
	job := n.job
	if s, ok := job.(*shared); ok {
		return &entrant{s, (*origin[T])(p)}
	}
	n.job = (*origin[T])(p)
	return job
}

// attach adds a reaction. Any goroutine may call it.
func (p *Promise[T]) attach(n *node) {
	if p.word.Load() != nil || !p.word.CompareAndSwap(nil, n) {
		p.attachNext(n)
	}
}

func (p *Promise[T]) attachNext(n *node) {
	if p.push(n, false) {
		_ = p.loop.EnqueueJob(p.bind(n)) // refused when the loop has ended: then no reaction runs
	}
}

// attachAbandonable is attach for a reaction whose object is [abandonable].
func (p *Promise[T]) attachAbandonable(n *node) {
	if p.word.Load() == nil && p.word.CompareAndSwap(nil, n) {
		return
	}
	if p.push(n, true) {
		_ = p.loop.EnqueueJob(p.bind(n))
	}
}

// attachOnLoop is attach for the loop's own goroutine.
func (p *Promise[T]) attachOnLoop(n *node) {
	if p.push(n, false) {
		p.loop.Enqueue(p.bind(n))
	}
}

func (p *Promise[T]) attachAbandonableOnLoop(n *node) {
	if p.push(n, true) {
		p.loop.Enqueue(p.bind(n))
	}
}

// push adds n to a pending promise. If the promise is settled, it reports that the caller has to queue n.
func (p *Promise[T]) push(n *node, mayLeave bool) (settled bool) {
	for {
		switch head := p.word.Load(); head {
		case nil, &touched:
			if p.word.CompareAndSwap(head, n) {
				return false
			}
		case &fulfilled:
			return true
		case &busy, &contended:
			awaitUnlocked(&p.word)
		default:
			if !p.word.CompareAndSwap(head, &busy) {
				continue
			}
			switch job := head.job.(type) {
			case *reactions:
				job.add(n, mayLeave)
				unlock(&p.word, head)
				return false
			case *rejection:
				unlock(&p.word, head)
				job.handle()
				return true
			}
			unlock(&p.word, join(head, n, mayLeave, p.loop))
			return false
		}
	}
}

// settle gives a pending promise its final state and queues the reactions, from any goroutine. It reports whether a
// reaction had been attached and, if not, the promise's trace.
func (p *Promise[T]) settle(final *node) (attached bool, t *trace) {
	head := p.word.Load()
	if (head == nil || head == &touched) && p.word.CompareAndSwap(head, final) {
		return head != nil, nil
	}
	head = p.lock()
	if attached, t = found(head); attached && head != &touched {
		_ = p.loop.EnqueueJob(p.bind(head)) // refused when the loop has ended: then no reaction runs
	}
	unlock(&p.word, final)
	return attached, t
}

// settleOnLoop is settle for the loop's own goroutine. The jobs it queues do not run before it returns.
//
// So one reaction, the common case, needs no lock: its job is queued, then the word is changed. If another reaction
// was attached in between, the rest of the word is queued as well, without that reaction.
func (p *Promise[T]) settleOnLoop(final *node) (attached bool, t *trace) {
	head := p.word.Load()
	if head == nil || head == &touched {
		if p.word.CompareAndSwap(head, final) {
			return head != nil, nil
		}
		head = &busy
	}
	var queued *node
	switch head.job.(type) {
	case nil, *initial, *reactions, *shared:
	default:
		p.loop.Enqueue(head.job)
		if p.word.CompareAndSwap(head, final) {
			head.job = (*origin[T])(p)
			return true, nil
		}
		queued = head
	}
	head = p.lock()
	if queued != nil {
		queued.job = (*origin[T])(p)
		attached, head = true, without(head, queued)
	} else {
		attached, t = found(head)
	}
	if attached && head != &touched {
		p.loop.Enqueue(p.bind(head))
	}
	unlock(&p.word, final)
	return attached, t
}

// lock locks the word of a pending promise and returns its previous value.
func (p *Promise[T]) lock() *node {
	for {
		switch head := p.word.Load(); head {
		case &busy, &contended:
			awaitUnlocked(&p.word)
		default:
			if p.word.CompareAndSwap(head, &busy) {
				return head
			}
		}
	}
}

// found reports, for the settler, whether head shows that anybody has attached. Only the settler changes the job of a
// node in the word.
func found(head *node) (attached bool, t *trace) {
	if head == nil {
		return false, nil
	}
	if b, ok := head.job.(*initial); ok {
		return false, b.trace
	}
	return true, nil
}

// outcome returns the rejection of a promise whose reactions are run, or nil if it was fulfilled. The final state may
// still have to be stored.
func (p *Promise[T]) outcome() *rejection {
	if p.word.Load() == &fulfilled {
		return nil
	}
	return p.awaitOutcome()
}

func (p *Promise[T]) awaitOutcome() *rejection {
	for {
		switch head := p.word.Load(); head {
		case &fulfilled:
			return nil
		case &busy, &contended:
			awaitUnlocked(&p.word)
		default:
			return head.job.(*rejection)
		}
	}
}

// look returns the rejection of a promise that is rejected, and whether it is settled.
func (p *Promise[T]) look() (r *rejection, settled bool) {
	for {
		switch head := p.word.Load(); head {
		case nil, &touched:
			return nil, false
		case &fulfilled:
			return nil, true
		case &busy, &contended:
			awaitUnlocked(&p.word)
		default:
			if p.word.CompareAndSwap(head, &busy) {
				r, settled = head.job.(*rejection)
				unlock(&p.word, head)
				return r, settled
			}
		}
	}
}
