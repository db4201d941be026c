package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
	"golang.org/x/term"
)

// A console is where a conversation takes place.
type console struct {
	io.Writer
	readLine func(prompt string) (string, error)
	// interruptible makes a context that ends with Ctrl-C, while a line is being evaluated.
	interruptible func(context.Context) (context.Context, context.CancelFunc)
}

// repl reads, evaluates and prints, with line editing and a history that is kept, while the loop runs beside it: timers fire between
// lines.
func repl(f *flags, in *os.File, stdout io.Writer) int {
	fd := int(in.Fd())
	cooked, err := term.MakeRaw(fd)
	if err != nil {
		fmt.Fprintf(stdout, "loopjs: %v\n", err)
		return 1
	}
	defer func() { _ = term.Restore(fd, cooked) }()
	keys := &keyboard{in: in}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{keys, stdout}, "")
	t.History = openHistory(historyPath())
	fmt.Fprintln(t, "loopjs; .exit or Ctrl-D ends it, Ctrl-C ends what runs or gives a line up")
	return converse(f, console{
		Writer: t,
		readLine: func(prompt string) (string, error) {
			t.SetPrompt(prompt)
			line, err := t.ReadLine()
			if keys.gaveUp() {
				return "", errGivenUp
			}
			return line, err
		},
		interruptible: func(ctx context.Context) (context.Context, context.CancelFunc) {
			// In raw mode Ctrl-C is a character, which would not be read now.
			_ = term.Restore(fd, cooked)
			ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
			return ctx, func() {
				stop()
				_, _ = term.MakeRaw(fd)
			}
		},
	})
}

// errGivenUp is the error of readLine at Ctrl-C.
var errGivenUp = errors.New("given up")

// A keyboard makes Ctrl-C drop the line, as in Node and in shells. The line editor would take it for the end of the
// input.
type keyboard struct {
	in  io.Reader
	had bool // a Ctrl-C, since it was last asked
}

const (
	ctrlC    = 3
	emptyRow = "\x05\x15\r" // to the end of the line; delete it; enter
)

// Read passes on the input, but replaces a Ctrl-C by keys that enter an empty line.
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.in.Read(p[:max(1, len(p)-len(emptyRow))])
	if at := bytes.IndexByte(p[:n], ctrlC); at >= 0 && at+len(emptyRow) <= len(p) {
		k.had = true
		n = at + copy(p[at:], emptyRow) // input typed ahead is dropped as well
	}
	return n, err
}

func (k *keyboard) gaveUp() bool {
	had := k.had
	k.had = false
	return had
}

// converse is repl on any console.
func converse(f *flags, c console) int {
	rt := f.runtime(script{name: "[repl]"}, c, c)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = rt.Loop().Run(ctx) // it ends with ctx
	}()
	defer func() { cancel(); <-ended }()
	var lines []string // of a statement that goes on
	for {
		prompt := "> "
		if lines != nil {
			prompt = "... "
		}
		line, err := c.readLine(prompt)
		if errors.Is(err, errGivenUp) {
			lines = nil
			continue
		}
		if err != nil || strings.TrimSpace(line) == ".exit" {
			return 0
		}
		if lines == nil && strings.TrimSpace(line) == "" {
			continue
		}
		lines = append(lines, line)
		shown, more := evaluate(ctx, f, c, rt, strings.Join(lines, "\n"), line != "")
		if more {
			continue
		}
		lines = nil
		stopped := errors.Is(rt.Do(ctx, func(*goja.Runtime) error { return nil }), gojaloop.ErrStopped)
		var exit *gojaloop.ExitError
		if !stopped || rt.Failure() != nil && !errors.As(rt.Failure(), &exit) {
			fmt.Fprintln(c, shown)
		}
		if stopped {
			return gojaloop.ExitCode(rt.Failure())
		}
	}
}

// evaluate runs the input, and shows its value or its error. If the input is incomplete and mayGoOn is set, it asks
// for more.
func evaluate(ctx context.Context, f *flags, c console, rt *gojaloop.Runtime, src string, mayGoOn bool) (shown string, more bool) {
	e, err := compileTyped(src)
	if err != nil {
		if mayGoOn && strings.Contains(err.Error(), "Unexpected end of input") {
			return "", true
		}
		return "Uncaught " + err.Error(), false
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	value, err := rt.Await(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		_ = vm.GlobalObject().Get("globalThis") // as for a file
		v, err := vm.RunProgram(e.prg)
		if err != nil || !e.awaits {
			return vm.ToValue(rt.Inspect(v)), err
		}
		then, _ := goja.AssertFunction(v.ToObject(vm).Get("then"))
		return then(v, vm.ToValue(func(v goja.Value) string { return rt.Inspect(v) }))
	})
	if err != nil {
		return "Uncaught " + shortly(err), false
	}
	return value.(string), false
}

// shortly formats an error in one line: the exception, and its place unless it is a rejection.
func shortly(err error) string {
	var thrown *gojaloop.ScriptError
	var exception *goja.Exception
	if !errors.As(err, &thrown) {
		return err.Error()
	}
	if first, _, _ := strings.Cut(thrown.Stack, "\n"); errors.As(err, &exception) && first != "" {
		return thrown.Message + " " + strings.TrimSpace(first)
	}
	return thrown.Message
}

// A typed is compiled input. If it awaits something its value is a promise.
type typed struct {
	prg    *goja.Program
	awaits bool
}

// declaration matches a declaration of one variable. Only such a variable outlives a line with an await.
var declaration = regexp.MustCompile(`(?s)^\s*(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=(.*\bawait\b.*)$`)

func compileTyped(src string) (typed, error) {
	// An object literal is a block to a script; try it as an expression first, as Node's does.
	if strings.HasPrefix(strings.TrimSpace(src), "{") {
		if prg, err := gojaloop.Compile("REPL", "("+src+"\n)"); err == nil {
			return typed{prg: prg}, nil
		}
	}
	prg, err := gojaloop.Compile("REPL", src)
	if err == nil || !strings.Contains(src, "await") {
		return typed{prg: prg}, err
	}
	wrapped := []string{"(async () => (" + src + "\n))()", "(async () => {" + src + "\n})()"}
	if m := declaration.FindStringSubmatch(src); m != nil {
		wrapped = []string{"var " + m[1] + "; (async () => { " + m[1] + " =" + m[2] + "\n})()"}
	}
	for _, src := range wrapped {
		if prg, e := gojaloop.Compile("REPL", src); e == nil {
			return typed{prg, true}, nil
		}
	}
	return typed{}, err
}
