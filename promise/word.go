package promise

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A node is what the word of a promise points to. Most are reactions: the job that runs when the promise is settled.
//
// Job changes its meaning once. As long as the node is in the word or the list of a promise, it is the object that
// holds the node. When the promise is settled, that object is queued, and job becomes the promise it was attached to,
// which it takes the outcome from. So a reaction has no room for its promise, nor a list for links.
//
// Job may be read by whoever holds the lock of the word that leads to the node (see below), by the goroutine that has
// taken the node out to queue it, and when it has run, by its owner.
type node struct {
	job inside.Job
}

// The word of a promise holds both its state and its reactions. It points to
//
//	nil          pending, nobody has attached
//	&touched     pending; somebody has attached and gone
//	&busy        locked by somebody who settles the promise, changes its reactions or looks at a node
//	&fulfilled   fulfilled; value holds the value
//	another node, whose job is
//	             *rejection  rejected
//	             *bottom     pending, no reaction: see bottom
//	             *several    pending, reactions in the order of attaching
//	             another     pending, one reaction
//
// The word is its own lock. Whoever finds one of the last kinds swaps &busy for it, looks or changes, and stores what
// is to follow; the others look again after yielding. No foreign code runs meanwhile, but settling queues a job, so
// the lock may be held for as long as it takes to get the loop's lock. Whoever finds nil or &touched needs no lock: one
// compare-and-swap attaches the first reaction, or settles.
//
// One goroutine settles. Which one has been decided before, by the claim of a resolver, or because a promise that Then
// returns is settled by one reaction only. It writes the value, swaps &busy for the word, queues the reactions that it
// finds there, and stores the final state. settleOnLoop has a shorter way.
//
// None is lost, none runs twice: a reaction is either in what the settler finds, or it is attached by somebody who has
// seen the final state and queues it himself.
//
// Order. A job that the loop has accepted before a reaction was attached is ahead of that reaction: it was accepted
// before the settler found the reaction in the word, and the settler queues after that; Enqueue first moves in
// what other goroutines have queued. A reaction attached after the promise has settled is behind those attached
// before: who attaches it has seen the final state, which is stored when those are queued.
//
// Happens before. The value, or the rejection, is written before the final state is stored, and read by whoever has
// seen it. Reactions may be run before it is stored; they wait for it (outcome).
var touched, busy, fulfilled node

// A bottom is the node of a promise that has no reaction but something to remember until the first is attached.
type bottom struct {
	node
	trace *trace // where the promise was made, or nil
	held  func() // to call, with the word locked, when a reaction is attached; or nil
}

func (*bottom) Run() {}

// start makes p a pending promise of loop.
func (p *Promise[T]) start(loop *core) {
	p.loop = loop
	if tracing.Load() {
		p.startTraced()
	}
}

func (p *Promise[T]) startTraced() { p.setBottom(&bottom{trace: newTrace()}) }

func (p *Promise[T]) setBottom(b *bottom) {
	b.job = b
	p.word.Store(&b.node)
}

// An origin is a promise as the job of a node that was attached to it.
type origin[T any] Promise[T]

func (*origin[T]) Run() {}

// from returns the promise that a node, whose object has been queued, was attached to.
func from[T any](n *node) *Promise[T] { return (*Promise[T])(n.job.(*origin[T])) }

// bind tells n the promise that it was attached to, and returns the job to queue.
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

// touch notes on a pending promise that somebody attends to it, without a reaction. It may be called when that is not
// possible so simply, and then reports false.
func (p *Promise[T]) touch() bool {
	head := p.word.Load()
	return head == &touched || head == nil && p.word.CompareAndSwap(nil, &touched)
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
		case &busy:
			sched.Yield()
		default:
			if !p.word.CompareAndSwap(head, &busy) {
				continue
			}
			switch job := head.job.(type) {
			case *several:
				job.add(n, mayLeave)
				p.word.Store(head)
				return false
			case *rejection:
				p.word.Store(head)
				job.handle()
				return true
			}
			p.word.Store(join(head, n, mayLeave, p.loop))
			return false
		}
	}
}

// settle gives a pending promise its final state and queues the reactions, from any goroutine. It tells whether
// somebody had attached, and the trace of a promise that nobody had.
func (p *Promise[T]) settle(final *node) (attached bool, t *trace) {
	head := p.word.Load()
	if (head == nil || head == &touched) && p.word.CompareAndSwap(head, final) {
		return head != nil, nil
	}
	head = p.lock()
	if attached, t = found(head); attached && head != &touched {
		_ = p.loop.EnqueueJob(p.bind(head)) // refused when the loop has ended: then no reaction runs
	}
	p.word.Store(final)
	return attached, t
}

// settleOnLoop is settle for the loop's own goroutine. What it queues does not run before it returns.
//
// So one reaction, the common case, needs no lock: its job is queued, then the word is changed. If somebody has
// attached in between, what is found in the word is queued as well, without that reaction.
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
	case nil, *bottom, *several, *shared:
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
	p.word.Store(final)
	return attached, t
}

// lock locks the word of a pending promise and returns what it was.
func (p *Promise[T]) lock() *node {
	for {
		if head := p.word.Swap(&busy); head != &busy {
			return head
		}
		sched.Yield()
	}
}

// found tells the settler, who alone changes the job of a node in the word, what head says of those who attached.
func found(head *node) (attached bool, t *trace) {
	if head == nil {
		return false, nil
	}
	if b, ok := head.job.(*bottom); ok {
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
		case &busy:
			sched.Yield()
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
		case &busy:
			sched.Yield()
		default:
			if p.word.CompareAndSwap(head, &busy) {
				r, settled = head.job.(*rejection)
				p.word.Store(head)
				return r, settled
			}
		}
	}
}
