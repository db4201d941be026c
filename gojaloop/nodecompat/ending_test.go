package nodecompat_test

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// logged collects the log of a test.
func logged(t *testing.T) *bytes.Buffer {
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &out
}

func quiet(t *testing.T) { logged(t) }

func TestExceptionsThatNobodyCatchesAreLogged(t *testing.T) {
	for name, src := range map[string]string{
		"timer":          `setTimeout(() => { throw new Error('made by the test') }, 1)`,
		"rejection":      `Promise.reject(new Error('made by the test'))`,
		"stack overflow": `const overflow = () => 'made by the test' + overflow(); setTimeout(overflow, 1)`,
	} {
		t.Run(name, func(t *testing.T) {
			out := logged(t)
			nodecompat.NewEventLoop().Run(func(vm *goja.Runtime) {
				vm.SetMaxCallStackSize(100)
				script(t, vm, src)
			})
			if s := out.String(); strings.Count(s, "level=ERROR") != 1 || !strings.Contains(s, "Error: ") {
				t.Errorf("this was logged: %q", s)
			}
		})
	}
}

func TestScriptsCatchWhatNobodyCatches(t *testing.T) {
	out := logged(t)
	loop := makeOurs(config{})
	loop.Run(func(vm *goja.Runtime) {
		script(t, vm, `
			var caught = [];
			process.on('uncaughtException', (e) => caught.push(e));
			process.on('unhandledRejection', (e) => caught.push(e));
			setTimeout(() => { throw 'exception' }, 1);
			Promise.reject('rejection')`)
	})
	expectValue(t, loop, "caught.join()", "rejection,exception")
	if out.Len() > 0 {
		t.Errorf("this was logged: %s", out)
	}
}

func TestCallbacksOfScriptsRunInNodesOrder(t *testing.T) {
	loop := makeOurs(config{})
	loop.Run(func(vm *goja.Runtime) {
		script(t, vm, `
			var got = [];
			setTimeout(() => {
				setTimeout(() => got.push('timer'), 1);
				setImmediate(() => got.push('immediate'));
				queueMicrotask(() => { got.push('microtask'); process.nextTick(() => got.push('tick of a microtask')) });
				Promise.resolve().then(() => got.push('promise'));
				process.nextTick(() => got.push('tick'));
				got.push('callback')
			}, 1)`)
	})
	expectValue(t, loop, "got.join()", "callback,tick,microtask,promise,tick of a microtask,immediate,timer")
}

// process.exit ends the loop for good, with anything pending.
func TestProcessExitEndsTheLoopForGood(t *testing.T) {
	for _, src := range []string{
		`process.exit(0); reached()`,
		`process.exit(3); reached()`,
		`setTimeout(() => { process.exit(0); reached() }, 1); setInterval(reached, 1e6)`,
		`setImmediate(() => Promise.resolve().then(() => { process.exit(0); reached() }))`,
	} {
		loop := nodecompat.NewEventLoop()
		loop.SetInterval(func(*goja.Runtime) { t.Error("an interval of an hour ran") }, time.Hour)
		loop.RunOnLoop(func(vm *goja.Runtime) {
			_ = vm.Set("reached", func() { t.Errorf("%s: the script went on", src) })
			_, _ = vm.RunString(src) // process.exit interrupts it
		})
		returns(t, "StartInForeground", loop.StartInForeground)
		if loop.RunOnLoop(func(*goja.Runtime) {}) || loop.SetTimeout(func(*goja.Runtime) {}, 0) != nil {
			t.Errorf("%s: the loop accepts more", src)
		}
		if n := loop.Stop(); n != 0 {
			t.Errorf("%s: %d are pending", src, n)
		}
		returns(t, "Terminate", loop.Terminate)
		if v := panicOf(loop.Start); v == nil || !strings.Contains(v.(error).Error(), "make a new one") {
			t.Errorf("%s: Start panicked with %v", src, v)
		}
	}
}

func TestNilFunctionsPanicWhereTheyAreGiven(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	for name, call := range map[string]func(){
		"Run":         func() { loop.Run(nil) },
		"RunOnLoop":   func() { loop.RunOnLoop(nil) },
		"SetTimeout":  func() { loop.SetTimeout(nil, 0) },
		"SetInterval": func() { loop.SetInterval(nil, 0) },
	} {
		if s, _ := panicOf(call).(string); !strings.Contains(s, "nil function") {
			t.Errorf("%s panicked with %q", name, s)
		}
	}
	loop.Run(func(*goja.Runtime) {})
}

func TestAnIntervalKeepsItsRhythmOverAStop(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	var got []time.Time
	const period = 20 * time.Millisecond
	loop.SetInterval(func(*goja.Runtime) {
		got = append(got, time.Now())
		loop.StopNoWait()
	}, period)
	for range 4 {
		loop.Run(func(*goja.Runtime) {})
	}
	for i, at := range got[1:] {
		if since := at.Sub(got[0]); since < time.Duration(i)*period {
			t.Errorf("tick %d came after %v", i+1, since)
		}
	}
	if len(got) != 4 {
		t.Errorf("%d ticks, want one in each run", len(got))
	}
	loop.Terminate()
}

const crashVariable = "NODECOMPAT_CRASH"

// A panic on a goroutine that Start has made cannot be recovered, so the process ends, as with any goroutine.
func TestPanicInTheBackgroundEndsTheProcess(t *testing.T) {
	if os.Getenv(crashVariable) != "" {
		loop := nodecompat.NewEventLoop()
		loop.Start()
		loop.RunOnLoop(func(*goja.Runtime) { failInATest() })
		time.Sleep(childDeadline) // the panic ends it
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), crashVariable+"=1")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"made by the test", "failInATest"} {
		if err == nil || !bytes.Contains(out, []byte(want)) {
			t.Errorf("the process ended with %v and did not name %q:\n%s", err, want, out)
		}
	}
}

func failInATest() { panic(errMade) }
