// Package component holds the published component suite: one Go benchmark for each of its 108 rows, under its published
// name, on the product or, where the row has no loop, on the product's counterpart of the structure. names.txt lists them.
//
//	go test -bench . ./tournament/component
//
// Where a row does not measure what its name says, a twin beside it does, with a suffix: _Executed and _Drained end
// when the work has run, not when it is queued; _Fired lets timers fire; _Busy has a loop that is busy; _Late is
// the lateness against a deadline; _Freed sees that memory is freed. _PSquare is no correction but a rival: the P² estimator where
// the row itself has the product's histogram.
//
// Rows that by definition leave work behind, or keep what they make, run in laps of bounded length. Between laps the
// clock stands and what is left is run and counted, so memory does not grow with b.N. Every benchmark fails unless it did
// what it counts, took time, and left nothing behind for each operation.
package component
