// Package load holds the open-loop categories of the tournament. Tasks arrive on a schedule that does not wait for
// the loop, as external requests do.
//
// A closed loop submits the next task when the last one has run. So it submits less while the loop stalls, and hides
// the stall (coordinated omission). In an open loop every task has an intended start, fixed beforehand, and its
// latency counts from that time: to the start of its callback, and to its end. So a stall is in the figures of every
// task that it delays.
//
// The generator never sleeps: between arrivals it reads the clock. The result has its own lateness. Beside the
// contestants stands a control, Direct, for which a submission is a call. Its figures show the share of the schedule,
// the generator and the machine. The result says when generators and loop had too few processors.
package load
