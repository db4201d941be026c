package nodecompat_test

import (
	"testing"
	"time"

	"github.com/dop251/goja"
)

var terminating = []behaviour{
	{name: "Terminate clears everything", wrong: "what it has cleared still counts: the next Run waits for it for ever",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			loop.Start()
			timer := loop.setTimeout(func(*goja.Runtime) { t.Error("a timer ran") }, time.Hour)
			loop.setInterval(func(*goja.Runtime) { t.Error("an interval ran") }, time.Hour)
			loop.RunOnLoop(func(vm *goja.Runtime) {
				script(t, vm, `setTimeout(() => { throw 1 }, 1e6); setInterval(() => { throw 2 }, 1e6); setImmediate(() => {})`)
				loop.clearTimeout(timer)
			})
			loop.Terminate()
			loop.clearTimeout(timer)
			if n := loop.Stop(); n != 0 {
				t.Errorf("%d are pending", n)
			}
			returns(t, "Run", func() { loop.Run(func(*goja.Runtime) {}) })
		}},
	{name: "a terminated loop refuses", test: func(t *testing.T, make maker) {
		loop := make(config{})
		timer := loop.setTimeout(func(*goja.Runtime) { t.Error("a timer ran") }, time.Hour)
		interval := loop.setInterval(func(*goja.Runtime) { t.Error("an interval ran") }, time.Hour)
		loop.Terminate()
		if loop.RunOnLoop(func(*goja.Runtime) { t.Error("a refused function ran") }) {
			t.Error("RunOnLoop was accepted")
		}
		if loop.setTimeout(func(*goja.Runtime) {}, 0) != nil {
			t.Error("SetTimeout was accepted")
		}
		if loop.setInterval(func(*goja.Runtime) {}, 0) != nil {
			t.Error("SetInterval was accepted")
		}
		loop.clearTimeout(timer)
		loop.clearInterval(interval)
	}},
	{name: "a terminated loop may be started again", test: func(t *testing.T, make maker) {
		loop := make(config{})
		for range 3 {
			loop.Start()
			ran := signal()
			if !loop.RunOnLoop(func(*goja.Runtime) { close(ran) }) {
				t.Fatal("RunOnLoop was refused")
			}
			await(t, ran, "the function runs")
			timer := signal()
			loop.setTimeout(func(*goja.Runtime) { close(timer) }, time.Millisecond)
			await(t, timer, "the timer runs")
			loop.Terminate()
		}
	}},
	{name: "Terminate twice, and without a start", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Terminate()
		loop.Terminate()
		loop.Start()
		loop.setInterval(func(*goja.Runtime) {}, time.Millisecond)
		loop.Terminate()
		loop.Terminate()
	}},
	{name: "Terminate runs what was accepted", test: func(t *testing.T, make maker) {
		loop := make(config{})
		ran := false
		loop.RunOnLoop(func(vm *goja.Runtime) {
			ran = true
			script(t, vm, `setTimeout(() => { throw 1 }, 1); setImmediate(() => {})`)
		})
		loop.Terminate()
		if !ran {
			t.Error("a function that was accepted did not run")
		}
	}},
	{name: "Terminate in a callback", wrong: "it waits for itself", test: func(t *testing.T, make maker) {
		loop := make(config{})
		returns(t, "Run", func() {
			loop.Run(func(*goja.Runtime) {
				loop.setTimeout(func(*goja.Runtime) { t.Error("a timer of an hour ran") }, time.Hour)
				loop.setTimeout(func(*goja.Runtime) {
					loop.Terminate()
					if loop.RunOnLoop(func(*goja.Runtime) {}) {
						t.Error("RunOnLoop was accepted after Terminate")
					}
				}, 0)
			})
		})
		if n := loop.Stop(); n != 0 {
			t.Errorf("%d are pending", n)
		}
	}},
}
