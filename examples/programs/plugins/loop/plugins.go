// Package loop runs plug-ins in a pool of runtimes.
package loop

import (
	"context"
	"fmt"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"

	"github.com/eventloop-go/eventloop/examples/programs/plugins"
)

// A Plugin is a script that changes orders. Apply may be called from any goroutine.
type Plugin struct{ pool *gojaloop.Pool }

func Load(ctx context.Context, name, src string, stock plugins.Stock, limit time.Duration) (*Plugin, error) {
	program, err := gojaloop.Compile(name, src)
	if err != nil {
		return nil, err
	}
	prepare := func(ctx context.Context, rt *gojaloop.Runtime) error {
		return rt.Do(ctx, func(vm *goja.Runtime) error {
			return vm.Set("stock", rt.Async(func(ctx context.Context, args []any) (any, error) {
				return stock(ctx, fmt.Sprint(args...))
			}))
		})
	}
	pool, err := gojaloop.NewPool(ctx, gojaloop.PoolConfig{Program: program, Prepare: prepare, Timeout: limit, MaxUses: 1000})
	return &Plugin{pool}, err
}

func (p *Plugin) Apply(ctx context.Context, order plugins.Order) (plugins.Order, error) {
	return gojaloop.Call[plugins.Order](ctx, p.pool, "apply", order)
}

func (p *Plugin) Close() error { return p.pool.Shutdown(context.Background()) }
