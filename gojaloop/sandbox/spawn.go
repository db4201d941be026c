package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

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
