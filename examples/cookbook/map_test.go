package cookbook

import (
	"context"
	"fmt"
	"strings"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_map() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	files := []string{"a.txt", "b.txt", "c.txt"}
	upper := promise.Map(ctx, loop, 2, files, func(ctx context.Context, name string) *promise.Promise[string] {
		return promise.Promisify(ctx, loop, func(context.Context) (string, error) {
			return strings.ToUpper(name), nil // may block: at most two run at a time
		})
	})
	fmt.Println(upper.Wait(ctx)) // in the order of files
	check(loop.Shutdown(ctx))
	// Output: [A.TXT B.TXT C.TXT] <nil>
}
