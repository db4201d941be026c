// Package plain runs plug-ins with goja and the event loop of goja_nodejs.
package plain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/eventloop-go/eventloop/examples/programs/plugins"
)

// A Plugin is a script that changes orders. Apply may be called from any goroutine.
type Plugin struct {
	loop  *eventloop.EventLoop
	limit time.Duration
	apply goja.Callable
	ctx   context.Context // of the call in progress
	turn  chan struct{}
}

func Load(_ context.Context, name, src string, stock plugins.Stock, limit time.Duration) (*Plugin, error) {
	program, err := goja.Compile(name, src, false)
	if err != nil {
		return nil, err
	}
	p := &Plugin{loop: eventloop.NewEventLoop(), limit: limit, turn: make(chan struct{}, 1)}
	p.loop.Start()
	loaded := make(chan error, 1)
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		loaded <- p.prepare(vm, program, stock)
	})
	if err := <-loaded; err != nil {
		p.loop.Terminate()
		return nil, err
	}
	return p, nil
}

func (p *Plugin) prepare(vm *goja.Runtime, program *goja.Program, stock plugins.Stock) error {
	err := vm.Set("stock", func(item string) *goja.Promise {
		promise, resolve, reject := vm.NewPromise()
		ctx := p.ctx
		go func() {
			left, err := stock(ctx, item)
			p.loop.RunOnLoop(func(vm *goja.Runtime) {
				if err != nil {
					reject(vm.NewGoError(err))
				} else {
					resolve(left)
				}
			})
		}()
		return promise
	})
	if err != nil {
		return err
	}
	if _, err := vm.RunProgram(program); err != nil {
		return err
	}
	apply, ok := goja.AssertFunction(vm.Get("apply"))
	if !ok {
		return errors.New("there is no function apply")
	}
	p.apply = apply
	return nil
}

type result struct {
	text string
	err  error
}

func (p *Plugin) Apply(ctx context.Context, order plugins.Order) (plugins.Order, error) {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	select {
	case p.turn <- struct{}{}: // one call at a time: an interrupt is not for another
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return order, ctx.Err()
	}
	text, err := json.Marshal(order)
	if err != nil {
		return order, err
	}
	results := make(chan result, 1)
	ended := make(chan struct{})
	running := make(chan *goja.Runtime, 1)
	p.loop.RunOnLoop(func(vm *goja.Runtime) {
		defer close(ended)
		p.ctx = ctx
		running <- vm
		p.call(vm, string(text), results)
	})
	select {
	case got := <-results:
		if got.err != nil {
			return order, got.err
		}
		err := json.Unmarshal([]byte(got.text), &order)
		return order, err
	case <-ctx.Done():
		vm := <-running
		vm.Interrupt(ctx.Err())
		<-ended
		vm.ClearInterrupt()
		return order, ctx.Err()
	}
}

func (p *Plugin) call(vm *goja.Runtime, text string, results chan<- result) {
	object := vm.Get("JSON").ToObject(vm)
	parse, _ := goja.AssertFunction(object.Get("parse"))
	stringify, _ := goja.AssertFunction(object.Get("stringify"))
	done := func(v goja.Value) {
		text, err := stringify(nil, v)
		if err != nil {
			results <- result{err: err}
			return
		}
		results <- result{text: text.String()}
	}
	order, err := parse(nil, vm.ToValue(text))
	if err != nil {
		results <- result{err: err}
		return
	}
	v, err := p.apply(nil, order)
	if err != nil {
		results <- result{err: err}
		return
	}
	if _, ok := v.Export().(*goja.Promise); !ok {
		done(v)
		return
	}
	then, _ := goja.AssertFunction(v.ToObject(vm).Get("then"))
	_, err = then(v, vm.ToValue(func(call goja.FunctionCall) goja.Value {
		done(call.Argument(0))
		return goja.Undefined()
	}), vm.ToValue(func(call goja.FunctionCall) goja.Value {
		results <- result{err: fmt.Errorf("%v", call.Argument(0))}
		return goja.Undefined()
	}))
	if err != nil {
		results <- result{err: err}
	}
}

func (p *Plugin) Close() error {
	p.loop.Terminate()
	return nil
}
