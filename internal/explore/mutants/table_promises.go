package main

// Promises.
var promiseMutants = []mutant{
	{
		name: "settling publishes before it queues", issue: "8", in: "promise", test: "TestExploreReactions", most: 20000, quick: true,
		edits: []edit{{
			"promise",
			"\tif attached, t = found(head); attached && head != &touched {\n\t\t_ = p.loop.EnqueueJob(p.bind(head)) // refused when the loop has ended: then no reaction runs\n\t}\n\tunlock(&p.word, final)\n",
			"\tattached, t = found(head)\n\tunlock(&p.word, final)\n\tif attached && head != &touched {\n\t\t_ = p.loop.EnqueueJob(p.bind(head))\n\t}\n",
		}},
	},
	{
		name: "the owner publishes before it queues", in: "promise", test: "TestExploreReactions", most: 200000,
		edits: []edit{{
			"promise",
			"\t\tp.loop.Enqueue(head.job)\n\t\tif p.word.CompareAndSwap(head, final) {\n\t\t\thead.job = (*origin[T])(p)\n",
			"\t\tjob := head.job\n\t\tif p.word.CompareAndSwap(head, final) {\n\t\t\tp.loop.Enqueue(job)\n\t\t\thead.job = (*origin[T])(p)\n",
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
		edits: []edit{{"promise", "\t\tcase &busy, &contended:\n\t\t\tawaitUnlocked(&p.word)\n\t\tdefault:\n\t\t\treturn head.job.(*rejection)\n", "\t\tcase &busy, &contended:\n\t\t\treturn nil\n\t\tdefault:\n\t\t\treturn head.job.(*rejection)\n"}},
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
		name: "a waiter is used again that may still be woken", in: "promise", test: "TestExplorePromises", most: 50000, quick: true,
		edits: []edit{{"promise", "if !w.Wait(ctx.Done()) {\n\t\tr.gone.Store(true)\n\t\twaiters.End(w, false)", "if !w.Wait(ctx.Done()) {\n\t\tr.gone.Store(true)\n\t\twaiters.End(w, true)"}},
	},
	{
		name: "a goroutine that waits for a word is not woken", in: "promise", test: "TestExploreReactions", most: 50000,
		edits: []edit{{"promise", "if word.Swap(next) != &contended {", "if word.Swap(next); true {"}},
	},
	{
		name: "Wait forgets the end of the loop", in: "promise", test: "TestExplorePromises", most: 20000,
		edits: []edit{{".", "l.core.Waiters.Close()", ""}},
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
			{"js", "\tdefer func() {\n\t\te.mu.Lock()\n\t\tdefer e.mu.Unlock()\n\t\te.immediates.hosted = false", "\tend := func() {\n\t\te.mu.Lock()\n\t\tdefer e.mu.Unlock()\n\t\te.immediates.hosted = false"},
			{"js", "\t}()\n\tif any && !e.hooks.Closing() {\n\t\te.host(e.nextImmediate)\n\t}\n", "\t}\n\tif any && !e.hooks.Closing() {\n\t\te.host(e.nextImmediate)\n\t}\n\tend()\n"},
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
