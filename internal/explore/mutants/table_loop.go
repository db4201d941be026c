package main

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
			"\tif len(*jobs) == 1 {\n\t\tl.core.Attention.Or(inside.AttendJobs)\n\t}\n\tasleep := in.rouse(pendingJobs)\n\tin.mu.unlock()\n",
			"\tfirst := len(*jobs) == 1\n\tasleep := in.rouse(pendingJobs)\n\tin.mu.unlock()\n\tif first {\n\t\tl.core.Attention.Or(inside.AttendJobs)\n\t}\n",
		}},
	},
	{
		name: "attention is cleared after the lock is released", in: ".", test: "TestExploreLanes", most: 20000,
		edits: []edit{
			{".", "\tl.core.Attention.And(^inside.AttendJobs)\n", ""},
			{".", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n\t\tl.core.Attention.And(^inside.AttendJobs)\n"},
			{".", "\tl.takeLocked()\n\tl.in.mu.unlock()\n", "\tl.takeLocked()\n\tl.in.mu.unlock()\n\tl.core.Attention.And(^inside.AttendJobs)\n"},
		},
	},
	{
		name: "the owner's microtask overtakes others", in: ".", test: "TestExploreLanes", most: 5000,
		edits: []edit{{"internal/inside", "\tif c.Attention.Load()&AttendJobs != 0 {\n", "\tif false {\n"}},
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
		name: "a nest stays muted when nothing is found", in: ".", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll", "return p.muted && !p.unmute()", "return false"}},
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
		edits: []edit{{".", "\tl.core.Attention.Or(inside.AttendClose)\n", ""}},
	},
	{
		name: "Close drops what a shutdown has", in: ".", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "Microtasks: l.core.Micros.Len() + l.core.Afterward.Len() + len(in.micros),", "Microtasks: l.core.Micros.Len() + l.core.Afterward.Len(),"}},
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
