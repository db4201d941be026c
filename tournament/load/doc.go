// Package load holds the open-loop categories of the tournament: tasks arrive on a schedule that does not wait for the
// loop, as requests do that come from outside.
//
// A closed loop, which submits the next task when the last one has run, submits less while the loop stalls, and so hides
// the stall (coordinated omission). Here every task has a time at which it should start, fixed beforehand, and its latency
// counts from that time: to the start of its callback, and to its end. What a stall delays is in the figures of every task
// that it delays.
//
// The generator never sleeps: between arrivals it looks at the clock. How late it was itself is in the result. Beside the
// contestants stands a control, Direct, for which a submission is a call: its figures are what the schedule, the
// generator and the machine have of their own. Where generators and loop have fewer processors than there are of them,
// the result says so.
package load
