package choose

// The names under which results hold figures beside the percentiles p50-ns, p90-ns, p99-ns, p99.9-ns and max-ns.
// Those are of the time from the intended start to the end of the callback. The prefix "start-" means the time to its
// start. "late-" is the generator's lateness in submitting, by its own fault or by a slow Submit. "queued-", on a
// busy machine, is the time from the submission to the start, without that lateness. "timer-late-" is the lateness of
// timers.
const (
	// Sustained is 1 if the loop kept up with the schedule, 0 if it fell behind.
	Sustained = "sustained"
	// Offered is the number of tasks that arrived in a second.
	Offered = "offered/s"
	// Capacity is the number of tasks in a second that the contestant could run at most.
	Capacity = "capacity/s"
	// Processor is the processor time for a task: that of the whole process, less the time in which the generator
	// waited for the next arrival. It includes the submission, the task with its two readings of the clock, wake-ups
	// and the loop's search for work. It is left out if the generator shares a processor with the loop, because the
	// two cannot be separated then.
	Processor = "processor-ns/op"
	// Heap is the greatest growth of the heap, garbage included.
	Heap = "heap-peak-B"
	// Shared is 1 if generators and loop outnumbered the processors.
	Shared = "shared-processor"
	// Oversubscribed is 1 if GOMAXPROCS was above the number of processors.
	Oversubscribed = "oversubscribed"
	// Limit100us and Limit1ms are the highest rates found at which the 99th percentile stayed within the limit, in tasks a
	// second, or 0.
	Limit100us = "p99-within-100us/s"
	Limit1ms   = "p99-within-1ms/s"
)
