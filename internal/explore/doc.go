// Package explore runs a concurrent program under many schedules, one goroutine at a time, and repeats any of them
// exactly: what loom and shuttle are for Rust.
//
// The program synchronises through this package's mutexes, atomics, channel operations, timers and clock. Outside a
// run they are Go's own. In a run every operation is a point of choice: before it, the running goroutine asks the
// strategy for the next goroutine, and hands over if that is another. Code between two operations is not interrupted,
// so the program must not communicate in any other way. The race detector checks that in ordinary builds.
//
// # Schedules
//
// A schedule comes from a seed, by a random walk or by PCT (Burckhardt and others, 2010), or from an enumeration of
// all schedules with at most so many preemptions: [Random], [Exhaust]. Memory is sequentially consistent, as Go's
// atomics are. Time is virtual: it jumps to the next timer when all goroutines are blocked, and a random schedule may
// let some pass whenever the clock is read.
//
// A run fails in four cases: a goroutine panics, a check calls [Fail], all goroutines are blocked and no timer is
// set, or the run exceeds its number of operations. A failure has its schedule as a list of decisions. [Replay]
// repeats it with a trace; [Shrink] looks for one with fewer decisions. Goroutines of a failed run stay blocked and
// keep their memory.
//
// # Programs
//
// A [Family] makes random programs, of operations that are data. It explores each under some schedules, for the time
// that the environment sets:
//
//	EXPLORE_SECONDS     how long, for each family; 3 by default
//	EXPLORE_SCHEDULES   how many schedules instead
//	EXPLORE_SEED        where to begin; 1 by default
//	EXPLORE_WITHOUT     operations to leave out, with commas between
//	EXPLORE_KEEP_GOING  anything: list one failure of each class instead of ending at the first
//	EXPLORE_RAW         anything: do not shrink a failure
//	EXPLORE_REPLAY      what a failure has printed
//
// A program that fails is shrunk together with its schedule, and printed with the command that repeats it.
//
// # For others?
//
// The package does not depend on event loops and could be a module of its own. Users would do as
// [github.com/eventloop-go/eventloop/internal/sched] does: import the synchronisation from a package of theirs, which
// is Go's under one build tag and this one's under another. WaitGroup, RWMutex, Once, Cond and channels that carry
// values are missing; a select is one of three channels of tokens. These would be small additions. One limit would
// remain: code that blocks in any other way, in a library for example, stops a run. testing/synctest has virtual time
// and deadlock detection for unchanged code, but does not choose the next goroutine. So this package is worth
// publishing once a second program uses it. Its interface has served only one so far.
package explore
