package promise

import "github.com/eventloop-go/eventloop/internal/sched"

// The lock of a promise's word is held for some ten nanoseconds, so a goroutine that finds it taken looks again a few times.
// Its holder may have lost its processor, though. Then the waiter parks:
//
// It marks the word as contended, and finds a channel to wait on, both with parked.mu held. The holder unlocks by a
// swap. If that finds the mark, it takes the channel out under parked.mu, and closes it. The waiter has set the mark
// before the swap, so its channel is there when the holder has the mutex. All promises share the channel. Waiting is
// so rare that waking a goroutine needlessly costs nothing.
var parked struct {
	mu      sched.Mutex
	release chan struct{} // closed for all waiters; nil without
}

const (
	wordLooks = 8
	wordPause = 100 // iterations of an empty loop: some 30 ns
)

// awaitUnlocked returns when the word is, or may be, no longer locked.
func awaitUnlocked(word *sched.Pointer[node]) {
	for range wordLooks {
		sched.Pause(wordPause)
		if head := word.Load(); head != &busy && head != &contended {
			return
		}
	}
	parked.mu.Lock()
	if !word.CompareAndSwap(&busy, &contended) && word.Load() != &contended {
		parked.mu.Unlock()
		return
	}
	if parked.release == nil {
		parked.release = make(chan struct{})
	}
	release := parked.release
	parked.mu.Unlock()
	sched.Receive(release)
}

// unlock gives a word that the caller has locked its next value.
func unlock(word *sched.Pointer[node], next *node) {
	if word.Swap(next) != &contended {
		return
	}
	parked.mu.Lock()
	release := parked.release
	parked.release = nil
	parked.mu.Unlock()
	if release != nil {
		sched.Close(release)
	}
}
