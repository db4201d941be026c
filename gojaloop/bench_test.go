package gojaloop_test

import (
	"context"
	"io"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// Each benchmark runs one script here and on goja_nodejs's event loop.
func benchmarkScript(b *testing.B, src string) {
	prg := goja.MustCompile("bench.js", src, false)
	b.Run("gojaloop", func(b *testing.B) {
		for b.Loop() {
			rt := gojaloop.New(core.New(), gojaloop.WithOutput(io.Discard, io.Discard))
			err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
				_, err := vm.RunProgram(prg)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		for b.Loop() {
			loop := eventloop.NewEventLoop()
			loop.Run(func(vm *goja.Runtime) {
				if _, err := vm.RunProgram(prg); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		}
	})
}

func BenchmarkStartUp(b *testing.B) { benchmarkScript(b, `setImmediate(() => {})`) }

func BenchmarkSetTimeout100000(b *testing.B) {
	benchmarkScript(b, `let n = 0; const f = () => { n++ }; for (let i = 0; i < 100000; i++) setTimeout(f, 1)`)
}

func BenchmarkSetImmediate100000(b *testing.B) {
	benchmarkScript(b, `let n = 0; const f = () => { n++ }; for (let i = 0; i < 100000; i++) setImmediate(f)`)
}

func BenchmarkRunOnLoopRoundTrip(b *testing.B) {
	b.Run("gojaloop", func(b *testing.B) {
		loop := core.New()
		ended := make(chan error)
		go func() { ended <- loop.Run(context.Background()) }()
		rt := gojaloop.New(loop)
		done := make(chan struct{})
		for b.Loop() {
			if err := rt.Submit(func(*goja.Runtime) { done <- struct{}{} }); err != nil {
				b.Fatal(err)
			}
			<-done
		}
		_ = loop.Shutdown(context.Background())
		<-ended
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		loop := eventloop.NewEventLoop()
		loop.Start()
		done := make(chan struct{})
		for b.Loop() {
			loop.RunOnLoop(func(*goja.Runtime) { done <- struct{}{} })
			<-done
		}
		loop.Terminate()
	})
}
