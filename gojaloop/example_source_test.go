package gojaloop_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// A goroutine sends ticks into a script until the script has had enough.
func ExampleSource() {
	rt := gojaloop.New(eventloop.New())
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		err := vm.Set("onTick", func(callback goja.Callable) (func(), error) {
			source, err := rt.NewSource(16)
			if err != nil {
				return nil, err
			}
			go func() {
				ticker := time.NewTicker(time.Millisecond)
				defer ticker.Stop()
				for n := 1; ; n++ {
					select {
					case <-source.Done():
						return
					case <-ticker.C:
					}
					err := source.Deliver(context.Background(), func(vm *goja.Runtime) error {
						_, err := callback(goja.Undefined(), vm.ToValue(n))
						return err
					})
					if err != nil && !errors.Is(err, gojaloop.ErrSourceClosed) {
						log.Println(err)
					}
				}
			}()
			return source.Close, nil
		})
		if err != nil {
			return err
		}
		_, err = vm.RunString(`
			const stop = onTick((n) => {
				if (n <= 3) console.log('tick', n);
				if (n === 3) stop();
			})`)
		return err
	})
	fmt.Println(err)
	// Output:
	// tick 1
	// tick 2
	// tick 3
	// <nil>
}
