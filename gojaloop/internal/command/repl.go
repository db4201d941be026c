package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
	"golang.org/x/term"
)

// repl reads, evaluates and prints, with line editing and history, while the loop runs beside it: timers fire between
// lines.
func repl(f *flags, in *os.File, stdout io.Writer) int {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		fmt.Fprintf(stdout, "loopjs: %v\n", err)
		return 1
	}
	defer func() { _ = term.Restore(int(in.Fd()), before) }()
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, stdout}, "> ")
	fmt.Fprintln(t, "loopjs; .exit or Ctrl-D ends it")
	return converse(f, t.ReadLine, t)
}

// converse is repl for any source of lines.
func converse(f *flags, readLine func() (string, error), out io.Writer) int {
	rt := f.runtime(nil, out, out)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = rt.Loop().Run(ctx) // it ends with ctx
	}()
	defer func() { cancel(); <-ended }()
	for {
		line, err := readLine()
		if err != nil || strings.TrimSpace(line) == ".exit" {
			return 0
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintln(out, evaluate(ctx, f, rt, line))
		if errors.Is(rt.Do(ctx, func(*goja.Runtime) error { return nil }), gojaloop.ErrStopped) {
			return gojaloop.ExitCode(rt.Failure())
		}
	}
}

// evaluate runs one line, and shows its value or its error.
func evaluate(ctx context.Context, f *flags, rt *gojaloop.Runtime, line string) string {
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	shown := ""
	err := rt.Do(ctx, func(vm *goja.Runtime) error {
		// An object literal is a block to a script; try it as an expression first, as Node's does.
		prg, err := gojaloop.Compile("REPL", "("+line+"\n)")
		if err != nil || !strings.HasPrefix(strings.TrimSpace(line), "{") {
			if prg, err = gojaloop.Compile("REPL", line); err != nil {
				return err
			}
		}
		v, err := vm.RunProgram(prg)
		if err == nil {
			shown = rt.Inspect(v)
		}
		return err
	})
	if err != nil {
		return "Uncaught " + err.Error()
	}
	return shown
}
