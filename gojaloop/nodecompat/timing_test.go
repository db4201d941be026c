package nodecompat_test

import (
	"slices"
	"testing"
	"time"

	"github.com/dop251/goja"
)

var timing = []behaviour{
	{name: "a timer never runs early", test: func(t *testing.T, make maker) {
		loop := make(config{})
		const delay = 2500 * time.Microsecond
		var begin, end time.Time
		loop.Run(func(*goja.Runtime) {
			begin = time.Now()
			loop.setTimeout(func(*goja.Runtime) { end = time.Now() }, delay)
		})
		if took := end.Sub(begin); took < delay {
			t.Errorf("a timer of %v ran after %v", delay, took)
		}
	}},
	{name: "timers run by the time at which they are due", test: inVirtualTime(func(t *testing.T, make maker) {
		loop := make(config{})
		var got []int
		for _, ms := range []int{30, 10, 20} {
			loop.setTimeout(func(*goja.Runtime) { got = append(got, ms) }, time.Duration(ms)*time.Millisecond)
		}
		loop.Run(func(*goja.Runtime) {})
		if want := []int{10, 20, 30}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})},
	{name: "a timer may wait for a month", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		loop.setTimeout(func(*goja.Runtime) { t.Error("the timer ran") }, 31*24*time.Hour)
		timer := signal()
		loop.setTimeout(func(*goja.Runtime) { close(timer) }, 5*time.Millisecond)
		await(t, timer, "a timer of 5 ms runs")
		if n := loop.Stop(); n != 1 {
			t.Errorf("%d are pending, want 1", n)
		}
		loop.Terminate()
	}},
	{name: "an interval repeats until it is cleared",
		test: inVirtualTime(func(t *testing.T, make maker) {
			for _, period := range []time.Duration{time.Millisecond, 0, -1} {
				loop := make(config{})
				n := 0
				var i any
				i = loop.setInterval(func(*goja.Runtime) {
					if n++; n == 3 {
						loop.clearInterval(i)
					}
				}, period)
				loop.Run(func(*goja.Runtime) {})
				loop.Terminate()
				if n != 3 {
					t.Errorf("period %v: it ran %d times, want 3", period, n)
				}
			}
		})},
	{name: "timers may be cleared before the loop starts", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.clearTimeout(loop.setTimeout(func(*goja.Runtime) { t.Error("a timer ran") }, 0))
		loop.clearInterval(loop.setInterval(func(*goja.Runtime) { t.Error("an interval ran") }, time.Millisecond))
		returns(t, "Run", func() { loop.Run(func(*goja.Runtime) {}) })
		loop.Terminate()
	}},
	{name: "a timer may clear another, and itself", test: func(t *testing.T, make maker) {
		loop := make(config{})
		ran := false
		var self any
		other := loop.setTimeout(func(*goja.Runtime) { t.Error("a cleared timer ran") }, time.Hour)
		self = loop.setTimeout(func(*goja.Runtime) {
			ran = true
			loop.clearTimeout(self)
			loop.clearTimeout(self)
			loop.clearTimeout(other)
		}, time.Millisecond)
		returns(t, "Run", func() { loop.Run(func(*goja.Runtime) {}) })
		if n := loop.Stop(); !ran || n != 0 {
			t.Errorf("ran: %t; %d are pending", ran, n)
		}
	}},
	{name: "a script's timer may clear itself", test: func(t *testing.T, make maker) {
		loop := make(config{})
		returns(t, "Run", func() {
			loop.Run(func(vm *goja.Runtime) {
				script(t, vm, `
					var called = '';
					const a = setTimeout(() => { clearTimeout(a); clearTimeout(a); called += 'a' }, 1);
					const b = setImmediate(() => { clearImmediate(b); clearImmediate(b); called += 'b' });
					let n = 0;
					const c = setInterval(() => { if (++n == 2) { clearInterval(c); clearInterval(c) }; called += 'c' }, 5);`)
			})
		})
		loop.Run(func(vm *goja.Runtime) {
			called := []byte(script(t, vm, "called").String())
			if slices.Sort(called); string(called) != "abcc" {
				t.Errorf("these ran: %s, want abcc in any order", called)
			}
		})
		loop.Terminate()
	}},
	{name: "a script may clear a timer of Go code", test: func(t *testing.T, make maker) {
		loop := make(config{})
		timer := loop.setTimeout(func(*goja.Runtime) { t.Error("a cleared timer ran") }, time.Hour)
		interval := loop.setInterval(func(*goja.Runtime) { t.Error("a cleared interval ran") }, time.Hour)
		loop.RunOnLoop(func(vm *goja.Runtime) {
			_ = vm.Set("timer", timer)
			_ = vm.Set("interval", interval)
			script(t, vm, `clearTimeout(timer); clearInterval(interval)`)
		})
		returns(t, "Run", func() { loop.Run(func(*goja.Runtime) {}) })
		loop.Terminate()
	}},
	{name: "a script may clear a timer that Go code has just set", wrong: "a nil pointer is dereferenced",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			loop.Run(func(vm *goja.Runtime) {
				_ = vm.Set("timer", loop.setTimeout(func(*goja.Runtime) { t.Error("a cleared timer ran") }, time.Millisecond))
				script(t, vm, `clearTimeout(timer)`)
			})
		}},
	{name: "timers of one delay run in the order in which they were set", wrong: "they run in any order",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			loop.Run(func(vm *goja.Runtime) {
				script(t, vm, `var got = []; for (let i = 0; i < 2000; i++) setTimeout(() => got.push(i), 5)`)
			})
			expectValue(t, loop, `got.length + ' ' + got.every((x, i) => x == i)`, "2000 true")
		}},
}
