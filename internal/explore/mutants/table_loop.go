package main

// Taking work, waking, microtasks.
var ingressMutants = []mutant{
	{
		name: "a submission does not wake the loop", in: "tests/explore", test: "TestExploreLanes", most: 100, quick: true,
		edits: []edit{{".", "\tif asleep {\n\t\tl.unpark()\n\t} else if behind {", "\tif behind {"}},
	},
	{
		name: "a microtask does not wake the loop", in: "tests/explore", test: "TestExploreLanes", most: 2000,
		edits: []edit{{".", "asleep := in.arrive(pendingJobs)", "asleep := false\n\tin.pending |= pendingJobs"}},
	},
	{
		name: "two send a wake-up", in: "tests/explore", test: "TestExploreLanes", most: 5000,
		edits: []edit{{".", "\tasleep = in.sleeping\n\tin.sleeping = false\n", "\tasleep = in.sleeping\n"}},
	},
	{
		name: "a task that is handed over leaves the loop marked as asleep", in: "tests/explore", test: "TestExploreLanes", most: 5000, quick: true,
		edits: []edit{{".", "\t\tin.sleeping = false\n\t\tin.handed = fn\n", "\t\tin.handed = fn\n"}},
	},
	{
		name: "a task that is handed over runs though Close was called", in: "tests/explore", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "if l.core.Attention.Load() == 0 && l.timers.Empty() &&", "if l.timers.Empty() &&"}, {".", "if l.observed == nil {\n\t\topen = l.checkpoint()", "if l.observed == nil {\n\t\topen = l.checkpoint() || true"}},
	},
	{
		name: "the loop is marked asleep after the look", in: "tests/explore", test: "TestExploreLanes", most: 2000, quick: true,
		edits: []edit{
			{".", "\t\tin.sleeping = true\n", ""},
			{".", "\t\tl.owner.Store(0)\n\t\treturn idle\n", "\t\tl.owner.Store(0)\n\t\tin.sleeping = true\n\t\treturn idle\n"},
		},
	},
	{
		name: "what is pending is forgotten at a take", in: "tests/explore", test: "TestExploreLanes", most: 500,
		edits: []edit{{".", "\tp := in.pending\n", "\tp := in.pending\n\tif p&pendingExternal != 0 {\n\t\tp &^= pendingImmediates\n\t}\n"}},
	},
	{
		name: "attention is not set for a microtask", in: "tests/explore", test: "TestExploreLanes", most: 500,
		edits: []edit{{".", "if len(*jobs) == 1 {", "if len(*jobs) == 2 {"}},
	},
	{
		name: "attention is set after the lock is released", in: "tests/explore", test: "TestExploreLanes", most: 5000, quick: true,
		edits: []edit{{
			".",
			"\tif len(*jobs) == 1 {\n\t\tl.core.Attention.Or(inside.AttendJobs)\n\t}\n\tasleep := in.arrive(pendingJobs)\n\tin.mu.unlock()\n",
			"\tfirst := len(*jobs) == 1\n\tasleep := in.arrive(pendingJobs)\n\tin.mu.unlock()\n\tif first {\n\t\tl.core.Attention.Or(inside.AttendJobs)\n\t}\n",
		}},
	},
	{
		name: "attention is cleared after the lock is released", in: "tests/explore", test: "TestExploreLanes", most: 20000,
		edits: []edit{
			{".", "\tl.core.Attention.And(^inside.AttendJobs)\n", ""},
			{".", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n", "\t\tl.takeJobs()\n\t\tl.in.mu.unlock()\n\t\tl.core.Attention.And(^inside.AttendJobs)\n"},
			{".", "\tl.takeLocked()\n\tl.in.mu.unlock()\n", "\tl.takeLocked()\n\tl.in.mu.unlock()\n\tl.core.Attention.And(^inside.AttendJobs)\n"},
		},
	},
	{
		name: "the owner's microtask overtakes others", in: "tests/explore", test: "TestExploreLanes", most: 5000,
		edits: []edit{{"internal/inside", "a&(AttendJobs|AttendNew) != 0 {\n", "a&AttendNew != 0 {\n"}},
	},
	{
		name: "Goexit ends the loop", issue: "9", in: "tests/explore", test: "TestExploreLanes", most: 2000,
		edits: []edit{{".", "\t\tdefer l.runLoop() // deferred, because the handler may call Goexit too\n", ""}},
	},
}

// Descriptors.
var descriptorMutants = []mutant{
	{
		name: "readiness does not wake the loop", in: "tests/explore", test: "TestExploreDescriptors", most: 2000, quick: true,
		edits: []edit{{".", "\tasleep := l.in.arrive(pendingIO)\n", "\tasleep := false\n\tl.in.pending |= pendingIO\n"}},
	},
	{
		name: "the loop asks what is ready once", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{".", "\t\tl.runPhase(phaseIO)\n\t\tl.take()\n", "\t\tl.runPhase(phaseIO)\n\t\tl.ioReady = false\n\t\tl.take()\n"}},
	},
	{
		name: "events of an earlier registration are delivered", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll", "return e.generation == ev.Generation", "return true"}},
	},
	{
		name: "a kqueue's events are good for later registrations", in: "tests/explore", test: "TestExploreDescriptors", most: 200000,
		edits: []edit{{"internal/netpoll", "return e.round != p.round", "return true"}},
	},
	{
		name: "a file that has a duplicate stays in the set", in: "tests/explore", test: "TestExploreDescriptors", most: 20000, quick: true,
		edits: []edit{{"internal/netpoll", "\t\t\tp.rebuild()\n\t\t\treturn\n", "\t\t\treturn\n"}},
	},
	{
		name: "the notifier stays disabled when nothing is found", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll", "return p.disabled && !p.enable()", "return false"}},
	},
	{
		name: "a registration whose file was closed keeps its reference", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{".", "\tif released {\n\t\tw.loop.release()\n\t}\n\treturn watchError(\"unregister\"", "\treturn watchError(\"unregister\""}},
	},
	{
		name: "a paused descriptor stays in the set", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll/simulated", "m.disabled = m.once", "m.disabled = false"}},
	},
	{
		name: "a pause does not begin", in: "tests/explore", test: "TestExploreDescriptors", most: 20000,
		edits: []edit{{"internal/netpoll", "case e.events == 0:\n\t\t\t\tevents &^= e.reported", "case false:\n\t\t\t\tevents &^= e.reported"}, {"internal/netpoll/simulated", "m.disabled = m.once", "m.disabled = false"}},
	},
}

// Ends, and resources that delay them.
var endMutants = []mutant{
	{
		name: "a task is accepted in any state", in: "tests/explore", test: "TestExploreEnds", most: 500, quick: true,
		edits: []edit{{".", "if in.state < stateNew || in.state > last {", "if in.state < stateNew {"}},
	},
	{
		name: "a shutdown does not wake the loop", in: "tests/explore", test: "TestExploreEnds", most: 100,
		edits: []edit{{".", "\tasleep := in.arrive(pendingNotice)\n\tin.mu.unlock()\n\tif asleep {\n\t\tl.unpark()\n\t}\n\tfor", "\tin.pending |= pendingNotice\n\tin.mu.unlock()\n\tfor"}},
	},
	{
		name: "Close is not looked for between callbacks", in: "tests/explore", test: "TestExploreEnds", most: 5000, quick: true,
		edits: []edit{{".", "\tl.core.Attention.Or(inside.AttendClose)\n", ""}},
	},
	{
		name: "Close drops what a shutdown has", in: "tests/explore", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "Microtasks: l.core.Micros.Len() + l.core.Afterward.Len() + len(in.micros),", "Microtasks: l.core.Micros.Len() + l.core.Afterward.Len(),"}},
	},
	{
		name: "the last token is given back without a look", in: "tests/explore", test: "TestExploreEnds", most: 2000, quick: true,
		edits: []edit{{".", "if l.live.Add(-1) == 0 && l.autoExit {", "if l.live.Add(-1); false {"}},
	},
	{
		name: "a token counts after the lock is released", in: "tests/explore", test: "TestExploreEnds", most: 50000,
		edits: []edit{{
			".",
			"\tdefer l.in.mu.unlock()\n\tif !l.in.accepting() {\n\t\treturn l.in.refusal()\n\t}\n\tl.live",
			"\tok, err := l.in.accepting(), l.in.refusal()\n\tl.in.mu.unlock()\n\tif !ok {\n\t\treturn err\n\t}\n\tl.live",
		}},
	},
	{
		name: "the last reference is dropped without a look", in: "tests/explore", test: "TestExploreReferences", most: 5000,
		edits: []edit{{"internal/timers", "if w&(idle|unref) == 0 && s.options.Refs.Add(-1) == 0 {\n\t\ts.options.Look()\n\t}", "if w&(idle|unref) == 0 {\n\t\ts.options.Refs.Add(-1)\n\t}"}},
	},
	{
		name: "a new timer is no reference", in: "tests/explore", test: "TestExploreReferences", most: 500,
		edits: []edit{{"internal/timers", "s.options.Refs.Add(refs)", "s.options.Refs.Add(0)"}},
	},
	{
		name: "Do starts without a compare-and-swap", in: "tests/explore", test: "TestExploreEnds", most: 50000, quick: true,
		edits: []edit{{".", "\tif !c.state.CompareAndSwap(callWaiting, callStarted) {", "\tstarted := c.state.Load() == callWaiting\n\tif started {\n\t\tc.state.Store(callStarted)\n\t}\n\tif !started {"}, {".", "if c.state.CompareAndSwap(callWaiting, callAbandoned) {\n\t\tc.fn = nil\n\t}", "c.state.CompareAndSwap(callWaiting, callAbandoned)"}},
	},
	{
		name: "Do ignores a context that has ended", issue: "11", in: "tests/explore", test: "TestExploreEnds", most: 500,
		edits: []edit{{".", "\t\treturn inside.ErrNilCallback\n\t}\n\tif ctx.Err() != nil {", "\t\treturn inside.ErrNilCallback\n\t}\n\tif false {"}},
	},
	{
		name: "Do waits for a loop that has ended", in: "tests/explore", test: "TestExploreEnds", most: 5000,
		edits: []edit{{".", "l.core.Waiters.Close()", ""}},
	},
	{
		name: "a shutdown forgets timers due at that time", in: "tests/explore", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "l.timers.Next() > l.in.stopAt", "l.timers.Next() >= l.in.stopAt"}},
	},
	{
		name: "a shutdown forgets timers that it has taken", in: "tests/explore", test: "TestExploreEnds", most: 20000,
		edits: []edit{{".", "return l.holds == 0 && l.timers.Settled() && l.timers.Next()", "return l.holds == 0 && l.timers.Next()"}},
	},
}
