package js_test

import (
	"math"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop/js"
)

func TestWebDelaysConvertLikeAWebIDLLong(t *testing.T) {
	for _, c := range []struct{ ms, want float64 }{
		{0, 0}, {-1, 0}, {math.NaN(), 0}, {math.Inf(1), 0}, {2.9, 2}, {1 << 31, 0}, {1<<32 + 3, 3}, {-(1 << 32) + 2, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			fired := -1.0
			onLoop(t, func(s *script) { s.timeout(func() { fired = s.after() }, c.ms) }, js.WithWebDelays())
			if fired != c.want {
				t.Errorf("setTimeout(f, %v) fired after %v ms, want %v", c.ms, fired, c.want)
			}
		})
	}
}

func TestNestedWebTimersAreClampedToFourMillisecondsFromTheSeventhOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fired []float64
		onLoop(t, func(s *script) {
			var again func()
			again = func() {
				fired = append(fired, s.after())
				if len(fired) < 8 {
					s.timeout(again, 0)
				}
			}
			s.timeout(again, 0)
		}, js.WithWebDelays())
		if want := []float64{0, 0, 0, 0, 0, 0, 4, 8}; !reflect.DeepEqual(fired, want) {
			t.Errorf("fired at %v, want %v", fired, want)
		}
	})
}
