package looptest

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Seeds runs test as subtests, each with random numbers of a seed of its own, from 1 to n. A test that fails with one is
// repeated by its name, such as -run 'TestOrders/^seed=7$'.
//
// Use the numbers for the test's own choices, for jitter (the Rand of promise.RetryPolicy), and for scripts: with
// goja's SetRandSource, Math.random returns them.
func Seeds(t *testing.T, n int, test func(t *testing.T, random *rand.Rand)) {
	t.Helper()
	for seed := range n {
		t.Run(fmt.Sprintf("seed=%d", seed+1), func(t *testing.T) {
			test(t, rand.New(rand.NewPCG(uint64(seed+1), 0)))
		})
	}
}
