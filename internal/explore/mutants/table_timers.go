package main

// Waking for timers, and their phase.
var alarmMutants = []mutant{
	{
		name: "the alarm is not set nearer", in: "tests/explore", test: "TestExploreTimers", most: 2000, quick: true,
		edits: []edit{{".", "\tif when >= l.in.armed {\n", "\tif l.in.armed != never {\n"}},
	},
	{
		name: "the alarm counts as set when it has rung", in: "tests/explore", test: "TestExploreTimers", most: 2000,
		edits: []edit{{".", "\tin.armed = never\n", ""}},
	},
	{
		name: "the alarm does not wake the loop", in: "tests/explore", test: "TestExploreTimers", most: 200,
		edits: []edit{{".", "\tin.armed = never\n\tasleep := in.arrive(pendingNotice)\n", "\tin.armed = never\n\tasleep := false\n"}},
	},
	{
		name: "a new timer does not look whether the loop sleeps", in: "tests/explore", test: "TestExploreTimers", most: 2000,
		edits: []edit{{".", "asleep := l.alarmFor(when, ", "asleep := false && l.alarmFor(when, "}},
	},
	{
		name: "the owner's timer overtakes others", in: "tests/explore", test: "TestExploreTimers", most: 20000,
		edits: []edit{{".", "if l.timers.Waiting() == 1 {", "if l.timers.Waiting() == 0 {"}},
	},
	{
		name: "the clock is read after the timers are taken", issue: "8", in: "tests/explore", test: "TestExploreTimers", most: 200000,
		edits: []edit{{".", "return l.timers.Begin(now)", "return l.timers.Begin(l.now())"}},
	},
	{
		name: "a timer joins the phase that sets it", issue: "8", in: "tests/explore", test: "TestExploreEverything", most: 20000,
		edits: []edit{{"internal/timers", "if s.inPhase && e.When <= s.by {", "if false {"}},
	},
}

// Faults in the decision whether a timer fires, and in its state afterwards.
var timerMutants = []mutant{
	{
		name: "a firing is claimed without compare-and-swap", in: "tests/explore", test: "TestExploreTimers", most: 20000, quick: true,
		edits: []edit{{"internal/timers", "\t\t\tif !t.word.CompareAndSwap(w, w|idle|firing) {\n\t\t\t\tcontinue\n\t\t\t}\n", "\t\t\tt.word.Store(w | idle | firing)\n"}},
	},
	{
		name: "Stop does without compare-and-swap", in: "tests/explore", test: "TestExploreTimers", most: 50000,
		edits: []edit{{"internal/timers", "if t.word.CompareAndSwap(w, w|idle) {", "if t.word.Store(w | idle); true {"}},
	},
	{
		name: "the generation is not bumped", issue: "4", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 20000, quick: true,
		edits: []edit{{"internal/timers", "released := pack(h.gen+1,", "released := pack(h.gen,"}},
	},
	{
		name: "the version is not bumped at a reset", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 2000,
		edits: []edit{{"internal/timers", "v := (version(w) + 1) & versionMask\n\t\tif !t.word.CompareAndSwap(w, pack(h.gen", "v := version(w)\n\t\tif !t.word.CompareAndSwap(w, pack(h.gen"}},
	},
	{
		name: "the version is not checked", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 2000,
		edits: []edit{{"internal/timers", "return w&idle == 0 && version(w) == e.Version&versionMask", "return w&idle == 0"}},
	},
	{
		name: "a period is read of the timer's next user", issue: "1", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 1000000,
		edits: []edit{
			{"internal/timers", "\t\tif !r.live() {\n\t\t\ts.drop(&r.Entry)\n\t\t\ts.stale.Add(-1)\n\t\t\tcontinue\n\t\t}\n", ""},
			{"internal/timers", "r.missed.NextAtEnd(r.When, r.period, now, end)", "r.missed.NextAtEnd(r.When, r.Timer.delay, now, end)"},
			{"internal/timers", "\tperiod = max(period, 1)\n", ""},
		},
	},
	{
		name: "a timer is used again before its entry is gone", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 50000, quick: true,
		edits: []edit{{"internal/timers", "return e.Version&first != 0 && w&idle == 0", "return w&idle == 0"}},
	},
	{
		name: "a callback is forgotten while it is copied", in: "tests/explore", test: "TestExploreTimersUsedAgain", most: 200000,
		edits: []edit{{"internal/timers", "\t\tif w&firing == 0 {\n\t\t\tt.forget(released)\n\t\t}\n", "\t\tt.forget(released)\n"}},
	},
	{
		name: "a reference counts after the word says so", in: "tests/explore", test: "TestExploreReferences", most: 1000000,
		edits: []edit{{
			"internal/timers",
			"\t\tif counts && ref {\n\t\t\tt.store.options.Refs.Add(1)\n\t\t}\n\t\tdone := t.word.CompareAndSwap(w, w^unref)\n\t\tif counts && done != ref {\n",
			"\t\tdone := t.word.CompareAndSwap(w, w^unref)\n\t\tif counts && done && ref {\n\t\t\tt.store.options.Refs.Add(1)\n\t\t}\n\t\tif counts && done && !ref {\n",
		}},
	},
	{
		name: "a reset timer's old entry is not counted", in: "tests/explore", test: "TestExploreTimers", most: 200,
		edits: []edit{{"internal/timers", "\t\tcase w&idle == 0:\n\t\t\ts.stale.Add(1)\n", "\t\tcase w&idle == 0:\n"}},
	},
	{
		name: "an entry dropped while it is taken counts on", in: "tests/explore", test: "TestExploreTimers", most: 2000,
		edits: []edit{{"internal/timers", "\tif dropped > 0 {\n\t\ts.stale.Add(int32(-dropped))\n\t}\n", "\t_ = dropped\n"}},
	},
}
