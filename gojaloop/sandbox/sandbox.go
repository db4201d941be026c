package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
