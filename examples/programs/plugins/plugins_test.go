package plugins_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/examples/programs/plugins"
	"github.com/eventloop-go/eventloop/examples/programs/plugins/loop"
	"github.com/eventloop-go/eventloop/examples/programs/plugins/plain"
)

type plugin interface {
	Apply(context.Context, plugins.Order) (plugins.Order, error)
	Close() error
}

type loader func(ctx context.Context, name, src string, stock plugins.Stock, limit time.Duration) (plugin, error)

var loaders = map[string]loader{
	"plain": func(ctx context.Context, name, src string, stock plugins.Stock, limit time.Duration) (plugin, error) {
		return plain.Load(ctx, name, src, stock, limit)
	},
	"loop": func(ctx context.Context, name, src string, stock plugins.Stock, limit time.Duration) (plugin, error) {
		return loop.Load(ctx, name, src, stock, limit)
	},
}

func stock(_ context.Context, item string) (int, error) {
	if item == "unicorn" {
		return 0, errors.New("no such item")
	}
	return len(item), nil
}

const scarce = `async function apply(order) {
	const left = await stock(order.item)
	return { ...order, price: left < 4 ? 2 * order.price : order.price }
}`

func each(t *testing.T, src string, limit time.Duration, test func(t *testing.T, p plugin)) {
	for name, load := range loaders {
		t.Run(name, func(t *testing.T) {
			p, err := load(t.Context(), "plugin.js", src, stock, limit)
			if err != nil {
				t.Fatal(err)
			}
			test(t, p)
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAPluginChangesAnOrder(t *testing.T) {
	each(t, scarce, time.Minute, func(t *testing.T, p plugin) {
		for _, want := range []plugins.Order{{Item: "tea", Price: 6}, {Item: "coffee", Price: 3}} {
			if got, err := p.Apply(t.Context(), plugins.Order{Item: want.Item, Price: 3}); err != nil || got != want {
				t.Error(got, err, "want", want)
			}
		}
	})
	each(t, `function apply(order) { return { ...order, price: 1 } }`, time.Minute, func(t *testing.T, p plugin) {
		if got, err := p.Apply(t.Context(), plugins.Order{Item: "tea"}); err != nil || got.Price != 1 {
			t.Error(got, err)
		}
	})
}

func TestErrorsOfPluginsAndOfTheHostReachTheCaller(t *testing.T) {
	each(t, scarce, time.Minute, func(t *testing.T, p plugin) {
		if _, err := p.Apply(t.Context(), plugins.Order{Item: "unicorn"}); err == nil || !strings.Contains(err.Error(), "no such item") {
			t.Error(err)
		}
	})
	each(t, `function apply(order) { throw new TypeError("not today") }`, time.Minute, func(t *testing.T, p plugin) {
		if _, err := p.Apply(t.Context(), plugins.Order{}); err == nil || !strings.Contains(err.Error(), "not today") {
			t.Error(err)
		}
	})
}

func TestAPluginThatDoesNotEndIsInterruptedAndTheNextCallRuns(t *testing.T) {
	src := `function apply(order) { for (;;) if (order.item === "tea") return order }`
	each(t, src, 200*time.Millisecond, func(t *testing.T, p plugin) {
		if _, err := p.Apply(t.Context(), plugins.Order{Item: "coffee"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		for { // on a busy machine a call may take longer than its limit
			got, err := p.Apply(t.Context(), plugins.Order{Item: "tea"})
			if err == nil && got.Item == "tea" {
				break
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(got, err)
			}
		}
	})
}

// Calls from several goroutines, each of which asks the host and waits.
func BenchmarkPlugins(b *testing.B) {
	for name, load := range loaders {
		b.Run(name, func(b *testing.B) {
			p, err := load(b.Context(), "plugin.js", scarce, stock, time.Minute)
			if err != nil {
				b.Fatal(err)
			}
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if got, err := p.Apply(b.Context(), plugins.Order{Item: "tea", Price: 3}); err != nil || got.Price != 6 {
						b.Error(got, err)
					}
				}
			})
			if err := p.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}
