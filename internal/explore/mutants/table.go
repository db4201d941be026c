package main

import "slices"

var mutants = slices.Concat(doorMutants, endMutants, descriptorMutants, alarmMutants, timerMutants, promiseMutants, jsMutants, volumeMutants)

// Taking work, waking, microtasks.
var doorMutants = []mutant{
	{
		name: "a submission does not wake the loop", in: ".", test: "TestExploreLanes", most: 100, quick: true,
		edits: []edit{{".", "asleep = in.rouse(1 << number)", "in.pending |= 1 << number"}},
	},
	{
		name: "a microtask does not wake the loop", in: ".", test: "TestExploreLanes", most: 2000,
		edits: []edit{{".", "asleep := in.rouse(pendingJobs)", "asleep := false\n\tin.pending |= pendingJobs"}},
	},
	{
		name: "two send a wake-up", in: ".", test: "TestExploreLanes", most: 5000,
		edits: []edit{{".", "\tin.sleeping = false\n", ""}},
	},
	{
		name: "the loop is marked asleep after the look", in: ".", test: "TestExploreLanes", most: 2000, quick: true,
		edits: []edit{
			{".", "\t\tin.sleeping = true\n", ""},
			{".", "\t\tl.trim()\n", "\t\tl.trim()\n\t\tin.sleeping = true\n"},
		},
	},
	{
		name: "what is pending is forgotten at a take", in: ".", test: "TestExploreLanes", most: 500,
		edits: []edit{{".", "\tp := in.pending\n", "\tp := in.pending\n\tif p&pendingExternal != 0 {\n\t\tp &^= pendingImmediates\n\t}\n"}},
	},
	{
		name: "attention is not set for a microtask", in: ".", test: "TestExploreLanes", most: 500,
		edits: []edit{{".", "if len(*jobs) == 1 {", "if len(*jobs) == 2 {"}},
	},
	{
		name: "attention is set after the lock is released", in: ".", test: "TestExploreLanes", most: 5000, quick: true,
		edits: []edit{{
			".",
			"\tif len(*jobs) == 1 {\n\t\tl.attention.Or(attendJobs)\n\t}\n\tasleep := in.rouse(pendingJobs)\n\tin.mu.unlock()\n",
			"\tfirst := len(*jobs) == 1\n\tasleep := in.rouse(pendingJobs)\n\tin.mu.unlock()\n\tif first {\n\t\tl.attention.Or(attendJobs)\n\t}\n",
		}},
	},
	{
		name: "attention is cleared after the lock is released", in: ".", test: "TestExploreLanes", most: 20000,
		edits: []edit{
			{".", "\tl.attention.And(^attendJobs)\n", ""},
			{".", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n\t\tl.attention.And(^attendJobs)\n"},
			{".", "\tl.takeLocked()\n\tl.in.mu.unlock()\n", "\tl.takeLocked()\n\tl.in.mu.unlock()\n\tl.attention.And(^attendJobs)\n"},
		},
	},
	{
		name: "the owner's microtask overtakes others", in: ".", test: "TestExploreLanes", most: 5000,
		edits: []edit{{".", "\tif o.l.attention.Load()&attendJobs != 0 {\n", "\tif false {\n"}},
	},
	{
		name: "Goexit ends the loop", issue: "9", in: ".", test: "TestExploreLanes", most: 2000,
		edits: []edit{{".", "\t\tdefer l.own() // deferred, for the handler may call Goexit in its turn\n", ""}},
	},
}

// Descriptors.
var descriptorMutants = []mutant{
	{
		name: "readiness does not wake the loop", in: ".", test: "TestExploreDescriptors", most: 2000, quick: true,
		edits: []edit{{".", "\tasleep := l.in.rouse(pendingIO)\n", "\tasleep := false\n\tl.in.pending |= pendingIO\n"}},
	},
	{
		name: "the loop asks what is ready once", in: ".", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{".", "\t\tl.guard(phaseIO)\n\t\tl.take()\n", "\t\tl.guard(phaseIO)\n\t\tl.ioReady = false\n\t\tl.take()\n"}},
	},
	{
		name: "events of an earlier registration are delivered", in: ".", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll", "return e.generation == ev.Generation", "return true"}},
	},
	{
		name: "a kqueue's events are good for later registrations", in: ".", test: "TestExploreDescriptors", most: 200000,
		edits: []edit{{"internal/netpoll", "return e.round != p.round", "return true"}},
	},
	{
		name: "a file that has a duplicate stays in the set", in: ".", test: "TestExploreDescriptors", most: 20000, quick: true,
		edits: []edit{{"internal/netpoll", "\t\t\tp.rebuild()\n\t\t\treturn\n", "\t\t\treturn\n"}},
	},
	{
		name: "a registration whose file was closed keeps its reference", in: ".", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{".", "\tif released {\n\t\tl.release()\n\t}\n\treturn fdError(what, fd, err)", "\treturn fdError(what, fd, err)"}},
	},
}

// Ends, and what puts them off.
var endMutants = []mutant{
	{
		name: "a task is accepted in any state", in: ".", test: "TestExploreEnds", most: 500, quick: true,
		edits: []edit{{".", "if in.state < stateNew || in.state > last {", "if in.state < stateNew {"}},
	},
	{
		name: "a shutdown does not wake the loop", in: ".", test: "TestExploreEnds", most: 100,
		edits: []edit{{".", "\tasleep := in.rouse(pendingNotice)\n\tin.mu.unlock()\n\tif asleep {\n\t\tsched.Send(l.wake)\n\t}\n\treturn err\n", "\tin.pending |= pendingNotice\n\tin.mu.unlock()\n\treturn err\n"}},
	},
	{
		name: "Close is not looked for between callbacks", in: ".", test: "TestExploreEnds", most: 5000, quick: true,
		edits: []edit{{".", "\tl.attention.Or(attendClose)\n", ""}},
	},
	{
		name: "Close drops what a shutdown has", in: ".", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "Microtasks: l.micros.Len() + l.afterward.Len() + len(in.micros),", "Microtasks: l.micros.Len() + l.afterward.Len(),"}},
	},
	{
		name: "the last token is given back without a look", in: ".", test: "TestExploreEnds", most: 2000, quick: true,
		edits: []edit{{".", "if l.live.Add(-1) == 0 && l.autoExit {", "if l.live.Add(-1); false {"}},
	},
	{
		name: "a token counts after the lock is released", in: ".", test: "TestExploreEnds", most: 50000,
		edits: []edit{{
			".",
			"\tdefer in.mu.unlock()\n\tif !in.accepting() {\n\t\treturn nil, in.refusal()\n\t}\n",
			"\tok, err := in.accepting(), in.refusal()\n\tin.mu.unlock()\n\tif !ok {\n\t\treturn nil, err\n\t}\n",
		}},
	},
	{
		name: "the last reference is dropped without a look", in: ".", test: "TestExploreReferences", most: 5000,
		edits: []edit{{"internal/timers", "if w&(idle|unref) == 0 && s.options.Refs.Add(-1) == 0 {\n\t\ts.options.Look()\n\t}", "if w&(idle|unref) == 0 {\n\t\ts.options.Refs.Add(-1)\n\t}"}},
	},
	{
		name: "a new timer is no reference", in: ".", test: "TestExploreReferences", most: 500,
		edits: []edit{{"internal/timers", "s.options.Refs.Add(refs)", "s.options.Refs.Add(0)"}},
	},
	{
		name: "Do starts without a compare-and-swap", in: ".", test: "TestExploreEnds", most: 50000, quick: true,
		edits: []edit{{".", "if !c.state.CompareAndSwap(callWaiting, callStarted) {", "started := c.state.Load() == callWaiting\n\tif started {\n\t\tc.state.Store(callStarted)\n\t}\n\tif !started {"}},
	},
	{
		name: "Do ignores a context that has ended", issue: "11", in: ".", test: "TestExploreEnds", most: 500,
		edits: []edit{{".", "\t\treturn ErrNilCallback\n\t}\n\tif ctx.Err() != nil {", "\t\treturn ErrNilCallback\n\t}\n\tif false {"}},
	},
	{
		name: "Do waits for a loop that has ended", in: ".", test: "TestExploreEnds", most: 5000,
		edits: []edit{{".", "sched.WaitAny(c.done, ctx.Done(), l.done)", "sched.WaitAny(c.done, ctx.Done(), nil)"}},
	},
	{
		name: "a shutdown forgets timers due at that time", in: ".", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "l.timers.Next() > l.in.stopAt", "l.timers.Next() >= l.in.stopAt"}},
	},
	{
		name: "a shutdown forgets timers that it has taken", in: ".", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "return l.holds == 0 && l.timers.Settled() && l.timers.Next()", "return l.holds == 0 && l.timers.Next()"}},
	},
}

// Waking for timers, and their phase.
var alarmMutants = []mutant{
	{
		name: "the alarm is not set nearer", in: ".", test: "TestExploreTimers", most: 2000, quick: true,
		edits: []edit{{".", "\tif when >= l.in.armed {\n", "\tif l.in.armed != never {\n"}},
	},
	{
		name: "the alarm counts as set when it has rung", in: ".", test: "TestExploreTimers", most: 2000,
		edits: []edit{{".", "\tin.armed = never\n", ""}},
	},
	{
		name: "the alarm does not wake the loop", in: ".", test: "TestExploreTimers", most: 200,
		edits: []edit{{".", "\tin.armed = never\n\tasleep := in.rouse(pendingNotice)\n", "\tin.armed = never\n\tasleep := false\n"}},
	},
	{
		name: "a new timer does not look whether the loop sleeps", in: ".", test: "TestExploreTimers", most: 2000,
		edits: []edit{{".", "asleep := l.alarmFor(when, ", "asleep := false && l.alarmFor(when, "}},
	},
	{
		name: "the owner's timer overtakes others", in: ".", test: "TestExploreTimers", most: 20000,
		edits: []edit{{".", "if l.timers.Waiting() == 1 {", "if l.timers.Waiting() == 0 {"}},
	},
	{
		name: "the clock is read after the timers are taken", issue: "8", in: ".", test: "TestExploreTimers", most: 200000,
		edits: []edit{{".", "return l.timers.Begin(now)", "return l.timers.Begin(l.now())"}},
	},
	{
		name: "a timer joins the phase that sets it", issue: "8", in: ".", test: "TestExploreEverything", most: 20000,
		edits: []edit{{"internal/timers", "if s.inPhase && e.When <= s.by {", "if false {"}},
	},
}

// What decides whether a timer fires, and what happens to it afterwards.
var timerMutants = []mutant{
	{
		name: "a firing is claimed without compare-and-swap", in: ".", test: "TestExploreTimers", most: 20000, quick: true,
		edits: []edit{{"internal/timers", "\t\t\tif !t.word.CompareAndSwap(w, w|idle|firing) {\n\t\t\t\tcontinue\n\t\t\t}\n", "\t\t\tt.word.Store(w | idle | firing)\n"}},
	},
	{
		name: "Stop does without compare-and-swap", in: ".", test: "TestExploreTimers", most: 50000,
		edits: []edit{{"internal/timers", "if t.word.CompareAndSwap(w, w|idle) {", "if t.word.Store(w | idle); true {"}},
	},
	{
		name: "the generation is not bumped", issue: "4", in: ".", test: "TestExploreTimersUsedAgain", most: 20000, quick: true,
		edits: []edit{{"internal/timers", "released := pack(h.gen+1,", "released := pack(h.gen,"}},
	},
	{
		name: "the version is not bumped at a reset", in: ".", test: "TestExploreTimersUsedAgain", most: 2000,
		edits: []edit{{"internal/timers", "v := (version(w) + 1) & versionMask\n\t\tif !t.word.CompareAndSwap(w, pack(h.gen", "v := version(w)\n\t\tif !t.word.CompareAndSwap(w, pack(h.gen"}},
	},
	{
		name: "the version is not checked", in: ".", test: "TestExploreTimersUsedAgain", most: 2000,
		edits: []edit{{"internal/timers", "return w&idle == 0 && version(w) == e.Version&versionMask", "return w&idle == 0"}},
	},
	{
		name: "a period is read of the timer's next user", issue: "1", in: ".", test: "TestExploreTimersUsedAgain", most: 1000000,
		edits: []edit{
			{"internal/timers", "\t\tif !r.live() {\n\t\t\ts.drop(&r.Entry)\n\t\t\ts.stale.Add(-1)\n\t\t\tcontinue\n\t\t}\n", ""},
			{"internal/timers", "r.missed.NextAtEnd(r.When, r.period, now, end)", "r.missed.NextAtEnd(r.When, r.Timer.delay, now, end)"},
			{"internal/timers", "\tperiod = max(period, 1)\n", ""},
		},
	},
	{
		name: "a timer is used again before its entry is gone", in: ".", test: "TestExploreTimersUsedAgain", most: 50000, quick: true,
		edits: []edit{{"internal/timers", "return e.Version&first != 0 && w&idle == 0", "return w&idle == 0"}},
	},
	{
		name: "a callback is forgotten while it is copied", in: ".", test: "TestExploreTimersUsedAgain", most: 200000,
		edits: []edit{{"internal/timers", "\t\tif w&firing == 0 {\n\t\t\tt.forget(released)\n\t\t}\n", "\t\tt.forget(released)\n"}},
	},
	{
		name: "a reference counts after the word says so", in: ".", test: "TestExploreReferences", most: 1000000,
		edits: []edit{{
			"internal/timers",
			"\t\tif counts && ref {\n\t\t\tt.store.options.Refs.Add(1)\n\t\t}\n\t\tdone := t.word.CompareAndSwap(w, w^unref)\n\t\tif counts && done != ref {\n",
			"\t\tdone := t.word.CompareAndSwap(w, w^unref)\n\t\tif counts && done && ref {\n\t\t\tt.store.options.Refs.Add(1)\n\t\t}\n\t\tif counts && done && !ref {\n",
		}},
	},
	{
		name: "a reset timer's old entry is not counted", in: ".", test: "TestExploreTimers", most: 200,
		edits: []edit{{"internal/timers", "\t\tcase w&idle == 0:\n\t\t\ts.stale.Add(1)\n", "\t\tcase w&idle == 0:\n"}},
	},
	{
		name: "an entry dropped while it is taken counts on", in: ".", test: "TestExploreTimers", most: 2000,
		edits: []edit{{"internal/timers", "\tif dropped > 0 {\n\t\ts.stale.Add(int32(-dropped))\n\t}\n", "\t_ = dropped\n"}},
	},
}

// Promises.
var promiseMutants = []mutant{
	{
		name: "settling publishes before it queues", issue: "8", in: "promise", test: "TestExploreReactions", most: 20000, quick: true,
		edits: []edit{{
			"promise",
			"\tif attached, t = found(head); attached && head != &touched {\n\t\t_ = p.loop.EnqueueJob(p.bind(head)) // refused when the loop has ended: then no reaction runs\n\t}\n\tp.word.Store(final)\n",
			"\tattached, t = found(head)\n\tp.word.Store(final)\n\tif attached && head != &touched {\n\t\t_ = p.loop.EnqueueJob(p.bind(head))\n\t}\n",
		}},
	},
	{
		name: "the owner publishes before it queues", in: "promise", test: "TestExploreReactions", most: 200000,
		edits: []edit{{
			"promise",
			"\t\tp.loop.Owner().Enqueue(head.job)\n\t\tif p.word.CompareAndSwap(head, final) {\n\t\t\thead.job = (*origin[T])(p)\n",
			"\t\tjob := head.job\n\t\tif p.word.CompareAndSwap(head, final) {\n\t\t\tp.loop.Owner().Enqueue(job)\n\t\t\thead.job = (*origin[T])(p)\n",
		}},
	},
	{
		name: "a reaction is queued twice", in: "promise", test: "TestExploreReactions", most: 50000,
		edits: []edit{{"promise", "attached, head = true, without(head, queued)", "attached = true"}},
	},
	{
		name: "a reaction is attached without compare-and-swap", in: "promise", test: "TestExploreReactions", most: 5000, quick: true,
		edits: []edit{{"promise", "if p.word.Load() != nil || !p.word.CompareAndSwap(nil, n) {\n\t\tp.attachNext(n)\n\t}", "if p.word.Load() != nil {\n\t\tp.attachNext(n)\n\t} else {\n\t\tp.word.Store(n)\n\t}"}},
	},
	{
		name: "a word is changed that is not locked", in: "promise", test: "TestExploreCombinators", most: 100000,
		edits: []edit{{"promise", "\t\t\tif !p.word.CompareAndSwap(head, &busy) {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tif _, rejected", "\t\t\tif _, rejected"}},
	},
	{
		name: "an outcome is taken before it is stored", in: "promise", test: "TestExploreReactions", most: 50000,
		edits: []edit{{"promise", "\t\tcase &busy:\n\t\t\tsched.Yield()\n\t\tdefault:\n\t\t\treturn head.job.(*rejection)\n", "\t\tcase &busy:\n\t\t\treturn nil\n\t\tdefault:\n\t\t\treturn head.job.(*rejection)\n"}},
	},
	{
		name: "two calls decide an outcome", in: "promise", test: "TestExplorePromises", most: 20000, quick: true,
		edits: []edit{{"promise", "return r.r != nil && !r.r.claimed.Load() && r.r.claimed.CompareAndSwap(false, true)", "if r.r == nil || r.r.claimed.Load() {\n\t\treturn false\n\t}\n\tr.r.claimed.Store(true)\n\treturn true"}},
	},
	{
		name: "a node that is shared is bound", in: "promise", test: "TestExploreCombinators", most: 5000, quick: true,
		edits: []edit{{"promise", "\tif s, ok := job.(*shared); ok {\n\t\treturn &entrant{s, (*origin[T])(p)}\n\t}\n", ""}},
	},
	{
		name: "a channel is not told of the end of its loop", in: "promise", test: "TestExplorePromises", most: 20000,
		edits: []edit{{"promise", "\t\t\tonEnd(p.loop, fresh)\n", ""}},
	},
	{
		name: "a promise of another loop is not", in: "promise", test: "TestExploreCombinators", most: 50000,
		edits: []edit{{"promise", "\t\t\tonEnd(p.loop, &crossingEnd[T]{weak.Make(p), weak.Make(fresh)})\n", ""}},
	},
	{
		name: "Await forgets the end of the loop", in: "promise", test: "TestExplorePromises", most: 20000,
		edits: []edit{{"promise", "sched.WaitAny(w.done, ctx.Done(), p.loop.Done())", "sched.WaitAny(w.done, ctx.Done(), nil)"}},
	},
}

// JavaScript's timers.
var jsMutants = []mutant{
	{
		name: "a refused Refresh counts", issue: "5", in: "js", test: "TestExploreEnv", most: 200000,
		edits: []edit{
			{"js", "func (e *Env) begin(t *Timeout) error {\n", "func (e *Env) begin(t *Timeout) error {\n\tidle := t.idle\n\tt.idle = false\n"},
			{"js", "\tcounts := t.idle && !t.unref\n", "\tcounts := idle && !t.unref\n"},
		},
	},
	{
		name: "Goexit loses the rest of a batch", issue: "9", in: "js", test: "TestExploreEnv", most: 20000, quick: true,
		edits: []edit{
			{"js", "\tdefer func() { // also when a callback ends the goroutine: the rest of the batch waits for the next check phase\n", "\tend := func() {\n"},
			{"js", "\t}()\n\tif any && !e.owner.Closing() {\n\t\te.host(e.nextImmediate)\n\t}\n", "\t}\n\tif any && !e.owner.Closing() {\n\t\te.host(e.nextImmediate)\n\t}\n\tend()\n"},
		},
	},
	{
		name: "Close leaves the interval in progress", issue: "9", in: "js", test: "TestExploreEnv", most: 20000,
		edits: []edit{{"js", "\tfor e.timers.running.head != nil { // intervals would be set anew\n\t\te.timers.running.head.close()\n\t}\n", ""}},
	},
	{
		name: "a shutdown does not wait for a millisecond", issue: "9", in: "js", test: "TestExploreEnv", most: 200000,
		edits: []edit{{"js", "\te.wait(armed && e.awaited.ms != never)\n", "\te.wait(false)\n"}},
	},
	{
		name: "an immediate without reference counts as one", in: "js", test: "TestExploreEnv", most: 5000,
		edits: []edit{{"js", "\tif !m.unref {\n\t\tm.env.immediates.refs--\n\t}\n", "\tm.env.immediates.refs--\n"}},
	},
}

// Faults of volume, which ordinary tests see.
var volumeMutants = []mutant{

	// Bounded queues, sources, callbacks within callbacks: bound.go, source.go, nested.go.
	{
		name: "one task too many waits", in: ".", test: "TestExploreSources", most: 5000, quick: true,
		edits: []edit{{".", "if b.waiting.Load() >= b.limit {", "if b.waiting.Load() > b.limit {"}},
	},
	{
		name: "a task that ends badly keeps its place", in: ".", test: "TestExploreSources", most: 5000,
		edits: []edit{{".", "\t\t\tb.waiting.Add(-1)\n\t\t\tfn()\n", "\t\t\tfn()\n\t\t\tb.waiting.Add(-1)\n"}},
	},
	{
		name: "a source drops an event without counting it", in: ".", test: "TestExploreSources", most: 2000, quick: true,
		edits: []edit{{".", "\t\t\ts.events.Pop()\n\t\t\ts.stats.Dropped++\n", "\t\t\ts.events.Pop()\n"}},
	},
	{
		name: "a source forgets its events at a shutdown", in: ".", test: "TestExploreSources", most: 20000,
		edits: []edit{{".", "_ = s.loop.post(stateStopping, s.deliver)", "_ = s.loop.post(stateRunning, s.deliver)"}},
	},
	{
		name: "a sender gives up what it was given", in: ".", test: "TestExploreSources", most: 20000,
		edits: []edit{{".", "\tif w.told {\n\t\treturn w.err\n\t}\n\ts.waiting.Remove(w.place)\n", "\ts.waiting.Remove(w.place)\n"}},
	},
	{
		name: "an event that runs lets no sender in", in: ".", test: "TestExploreSources", most: 2000,
		edits: []edit{{".", "\ts.stats.Delivered++\n\ts.admit()\n", "\ts.stats.Delivered++\n"}},
	},
	{
		name: "senders are not told of the end of a source", in: ".", test: "TestExploreSources", most: 5000,
		edits: []edit{{".", "for s.waiting.Len() > 0 {\n", "for false {\n"}},
	},
	{
		name: "no checkpoint follows a nested callback", in: ".", test: "TestExploreSources", most: 2000,
		edits: []edit{{".", "for l.jobsWaiting() || l.inMicros {", "for false {"}},
	},

	// Work of package promise: coroutine*.go, promisify.go, retry.go, withtimeout.go, map.go.
	{
		name: "a coroutine is not resumed when the loop ends", in: "promise", test: "TestExploreWorks", most: 2000, quick: true,
		edits: []edit{{"internal/coroutine", "for g.first != nil {", "for false {"}},
	},
	{
		name: "a coroutine is resumed twice", in: "promise", test: "TestExploreWorks", most: 20000,
		edits: []edit{{"promise", "\t\tw.c.resume()\n\t}\n}", "\t\tw.c.resume()\n\t\tw.c.resume()\n\t}\n}"}},
	},
	{
		name: "a coroutine does not hear of its context", in: "promise", test: "TestExploreWorks", most: 5000,
		edits: []edit{{"promise", "if a.ctx.Done() != nil {", "if false {"}},
	},
	{
		name: "a time-out does not end the context of the work", in: "promise", test: "TestExploreWorks", most: 5000, quick: true,
		edits: []edit{{"promise", "\tl.forget[0]()\n\tl.cancel()\n", "\tl.forget[0]()\n"}},
	},
	{
		name: "Map begins one item too many", in: "promise", test: "TestExploreWorks", most: 5000,
		edits: []edit{{"promise", "n = min(n, m.limit)", "n = min(n, m.limit+1)"}},
	},
	{
		name: "a delay of Retry does not end with the context", in: "promise", test: "TestExploreWorks", most: 200000,
		edits: []edit{{"promise", "Sleep(r.ctx, r.loop, delay)", "Sleep(context.Background(), r.loop, delay)"}},
	},
	{
		name: "a function that panics keeps its place", in: "promise", test: "TestExploreWorks", most: 5000,
		edits: []edit{{"internal/blocking", "if t != nil { // it called", "if false { // it called"}},
	},
	{
		name: "Tap does not pass on a rejection", in: "promise", test: "TestExploreCompositions", most: 5000,
		edits: []edit{{"promise", "\t\tfn(p.value, nil)\n\t}\n\tt.copyOnLoop(p)\n", "\t\tfn(p.value, nil)\n\t}\n\tif r == nil {\n\t\tt.copyOnLoop(p)\n\t}\n"}},
	},

	// Signals of package js: abort*.go, eventdispatch.go.
	{
		name: "a signal made while its source aborts is not told", in: "js", test: "TestExploreSignals", most: 50000,
		edits: []edit{{"js", "\t\tif s != nil && s.Aborted() {\n\t\t\td.mark(", "\t\tif false {\n\t\t\td.mark("}},
	},
	{
		name: "two calls abort a signal", in: "js", test: "TestExploreSignals", most: 20000, quick: true,
		edits: []edit{{"js", "\ts.mu.Lock()\n\tif s.Aborted() {\n\t\ts.mu.Unlock()\n\t\treturn nil, false\n\t}\n", "\tif s.Aborted() {\n\t\treturn nil, false\n\t}\n\ts.mu.Lock()\n"}},
	},
	{
		name: "a listener for one event stays", in: "js", test: "TestExploreSignals", most: 5000,
		edits: []edit{{"js", "\tif r.once {\n\t\trelease = t.unlink(r)\n\t}\n", ""}},
	},

	{
		name: "spare batches are not used", issue: "2", in: "internal/queue", test: "TestABacklogThatIsNeverEmptyNeitherGrowsNorAllocates",
		edits: []edit{{"internal/queue", "for b.spare.n > 0 && q.spare.n < SpareBatches {", "for false {"}},
	},
	{
		name: "races leave what is over behind", issue: "3", in: "promise", test: "TestRacesAgainstAPromiseWithOtherReactionsStayFlatInMemory",
		edits: []edit{{"promise", "\t\tif !abandoned(n) {\n", "\t\tif true {\n"}},
	},
	{
		name: "numbers of timers come round", issue: "4", in: "js", test: "TestIdentifiersRiseAndAreNeverUsedAgain",
		edits: []edit{{"js", "\td.last++\n", "\td.last = d.last%(1<<12) + 1\n"}},
	},
	{
		name: "all arrivals are pruned at once", issue: "6", in: "internal/timers", test: "TestSchedulingPrunesAFewChunksAtATime",
		edits: []edit{{"internal/timers", "for range pruneStep {", "for range 1 << 20 {"}},
	},
	{
		name: "pruning drops an entry that counts", in: "internal/timers", test: "TestStore.*",
		edits: []edit{{"internal/timers", "w.n += copy(w.e[w.n:], c.e[:kept])", "copy(w.e[w.n:], c.e[:kept])"}},
	},
	{
		name: "a cancelled timer keeps its callback", issue: "7", in: "contracts", test: "TestCancelledTimersLetGoOfTheirCallbacks",
		edits: []edit{{"internal/timers", "\tt.fn = nil\n\tt.word.Store(w &^ (firing | idle))", "\tt.word.Store(w &^ (firing | idle))"}},
	},
	{
		name: "the order of equal deadlines is lost", issue: "8", in: "internal/timers", test: "TestQueueIsInTheOrderOfANaiveOne",
		edits: []edit{{"internal/timers", "return int32(e.Seq-o.Seq) < 0", "return int32(o.Seq-e.Seq) < 0"}},
	},
	{
		name: "a stack is formatted to its end", issue: "10", in: "internal/stacktrace", test: "TestADeepStackIsCutOff",
		edits: []edit{{"internal/stacktrace", "const frames = 64", "const frames = 4096"}},
	},
	{
		name: "all missed ticks are caught up at the end", issue: "11", in: "contracts", test: "TestShutdownBoundsTheTicksThatAreCaughtUp",
		edits: []edit{{"internal/timers", "missed > CatchUpAtEnd {", "missed < 0 {"}},
	},
}
