package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// overflowVariable is set in the child process, which an overflow of Go's stack would end.
const overflowVariable = "GOJALOOP_OVERFLOW"

// childDeadline bounds that process.
const childDeadline = 2 * time.Minute

// The possible ends of a script.
const (
	refused     = "refused"     // a SyntaxError
	overflowed  = "overflowed"  // a StackOverflowError
	interrupted = "interrupted" // an InterruptError
	ended       = "ended"       // nil
)

func outcome(err error) string {
	var syntax *gojaloop.SyntaxError
	var overflow *goja.StackOverflowError
	var uncaught *gojaloop.UncaughtError
	var interrupt *gojaloop.InterruptError
	switch {
	case err == nil:
		return ended
	case errors.As(err, &syntax):
		return refused
	case errors.As(err, &uncaught) && errors.As(err, &overflow):
		return overflowed
	case errors.As(err, &interrupt):
		return interrupted
	}
	return err.Error()
}

type overflowCase struct{ name, src, want string }

func overflowCases() []overflowCase {
	deep := 300_000 // the least that overflows Go's stack, for some
	if !testkit.Full() || raceflag.Enabled {
		deep = 150_000
	}
	const chained = 200_000 // proxies: one takes a single frame of the stack
	var cases []overflowCase
	nested := func(name, open, middle, closing string) {
		cases = append(cases, overflowCase{name, strings.Repeat(open, deep) + middle + strings.Repeat(closing, deep), refused})
	}
	nested("open brackets", "[", "", "")
	nested("brackets", "[", "", "]")
	nested("parentheses", "(", "1", ")")
	nested("blocks", "{", "", "}")
	nested("calls", "f(", "1", ")")
	nested("objects", "x={a:", "1", "}")
	nested("not", "!", "1", "")
	nested("minus", "- ", "1", "")
	nested("typeof", "typeof ", "1", "")
	nested("conditional", "a?a:", "1", "")
	nested("condition in condition", "a?", "1", ":a")
	nested("arrows", "a=>", "1", "")
	nested("async arrows", "async a=>", "1", "")
	nested("arrow bodies", "()=>{", "", "}")
	nested("new", "new ", "a", "")
	nested("if", "if(1)", ";", "")
	nested("else", "if(1);else ", ";", "")
	nested("for", "for(;;)", ";", "")
	nested("with", "with(a)", ";", "")
	nested("assignments", "x=", "1", "")
	nested("powers", "a**", "1", "")
	nested("templates", "`${", "1", "}`")
	nested("sums", "1+", "1", "")
	nested("ors", "a||", "a", "")
	nested("members", "a.", "a", "")
	nested("results called", "a", "", "()")
	nested("functions", "(function(){", "", "})")
	nested("classes", "class extends ", "a", "{}")
	nested("patterns", "[", "a", "]=1")
	nested("labels", "a:", ";", "")
	nested("what the engine takes for no comment", "", "1;x<!--"+strings.Repeat("!", deep)+"1", "")
	nested("what follows an error", "function a;", "", "")
	nested("what the engine does not know", "async()=>{for await(x of y);}\n", "", "")
	nested("a first line that is no comment to the engine", "", "#!"+strings.Repeat("[", deep), "")
	cases = append(cases,
		overflowCase{"parameters parsed twice", strings.Repeat("(a=", 60) + "1" + strings.Repeat(")=>1", 60), refused},
		overflowCase{"JSON", fmt.Sprintf(`try { JSON.parse("[".repeat(%d)) } catch (e) { if (e instanceof RangeError) process.exit() }; throw 1`, 10*deep), ended},
		overflowCase{"JSON of objects", fmt.Sprintf(`try { JSON.parse('{"a":'.repeat(%d)) } catch (e) { if (e instanceof RangeError) process.exit() }; throw 1`, 10*deep), ended},
	)
	for _, operation := range []struct{ name, src string }{
		{"get", `p.x`}, {"get of an index", `p[3]`}, {"get of a symbol", `p[Symbol.iterator]`},
		{"set", `p.x = 1`}, {"set of an index", `p[3] = 1`}, {"has", `"x" in p`}, {"has of a symbol", `Symbol.iterator in p`},
		{"delete", `delete p.x`}, {"keys", `Object.keys(p)`}, {"descriptor", `Object.getOwnPropertyDescriptor(p, "x")`},
		{"define", `Object.defineProperty(p, "x", { value: 1 })`}, {"prototype", `Object.getPrototypeOf(p)`},
		{"new prototype", `Object.setPrototypeOf(p, {})`}, {"extensible", `Object.isExtensible(p)`},
		{"prevent extensions", `Object.preventExtensions(p)`}, {"call", `p()`}, {"construct", `new p()`},
	} {
		cases = append(cases,
			overflowCase{operation.name + " of a proxy that is its handler's prototype",
				`const h = {}, p = new Proxy(function () {}, h); h.__proto__ = p; ` + operation.src, overflowed})
		switch operation.name {
		case "get", "get of a symbol", "set", "has": // those that go on to a prototype
			cases = append(cases, overflowCase{operation.name + " of a proxy that is its target's prototype",
				`const t = {}, p = new Proxy(t, {}); Object.setPrototypeOf(t, p); ` + operation.src, overflowed})
		}
	}
	cycle := `const t = {}, p = new Proxy(t, {}); Object.setPrototypeOf(t, p); `
	return append(cases,
		overflowCase{"a revocable proxy that is its handler's prototype",
			`const h = {}, { proxy: p } = Proxy.revocable({}, h); h.__proto__ = p; p.x`, overflowed},
		overflowCase{"proxies that are each other's targets' prototypes",
			`const t = {}, u = {}, p = new Proxy(t, {}), q = new Proxy(u, {}); Object.setPrototypeOf(t, q); Object.setPrototypeOf(u, p); p.x`, overflowed},
		overflowCase{"proxies of proxies", fmt.Sprintf(`let p = {}; for (let i = 0; i < %d; i++) p = new Proxy(p, {}); p.x`, chained), overflowed},
		overflowCase{"handlers of handlers", fmt.Sprintf(`let p = {}; for (let i = 0; i < %d; i++) p = new Proxy({}, p); p.x`, chained), overflowed},
		overflowCase{"instanceof for ever", cycle + `p instanceof Array`, interrupted},
		overflowCase{"for in for ever", cycle + `for (const k in p);`, interrupted},
	)
}

// TestWhatNestsForEverDoesNotEndTheProcess runs all cases in one process of their own: to start one takes longer than most of
// them.
func TestWhatNestsForEverDoesNotEndTheProcess(t *testing.T) {
	cases := overflowCases()
	if os.Getenv(overflowVariable) != "" {
		for i, c := range cases {
			deadline := childDeadline
			if c.want == interrupted {
				deadline = 50 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(context.Background(), deadline)
			err := gojaloop.New(eventloop.New(), gojaloop.WithHardening(), gojaloop.WithOutput(io.Discard, io.Discard)).Run(ctx, c.src)
			cancel()
			fmt.Printf("%d\t%s\n", i, strings.ReplaceAll(outcome(err), "\n", " "))
		}
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), childDeadline)
	defer cancel()
	args := []string{"-test.run", "^" + t.Name() + "$"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), overflowVariable+"=1")
	out, err := cmd.Output()
	got := make(map[int]string)
	for line := range strings.Lines(string(out)) {
		number, outcome, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if i, err := strconv.Atoi(number); err == nil {
			got[i] = outcome
		}
	}
	for i, c := range cases {
		switch outcome, ran := got[i]; {
		case !ran:
			t.Fatalf("%s: the process ended with %v", c.name, err)
		case outcome != c.want:
			t.Errorf("%s: %s, want %s", c.name, outcome, c.want)
		}
	}
}
