// Package explore runs a concurrent program under many schedules, one goroutine at a time, and repeats any of them
// exactly: what loom and shuttle are for Rust.
//
// The program synchronises through this package's mutexes, atomics, channel operations, timers and clock. Outside a run
// they are Go's own. In a run every operation is a point of choice: before it is done, the goroutine that goes on asks the
// strategy who goes on next, and hands over if that is another. What lies between two operations is not interrupted, so
// the program must not communicate in any other way; that it does not is the race detector's to say, in ordinary builds.
//
// # Schedules
//
// A schedule comes from a seed, by a random walk or by PCT (Burckhardt and others, 2010), or is the next of all those with
// at most so many preemptions: [Random], [Exhaust]. Memory is sequentially consistent, as Go's atomics are. Time is virtual:
// it jumps to the next timer when nobody can go on, and a random schedule may let some pass whenever the clock is read.
//
// A run fails when a goroutine panics, a check calls [Fail], nobody can go on and no timer is set, or it has not ended after
// so many operations. A failure has its schedule as a list of decisions. [Replay] repeats it with a trace; [Shrink] looks
// for one with fewer decisions. Goroutines of a run that fails stay where they are and keep their memory.
//
// # Programs
//
// A [Family] makes programs at random, of operations that are data, and explores each under some schedules for as long as
// the environment says:
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
// It knows nothing of event loops, and could be a module of its own. What a user has to do is what
// [github.com/eventloop-go/eventloop/internal/sched] does: import the synchronisation from a package of theirs, which is
// Go's under one build tag and this one's under another. What is missing for that is WaitGroup, RWMutex, Once, Cond and
// channels that carry values; a select is one of three channels of tokens. Those are small; that code which blocks in any
// other way, in a library for example, stops a run, is what cannot be helped. testing/synctest has virtual time and
// deadlocks for unchanged code, but does not choose who goes on. So: worth publishing once a second program uses it, and
// not before, for its interface has served one so far.
package explore
