package bench

import (
	"testing"

	. "github.com/eventloop-go/eventloop"
)

// Submit of a func value to a loop with a queue limit that is not reached; see BenchmarkSubmit.
func BenchmarkSubmitWithQueueLimit(b *testing.B) {
	l := benchLoop(b, WithQueueLimit(4*chunk))
	ran := 0
	task := func() { ran++ }
	drained := make(chan struct{})
	last := func() { ran++; drained <- struct{}{} }
	for i := range b.N {
		if i == b.N-1 || i%chunk == chunk-1 {
			_ = l.Submit(last)
			<-drained
			continue
		}
		if err := l.Submit(task); err != nil {
			b.Fatal(err)
		}
	}
	expectCount(b, "tasks", ran, b.N)
}
