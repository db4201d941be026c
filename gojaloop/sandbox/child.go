package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// environment is the variable that tells a process that it is a sandbox's, and its settings.
const environment = "EVENTLOOP_SANDBOX"

// settings are what a child needs to know.
type settings struct {
	Memory        int64    `json:"memory"`
	ProcessorTime int64    `json:"processorTime"` // in ns
	Requests      int      `json:"requests"`
	Functions     []string `json:"functions"`
	Isolation     []string `json:"isolation,omitempty"` // what the child has done so far
	Isolated      bool     `json:"isolated,omitempty"`
}

func (s settings) variable() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // there is nothing in it that could fail
	}
	return environment + "=" + string(text)
}

// Init turns the process into a sandbox's and does not return, if the process was started as one. Otherwise it does
// nothing. Call it first in main, and in TestMain if tests use sandboxes: code before it also runs in every sandbox.
//
// Options are for the runtimes of sandboxes: globals to leave out, for example. Objects that options give to scripts,
// such as those of [gojaloop.WithModules], live inside the sandbox's process.
func Init(options ...gojaloop.Option) {
	text, ok := os.LookupEnv(environment)
	if !ok {
		return
	}
	var given settings
	err := json.Unmarshal([]byte(text), &given)
	if err == nil {
		err = isolate(&given)
	}
	if err == nil {
		err = serve(given, options)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A child is the sandbox's side of the process.
type child struct {
	stream *stream
	rt     *gojaloop.Runtime
	watch  *watch

	scripts // used on the loop only
}

// serve runs scripts until the other side closes the pipe.
func serve(given settings, options []gojaloop.Option) error {
	c := &child{stream: newStream(polled(os.Stdin), polled(os.Stdout), 1<<31-1)}
	os.Stdout = os.Stderr // nobody else writes to the pipe
	runtime.GOMAXPROCS(1) // a message is handed to the loop and back sooner than a second thread wakes up
	debug.SetMaxStack(int(min(given.Memory/2, 256<<20)))
	debug.SetMemoryLimit(given.Memory * 9 / 10) // the collector works harder before the process is over
	c.watch = newWatch(given, c.over)

	loop := eventloop.New()
	stdout, stderr := console{c, false}, console{c, true}
	options = append([]gojaloop.Option{
		gojaloop.Without(gojaloop.Process),
		gojaloop.WithOutput(stdout, stderr),
		gojaloop.WithUncaught(func(err error) { fmt.Fprintln(stderr, "Uncaught", err) }),
		gojaloop.WithStop(c.must),
	}, options...)
	c.rt = gojaloop.New(loop, options...)
	if err := c.rt.Submit(func(vm *goja.Runtime) { c.prepare(vm, given) }); err != nil {
		return err
	}
	go c.receive(given)
	return loop.Run(context.Background())
}

// prepare makes the global functions.
func (c *child) prepare(vm *goja.Runtime, given settings) {
	if err := c.setUp(vm, given, c.send); err != nil {
		panic(err)
	}
}

// receive hands requests to the loop.
func (c *child) receive(given settings) {
	c.send(&message{Kind: ready, Text: strings.Join(given.Isolation, "\n")})
	for {
		m, err := c.stream.receive()
		if errors.Is(err, io.EOF) {
			os.Exit(0) // the program has ended, or has closed the sandbox
		}
		if err == nil {
			c.watch.wake()
			err = c.rt.Submit(c.task(m))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// task makes a callback of a message. Scripts are compiled here and not on the loop, whose timers go on meanwhile.
func (c *child) task(m *message) func(vm *goja.Runtime) {
	switch m.Kind {
	case run:
		program, err := gojaloop.Compile(m.Name, m.Text)
		return func(vm *goja.Runtime) {
			if err != nil {
				c.send(&message{Kind: result, ID: m.ID, Error: &ScriptError{Name: "SyntaxError", Message: err.Error()}})
				return
			}
			value, err := vm.RunProgram(program)
			c.must(c.end(vm, m, value, err))
		}
	case call:
		return func(vm *goja.Runtime) { c.must(c.invoke(vm, m)) }
	default:
		return func(vm *goja.Runtime) { c.must(c.answer(vm, m)) }
	}
}

// must ends the process if a script cannot go on: it has overflowed the engine's stack, or spoilt what child.js needs.
func (c *child) must(err error) {
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		c.over(Stack)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// over reports that a limit was passed, and ends the process.
func (c *child) over(l Limit) {
	c.send(&message{Kind: limit, Name: string(l)})
	os.Exit(1)
}

func (c *child) send(m *message) {
	if err := c.stream.send(m); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A console sends the bytes written to it.
type console struct {
	c      *child
	stderr bool
}

func (w console) Write(p []byte) (int, error) {
	w.c.send(&message{Kind: output, Text: string(p), Stderr: w.stderr})
	return len(p), nil
}
