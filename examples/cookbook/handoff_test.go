package cookbook

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_handOff() {
	ctx := context.Background()
	loop := eventloop.New(eventloop.WithAutoExit(), promise.WithBlockingLimit(2))
	sums := map[string]string{} // the loop's

	check(loop.Submit(func() {
		for _, text := range []string{"a", "b", "c", "d"} {
			sum := promise.Promisify(ctx, loop, func(context.Context) ([32]byte, error) {
				return sha256.Sum256([]byte(strings.Repeat(text, 1<<16))), nil // two of them at a time, on other goroutines
			})
			promise.Then(sum, func(sum [32]byte) (int, error) { // back on the loop
				sums[text] = fmt.Sprintf("%x", sum[:2])
				return len(sums), nil
			})
		}
	}))
	check(loop.Run(ctx))
	fmt.Println(sums)
	// Output: map[a:bf71 b:a0a2 c:7205 d:3fd6]
}
