// Command script runs JavaScript that awaits a Go function.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

const script = `(async () => {
	console.log(await lookUp("key"))
	setTimeout(() => console.log("timer"), 10)
})()`

func main() {
	rt := gojaloop.New(eventloop.New())
	lookUp := rt.Async(func(_ context.Context, args []any) (any, error) {
		return strings.ToUpper(fmt.Sprint(args...)), nil // may block: this is another goroutine
	})
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		if err := vm.Set("lookUp", lookUp); err != nil {
			return err
		}
		_, err := vm.RunString(script)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
