// Package component holds the published component suite: one Go benchmark for each of its 108 rows, under its
// published name. A row is about the product or, for a row without a loop, about the product's counterpart of the
// structure. names.txt lists them.
//
//	go test -bench . ./tournament/component
//
// A row that does not measure the object of its name has a corrected version beside it, with a suffix. The suffixes
// _Executed and _Drained mark versions that end when the work has run, not when it is queued. In _Fired timers fire.
// In _Busy the loop is busy. Versions with _Late measure the lateness against a deadline. Those with _Freed check
// that memory is freed. A row with _PSquare is not a correction but a rival: it has the P² estimator where the row
// itself has the product's histogram.
//
// Some rows by definition leave work behind or retain memory. They run in laps of bounded length. Between laps the
// clock stands, and the remaining work is run and counted, so memory does not grow with b.N. A benchmark fails unless
// all counted work was done, took time, and left nothing behind for each operation.
package component
