package contracts_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/looptest"
)

func TestAScriptWithATimerOfAnHourIsNotWaitedFor(t *testing.T) {
	loop := looptest.New(t)
	var out bytes.Buffer
	rt := gojaloop.New(loop.Loop, gojaloop.WithOutput(&out, &out))
	loop.AutoJump(func() {
		err := rt.Run(context.Background(), `
			const began = Date.now(), start = performance.now();
			console.log(new Date(began).toISOString().slice(0, 10));
			let n = 0;
			const i = setInterval(() => { if (++n === 3) clearInterval(i) }, 6e5);
			setTimeout(() => console.log('after', n, 'ticks', Date.now() - began, performance.now() - start), 3.6e6)`)
		if err != nil {
			t.Error(err)
		}
	})
	// The loop runs on, so that a due time may be a millisecond later: scripts' timers go by whole ones.
	if got := out.String(); !strings.HasPrefix(got, "2000-01-01\nafter 3 ticks 3600") {
		t.Error(got)
	}
}

func TestChanceInAScriptHasASeed(t *testing.T) {
	var got []string
	for range 2 {
		looptest.Seeds(t, 1, func(t *testing.T, random *rand.Rand) {
			var out bytes.Buffer
			rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out))
			err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
				vm.SetRandSource(random.Float64)
				_, err := vm.RunString(`console.log(Math.random())`)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			got = append(got, out.String())
		})
	}
	if got[0] != got[1] || got[0] == "" {
		t.Error(got)
	}
}
