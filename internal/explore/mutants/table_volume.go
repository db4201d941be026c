package main

// Faults of volume, which ordinary tests see.
var volumeMutants = []mutant{

	// Bounded queues, sources, callbacks within callbacks: bound.go, source.go, nested.go.
	{
		name: "one task too many waits", in: "loopsource", test: "TestExploreSources", most: 5000, quick: true,
		edits: []edit{{".", "if b.waiting.Load() >= b.limit {", "if b.waiting.Load() > b.limit {"}},
	},
	{
		name: "a task that ends badly keeps its place", in: "loopsource", test: "TestExploreSources", most: 5000,
		edits: []edit{{".", "\tif p == phaseExternal && l.bound != nil {\n\t\tl.bound.waiting.Add(-1)\n\t}\n\treturn callback{fn: b.Pop()}\n", "\tfn := b.Pop()\n\tif p == phaseExternal && l.bound != nil {\n\t\treturn callback{fn: func() { fn(); l.bound.waiting.Add(-1) }}\n\t}\n\treturn callback{fn: fn}\n"}},
	},
	{
		name: "a source drops an event without counting it", in: "loopsource", test: "TestExploreSources", most: 2000, quick: true,
		edits: []edit{{"loopsource", "\t\t\ts.events.Pop()\n\t\t\ts.stats.Dropped++\n", "\t\t\ts.events.Pop()\n"}},
	},
	{
		name: "the oldest event makes room for one that is refused then", in: "loopsource", test: "TestExploreSources", most: 20000,
		edits: []edit{{"loopsource", "\t\t\ts.events.Push(event)\n\t\t\ts.stats.Sent++\n\t\t\treturn nil, nil\n\t\tcase wait:", "\t\tcase wait:"}},
	},
	{
		name: "a source forgets its events at a shutdown", in: "loopsource", test: "TestExploreSources", most: 20000,
		edits: []edit{{"loopsource", "_ = s.loop.Post(s.deliver, true)", "_ = s.loop.Post(s.deliver, false)"}},
	},
	{
		name: "a sender gives up what it was given", in: "loopsource", test: "TestExploreSources", most: 20000,
		edits: []edit{{"loopsource", "\tif w.told {\n\t\treturn w.err\n\t}\n\ts.waiting.Remove(w.place)\n", "\ts.waiting.Remove(w.place)\n"}},
	},
	{
		name: "an event that runs lets no sender in", in: "loopsource", test: "TestExploreSources", most: 2000,
		edits: []edit{{"loopsource", "\ts.stats.Delivered++\n\ts.admit()\n", "\ts.stats.Delivered++\n"}},
	},
	{
		name: "senders are not told of the end of a source", in: "loopsource", test: "TestExploreSources", most: 5000,
		edits: []edit{{"loopsource", "for s.waiting.Len() > 0 {\n", "for false {\n"}},
	},
	{
		name: "no checkpoint follows a nested callback", in: "loopsource", test: "TestExploreSources", most: 2000,
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
		edits: []edit{{"promise", "min(len(m.items), m.limit))", "min(len(m.items), m.limit+1))"}},
	},
	{
		name: "a delay of Retry does not end with the context", in: "promise", test: "TestExploreWorks", most: 200000,
		edits: []edit{{"promise", "Sleep(r.ctx, public(r.loop), delay)", "Sleep(context.Background(), r.loop, delay)"}},
	},
	{
		name: "a function that panics keeps its place", in: "promise", test: "TestExploreWorks", most: 5000,
		edits: []edit{{"internal/blocking", "if t != nil { // it called", "if false { // it called"}},
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
		name: "a cancelled timer keeps its callback", issue: "7", in: "tests/contracts", test: "TestCancelledTimersLetGoOfTheirCallbacks",
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
		name: "all missed ticks are caught up at the end", issue: "11", in: "tests/contracts", test: "TestShutdownBoundsTheTicksThatAreCaughtUp",
		edits: []edit{{"internal/timers", "missed > CatchUpAtEnd {", "missed < 0 {"}},
	},
}
