package registry

import (
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
)

func TestTheRegistryDoesNotGrowWithPromisesThatAreDroppedOrSettled(t *testing.T) {
	r := New(eventloop.New())
	const round = 10_000
	for i := range 20 {
		for range round {
			p, resolver := r.Pending()
			if i%2 == 0 {
				resolver.Resolve(p != nil)
			}
		}
		runtime.GC()
		runtime.GC() // a weak reference may outlive one collection that had begun before
		r.mu.Lock()
		ids, pending := len(r.ids), len(r.pending)
		r.mu.Unlock()
		if ids > 4*round || pending > 4*round {
			t.Fatalf("after %d promises %d identities and %d entries are left", (i+1)*round, ids, pending)
		}
	}
}
