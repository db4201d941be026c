package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// An Option configures a sandbox or a pool.
type Option func(*config)

type config struct {
	memory        int64
	processorTime time.Duration
	output        int
	requests      int
	messageSize   int
	held          int64
	namespaces    bool
	start         time.Duration
	stdout        io.Writer
	stderr        io.Writer
	functions     map[string]Function
	executable    string
	warm, most    int
}

func newConfig(options []Option) *config {
	c := &config{
		memory: 256 << 20, processorTime: 10 * time.Second, output: 1 << 20, requests: 64, messageSize: 16 << 20, held: 64 << 20,
		start: 30 * time.Second, stdout: io.Discard, stderr: io.Discard, functions: map[string]Function{}, warm: 2, most: 64,
	}
	for _, option := range options {
		option(c)
	}
	return c
}

// A Function is a Go function that scripts call. It runs on a goroutine of its own, and gets arguments as JSON. Its
// result crosses as JSON, too. Scripts get a promise; an error rejects it with an Error that has the error's text.
//
// The context ends when the sandbox does.
type Function func(ctx context.Context, args Arguments) (any, error)

// Arguments are those of a call, each as JSON.
type Arguments []json.RawMessage

// Decode stores arguments in the variables that are pointed to, as [json.Unmarshal] does. It is an error if there are
// fewer arguments than pointers.
func (a Arguments) Decode(pointers ...any) error {
	if len(a) < len(pointers) {
		return fmt.Errorf("%d arguments are needed, and there are %d", len(pointers), len(a))
	}
	var errs []error
	for i, p := range pointers {
		if err := json.Unmarshal(a[i], p); err != nil {
			errs = append(errs, fmt.Errorf("argument %d: %w", i+1, err))
		}
	}
	return errors.Join(errs...)
}

// WithFunction gives scripts a global function. A name that is not an identifier is found as a property of globalThis.
func WithFunction(name string, fn Function) Option {
	return func(c *config) { c.functions[name] = fn }
}

// WithMemory limits the memory of the process, in bytes; the default is 256 MiB. The process looks every few
// milliseconds; on Linux the kernel allows no more than twice that, and 64 MiB, in between. The program's own code and
// variables count.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// WithProcessorTime limits the processor time of the process over its life; the default is 10 s. Scripts, and the collector
// behind them, use one processor at a time.
func WithProcessorTime(d time.Duration) Option { return func(c *config) { c.processorTime = d } }

// WithOutput says where console writes to, and how many bytes it may write over the life of the process. By default
// that is nowhere, and 1 MiB. Writers are used by one goroutine at a time for each sandbox; those of a pool's sandboxes
// are used by several.
func WithOutput(stdout, stderr io.Writer, bytes int) Option {
	return func(c *config) { c.stdout, c.stderr, c.output = stdout, stderr, bytes }
}

// WithRequests limits the calls of Go functions that are under way at the same time; the default is 64.
func WithRequests(n int) Option { return func(c *config) { c.requests = n } }

// WithMessageSize limits a result, and the arguments of a call, in bytes of JSON; the default is 16 MiB, the
// most 1 GiB.
func WithMessageSize(bytes int) Option { return func(c *config) { c.messageSize = bytes } }

// WithHeld limits the bytes of JSON that the program holds for a process that calls its functions. It counts the arguments
// of pending calls and the results that the process has not read. The default is 64 MiB. Arguments beyond that end the process; a result
// beyond that rejects its call.
func WithHeld(bytes int64) Option { return func(c *config) { c.held = bytes } }

// RequireNamespaces makes a system that gives no namespaces an error of [New] and [Pool.Get]. By default the process then runs
// without them; see [Sandbox.NamespacesRefused].
func RequireNamespaces() Option { return func(c *config) { c.namespaces = true } }

// WithExecutable has the processes run another executable than the program's own: one whose main function calls [Init],
// as that of loopjs does.
func WithExecutable(path string) Option { return func(c *config) { c.executable = path } }

// WithProcesses sets how many processes of a pool wait to be taken, and how many there may be in all. The defaults are
// 2 and 64. It means nothing to [New].
func WithProcesses(warm, most int) Option { return func(c *config) { c.warm, c.most = warm, most } }

// check finds what is wrong with the settings.
func (c *config) check() error {
	switch {
	case c.memory < 32<<20:
		return fmt.Errorf("sandbox: WithMemory(%d): a process needs at least 32 MiB", c.memory)
	case c.processorTime <= 0:
		return fmt.Errorf("sandbox: WithProcessorTime(%v): it must be above 0", c.processorTime)
	case c.output < 0 || c.requests < 0:
		return errors.New("sandbox: WithOutput and WithRequests: a limit must not be negative")
	case c.messageSize < 1<<10 || c.messageSize > 1<<30:
		return fmt.Errorf("sandbox: WithMessageSize(%d): it must be between 1,024 bytes and 1 GiB", c.messageSize)
	case c.held < int64(c.messageSize):
		return fmt.Errorf("sandbox: WithHeld(%d): it must not be below WithMessageSize(%d)", c.held, c.messageSize)
	case c.stdout == nil || c.stderr == nil:
		return errors.New("sandbox: WithOutput: a writer is nil; use io.Discard")
	case c.warm < 0 || c.most < 1 || c.warm > c.most:
		return fmt.Errorf("sandbox: WithProcesses(%d, %d): the second must be at least 1 and the first between 0 and the second", c.warm, c.most)
	}
	for name, fn := range c.functions {
		if fn == nil || name == "" {
			return fmt.Errorf("sandbox: WithFunction(%q): name and function must not be empty", name)
		}
	}
	return nil
}
