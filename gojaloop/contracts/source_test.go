package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// runSource runs a script that may call open(callback): produce then delivers through the source on a goroutine.
func runSource(t *testing.T, limit int, src string, produce func(s *gojaloop.Source, call func(v any) error)) (string, error) {
	t.Helper()
	var out strings.Builder
	rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out))
	var group sync.WaitGroup
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		open := func(callback goja.Callable) {
			s, err := rt.NewSource(limit)
			if err != nil {
				panic(vm.NewGoError(err))
			}
			group.Add(1)
			go func() {
				defer group.Done()
				produce(s, func(v any) error {
					return s.Deliver(context.Background(), func(vm *goja.Runtime) error {
						_, err := callback(goja.Undefined(), vm.ToValue(v))
						return err
					})
				})
			}()
		}
		if err := vm.Set("open", open); err != nil {
			return err
		}
		_, err := vm.RunString(src)
		return err
	})
	group.Wait()
	return out.String(), err
}

func TestSourceDeliversInOrderWithTicksAndJobsAfterEachEvent(t *testing.T) {
	for _, limit := range []int{0, 1, 3} {
		out, err := runSource(t, limit, `
			let all = [];
			open((n) => { all.push(n); process.nextTick(() => all.push('t')); Promise.resolve().then(() => all.push('p')) });
			process.on('exit', () => console.log(all.join('')))`,
			func(s *gojaloop.Source, call func(any) error) {
				for i := range 5 {
					if err := call(i); err != nil {
						t.Error(err)
					}
				}
				s.Close()
				s.Close()
				if err := call(9); !errors.Is(err, gojaloop.ErrSourceClosed) {
					t.Errorf("delivering after Close ended with %v", err)
				}
			})
		if out != "0tp1tp2tp3tp4tp\n" || err != nil {
			t.Errorf("limit %d: wrote %q, %v", limit, out, err)
		}
	}
}

func TestSourceThatIsUnreferencedLetsTheProgramEnd(t *testing.T) {
	out, err := runSource(t, 0, `open(() => {}); console.log('main')`, func(s *gojaloop.Source, call func(any) error) {
		s.Ref()
		s.Unref()
		<-s.Done()
		if err := call(1); !errors.Is(err, gojaloop.ErrSourceClosed) {
			t.Errorf("delivering after the end ended with %v", err)
		}
	})
	if out != "main\n" || err != nil {
		t.Errorf("wrote %q, %v", out, err)
	}
}

func TestSourceEndsWithTheProgram(t *testing.T) {
	_, err := runSource(t, 1, `open(() => process.exit(3))`, func(s *gojaloop.Source, call func(any) error) {
		for call(1) == nil { // it ends when the program does, also while it waits for room
		}
	})
	if gojaloop.ExitCode(err) != 3 {
		t.Errorf("ended with %v", err)
	}
}

func TestExceptionOfAnEventIsOneThatNobodyCaught(t *testing.T) {
	out, err := runSource(t, 0, `
		process.on('uncaughtException', (e) => console.log('caught', e.message));
		open((n) => { throw new Error(n) })`, func(s *gojaloop.Source, call func(any) error) {
		_ = call("one")
		_ = s.Deliver(context.Background(), func(*goja.Runtime) error { return errors.New("of Go") })
		_ = call("two")
		s.Close()
	})
	if out != "caught one\ncaught of Go\ncaught two\n" || err != nil {
		t.Errorf("wrote %q, %v", out, err)
	}
}

func TestSourceThatIsFullRefusesToWaitOnTheLoopOrBeyondItsContext(t *testing.T) {
	rt := gojaloop.New(eventloop.New())
	err := rt.RunMain(context.Background(), func(*goja.Runtime) error {
		s, err := rt.NewSource(1)
		if err != nil {
			return err
		}
		defer s.Close()
		nothing := func(*goja.Runtime) error { return nil }
		if err := s.Deliver(context.Background(), nothing); err != nil {
			t.Error(err)
		}
		if err := s.Deliver(context.Background(), nothing); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("a full source on the loop: %v", err)
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		waited := make(chan error)
		go func() { waited <- s.Deliver(ended, nothing) }()
		if err := <-waited; !errors.Is(err, context.Canceled) {
			t.Errorf("a full source and a context that has ended: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestManyProducersShareASource(t *testing.T) {
	const producers, events = 8, 200
	out, err := runSource(t, 16, `
		const last = []; let n = 0;
		open(([p, i]) => { if (i !== (last[p] ?? -1) + 1) console.log('order', p, i); last[p] = i; n++ });
		process.on('exit', () => console.log(n))`, func(s *gojaloop.Source, call func(any) error) {
		var group sync.WaitGroup
		for p := range producers {
			group.Go(func() {
				for i := range events {
					if err := call([]int{p, i}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		s.Close()
	})
	if out != fmt.Sprintln(producers*events) || err != nil {
		t.Errorf("wrote %q, %v", out, err)
	}
}

func TestContextOfAnAsyncFunctionEndsWhenTheProgramExits(t *testing.T) {
	ended := make(chan struct{})
	rt := gojaloop.New(eventloop.New())
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		wait := rt.Async(func(ctx context.Context, _ []any) (any, error) {
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})
		if err := vm.Set("wait", wait); err != nil {
			return err
		}
		_, err := vm.RunString(`wait(); process.exit(2)`)
		return err
	})
	if gojaloop.ExitCode(err) != 2 {
		t.Errorf("ended with %v", err)
	}
	<-ended
}
