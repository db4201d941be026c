package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Sandbox is a process that runs scripts, one after the other or several at a time, in one global object. Any
// goroutine may use it.
type Sandbox struct {
	config    *config
	cmd       *exec.Cmd
	stream    *stream
	stderr    head
	isolation []string
	refused   error        // why there are no namespaces
	held      atomic.Int64 // bytes of calls under way
	written   int          // bytes of output; of the goroutine that receives
	requests  atomic.Int64
	ctx       context.Context // of the functions that scripts call
	cancel    context.CancelFunc
	started   chan struct{} // closed when the child is ready
	done      chan struct{} // closed when the process has ended; then failure is final

	mu      sync.Mutex
	calls   map[uint64]chan *message
	last    uint64
	failure error // why the process has to end
}

// New starts a sandbox. It waits until scripts can run in it. A pool saves that time.
//
// Errors: wrong options, an executable that cannot be started or does not call [Init], the context's.
func New(ctx context.Context, options ...Option) (*Sandbox, error) {
	c := newConfig(options)
	if err := c.check(); err != nil {
		return nil, err
	}
	return start(ctx, c)
}

// start starts a process. Its settings have been checked.
func start(ctx context.Context, c *config) (*Sandbox, error) {
	if _, inside := os.LookupEnv(environment); inside {
		return nil, errors.New("sandbox: a sandbox was started in the process of a sandbox: call sandbox.Init first in main")
	}
	late := fmt.Errorf("sandbox: the process was not ready after %v: does its main function call sandbox.Init first?", c.start)
	ctx, cancel := context.WithTimeoutCause(ctx, c.start, late)
	defer cancel()
	s := &Sandbox{config: c, calls: map[uint64]chan *message{}, started: make(chan struct{}), done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if err := s.spawn(); err != nil {
		s.cancel()
		return nil, &ExitError{Err: err}
	}
	go s.receive()
	select {
	case <-s.started:
		return s, nil
	case <-s.done:
		return nil, s.failure
	case <-ctx.Done():
		s.end(&killedError{context.Cause(ctx)})
		<-s.done
		return nil, context.Cause(ctx)
	}
}

// spawn starts the process in as much isolation as the system allows.
func (s *Sandbox) spawn() error {
	executable, err := s.config.path()
	if err != nil {
		return err
	}
	given := settings{Memory: s.config.memory, ProcessorTime: int64(s.config.processorTime), Requests: s.config.requests}
	for name := range s.config.functions {
		given.Functions = append(given.Functions, name)
	}
	slices.Sort(given.Functions)
	if best, ok := namespaces(); !ok {
		s.refused = errNoNamespaces
	} else if err = s.spawnAt(best, executable, given); err == nil || !refusesNamespaces(err) {
		return err
	} else {
		s.refused = fmt.Errorf("sandbox: the system gives no namespaces: %w", err)
	}
	if s.config.namespaces {
		return s.refused
	}
	return s.spawnAt(level{attributes: &syscall.SysProcAttr{}}, executable, given)
}

func (s *Sandbox) spawnAt(l level, executable string, given settings) error {
	cmd := exec.Command(executable)
	cmd.Env = append(inherited(), given.variable())
	cmd.Dir = os.TempDir()
	cmd.Stderr = &s.stderr
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = l.attributes
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return err
	}
	s.cmd, s.isolation, s.stream = cmd, l.names, newStream(out, in, s.config.messageSize+headSize+3*4)
	return nil
}

// NamespacesRefused is why the process has no namespaces of its own, or nil if it has. [RequireNamespaces] makes it an error of
// [New].
func (s *Sandbox) NamespacesRefused() error { return s.refused }

// Isolation names what the system does to keep the process apart, beyond the limits that the process watches itself.
func (s *Sandbox) Isolation() []string { return slices.Clone(s.isolation) }

// Run runs a script. It returns when that has run to its end, and, if its value is a promise, when that is settled.
// Timers that it has set, and calls of functions that it has made, go on. name is shown in stacks.
//
// If ctx ends first, the process is ended: nothing else stops a script for certain.
//
// Errors: [*ScriptError], [*LimitError], [*ExitError], [ErrClosed], the context's. After one of these, except
// ScriptError, the sandbox is over.
func (s *Sandbox) Run(ctx context.Context, name, src string) error {
	return s.roundTrip(ctx, &message{Kind: run, Name: name, Text: src, NoValue: true}, nil)
}

// Eval is [Sandbox.Run] for a script whose value is wanted: it is stored in the variable that result points to, as
// [json.Unmarshal] does. A value that JSON lacks, as undefined, leaves the variable as it is.
func (s *Sandbox) Eval(ctx context.Context, result any, src string) error {
	return s.roundTrip(ctx, &message{Kind: run, Name: "<eval>", Text: src}, result)
}

// Call calls a function of the script's: a global one, or a path such as "handlers.order". Arguments cross as JSON; the
// result is stored as by [Sandbox.Eval], or dropped if result is nil. Errors and context are those of [Sandbox.Run].
func (s *Sandbox) Call(ctx context.Context, result any, function string, args ...any) error {
	m := &message{Kind: call, Name: function, Value: json.RawMessage("[]")}
	if len(args) > 0 {
		text, err := json.Marshal(args)
		if err != nil {
			return fmt.Errorf("sandbox: arguments of %s: %w", function, err)
		}
		m.Value = text
	}
	return s.roundTrip(ctx, m, result)
}

func (s *Sandbox) roundTrip(ctx context.Context, m *message, result any) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n := len(m.Name) + len(m.Value) + len(m.Text); n > s.config.messageSize {
		return fmt.Errorf("sandbox: %s has %d bytes, and WithMessageSize allows %d", m.Name, n, s.config.messageSize)
	}
	answer := make(chan *message, 1)
	s.mu.Lock()
	if err := s.failure; err != nil {
		s.mu.Unlock()
		return err
	}
	s.last++
	m.ID = s.last
	s.calls[m.ID] = answer
	s.mu.Unlock()
	// Ending the process also frees a sender that waits because the process does not read.
	stop := context.AfterFunc(ctx, func() { s.end(&killedError{context.Cause(ctx)}) })
	defer stop()
	if s.stream.send(m) != nil {
		s.expire()
	}
	select {
	case a := <-answer:
		return a.store(result)
	case <-s.done:
	}
	select {
	case a := <-answer: // it came before the end
		return a.store(result)
	default:
		return s.failure
	}
}

// store stores a result.
func (m *message) store(result any) error {
	switch {
	case m.Error != nil:
		return m.Error
	case m.Value == nil || result == nil:
		return nil
	}
	if err := json.Unmarshal(m.Value, result); err != nil {
		return fmt.Errorf("sandbox: the result does not fit: %w", err)
	}
	return nil
}

// Close ends the process and waits for that. Calls that are under way return [ErrClosed].
func (s *Sandbox) Close() error {
	s.end(ErrClosed)
	<-s.done
	return nil
}

// end ends the process. The first reason stays.
func (s *Sandbox) end(why error) {
	s.mu.Lock()
	if s.failure == nil {
		s.failure = why
	}
	s.mu.Unlock()
	_ = s.cmd.Process.Kill() // it fails if the process has ended
}

// grace is how long a process lives that has closed a pipe. One that ends has closed them a moment before, and may have
// told why.
const grace = time.Second

// expire ends the process soon, if it does not end by itself.
func (s *Sandbox) expire() {
	time.AfterFunc(grace, func() { _ = s.cmd.Process.Kill() }) // it fails if the process has ended
}

// receive handles the child's messages until the stream ends. Then it ends everything that waits for the child.
func (s *Sandbox) receive() {
	defer s.cancel()
	for {
		m, err := s.stream.receive()
		if err != nil {
			s.close(err)
			return
		}
		s.handle(m)
	}
}

// mostIsolation is how many names of isolation a process may tell.
const mostIsolation = 16

// handle handles a message. Nothing in it can be trusted.
func (s *Sandbox) handle(m *message) {
	switch m.Kind {
	case ready:
		select {
		case <-s.started: // others read isolation now
			s.end(errors.New("sandbox: the process said twice that it is ready"))
			return
		default:
		}
		if m.Text != "" {
			s.isolation = append(s.isolation, strings.SplitN(m.Text, "\n", mostIsolation)...)
		}
		close(s.started)
	case result:
		s.mu.Lock()
		answer := s.calls[m.ID]
		delete(s.calls, m.ID)
		s.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	case output:
		s.print(m)
	case call:
		if s.requests.Add(1) > int64(s.config.requests) {
			s.end(&LimitError{Requests})
			return
		}
		if !s.hold(len(m.Value)) {
			s.end(&LimitError{Held})
			return
		}
		go s.serve(m)
	case limit:
		s.end(&LimitError{Limit(m.Name)})
	default:
		s.end(errGarbled)
	}
}

// print writes output, up to the limit.
func (s *Sandbox) print(m *message) {
	text, w := m.Text, s.config.stdout
	if m.Stderr {
		w = s.config.stderr
	}
	room := s.config.output - s.written
	s.written += len(text)
	_, _ = io.WriteString(w, text[:max(0, min(room, len(text)))])
	if len(text) > room {
		s.end(&LimitError{Output})
	}
}

// serve calls a function for a script. The script is notified in every case.
func (s *Sandbox) serve(m *message) {
	a := &message{Kind: result, ID: m.ID, Error: &ScriptError{Name: "Error", Message: "the function has ended its goroutine"}}
	defer func() {
		if p := recover(); p != nil {
			a.Error.Message = fmt.Sprintf("panic: %v", p) // which does not panic in its turn
		}
		s.requests.Add(-1) // before the script can know that the call has ended
		if !s.hold(len(a.Value)) {
			s.release(len(a.Value))
			a.Value, a.Error = nil, &ScriptError{Name: "Error", Message: "the results that wait for the script have too many bytes"}
		}
		if s.stream.send(a) != nil {
			s.expire()
		}
		s.release(len(m.Value) + len(a.Value))
	}()
	// Methods of the result and of the error are the program's code as well.
	if text, err := s.invoke(m); err != nil {
		a.Error.Message = err.Error()
	} else {
		a.Value, a.Error = text, nil
	}
}

// hold counts bytes of a call until release. It reports whether the budget allows them.
func (s *Sandbox) hold(n int) bool { return s.held.Add(int64(n)) <= s.config.held }

func (s *Sandbox) release(n int) { s.held.Add(-int64(n)) }

func (s *Sandbox) invoke(m *message) (result json.RawMessage, err error) {
	fn := s.config.functions[m.Name]
	if fn == nil {
		return nil, fmt.Errorf("%s is not a function", m.Name)
	}
	var args Arguments
	if err := json.Unmarshal(m.Value, &args); err != nil {
		return nil, err
	}
	value, err := fn(s.ctx, args)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err == nil && len(text) > s.config.messageSize {
		err = fmt.Errorf("the result has %d bytes, and %d are allowed", len(text), s.config.messageSize)
	}
	return text, err
}

// close finds out why the process has ended, unless the sandbox has ended it, and notifies the calls that wait. read is the
// error that ended reading.
func (s *Sandbox) close(read error) {
	var tooLarge *LimitError
	switch {
	case errors.As(read, &tooLarge):
		s.end(tooLarge)
	case !errors.Is(read, io.EOF) && !errors.Is(read, io.ErrUnexpectedEOF):
		s.end(read) // what it sends makes no sense
	default:
		s.expire()
	}
	err := s.cmd.Wait()
	s.mu.Lock()
	if s.failure == nil {
		s.failure = s.diagnose(err)
	}
	s.mu.Unlock()
	close(s.done)
}

// diagnose returns why a process has ended by itself.
func (s *Sandbox) diagnose(err error) error {
	if err == nil {
		err = errors.New("exit status 0")
	}
	said := s.stderr.String()
	used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
	switch {
	case strings.Contains(said, "goroutine stack exceeds"):
		return &LimitError{Stack}
	case strings.Contains(said, "out of memory"), strings.Contains(said, "makeslice: "), strings.Contains(said, "cannot allocate memory"),
		peakMemory(s.cmd.ProcessState) >= s.config.memory:
		return &LimitError{Memory}
	case used >= s.config.processorTime*9/10: // the kernel was first, which counts a little more than it tells
		return &LimitError{ProcessorTime}
	}
	return &ExitError{Err: err, Stderr: said}
}

// A head keeps the first bytes written to it.
type head struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p[:min(len(p), max(0, 4<<10-h.text.Len()))])
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(h.text.String())
}
