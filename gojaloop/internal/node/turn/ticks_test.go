package turn

import "testing"

func TestAChainOfTicksThatNeverEndsKeepsItsOrderInBoundedMemory(t *testing.T) {
	var q queue[int]
	next, expected := 0, 0
	push := func() { q.push(next); next++ }
	for range 100 { // there are always some, so that the queue is never reset
		push()
	}
	for range 100_000 {
		push()
		if got := q.pop(); got != expected {
			t.Fatalf("tick %d comes when %d should", got, expected)
		}
		expected++
	}
	if cap(q.items) > 1<<14 {
		t.Errorf("the queue has room for %d ticks when 100 wait", cap(q.items))
	}
	for !q.empty() {
		q.pop()
		expected++
	}
	if expected != next {
		t.Errorf("%d ticks have come of %d", expected, next)
	}
}
