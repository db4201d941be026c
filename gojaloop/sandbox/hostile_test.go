package sandbox_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// Kinds and flags of messages, as on the pipe.
const (
	ready, run, call, result, output, limit = 1, 2, 3, 4, 5, 6
	hasValue, hasError                      = 2, 4
)

func frame(kind, flags byte, id uint64, texts ...string) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{0, 0, 0, 0, kind, flags}, id)
	for _, text := range texts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// hostiles are processes controlled by a script: do runs once the first call has come.
var hostiles = map[string]struct {
	do   func(call []byte)
	want func(err error) bool
}{
	"garbage":             {func([]byte) { write([]byte(strings.Repeat("garbage ", 1000))) }, isLimit(sandbox.MessageSize)},
	"empty message":       {func([]byte) { write(make([]byte, 4)) }, isGarbled},
	"unknown kind":        {func([]byte) { write(frame(99, 0, 1, "", "")) }, isGarbled},
	"kind of the program": {func([]byte) { write(frame(run, 0, 1, "", "")) }, isGarbled},
	"long text":           {func([]byte) { b := frame(result, 0, 1, "", ""); b[14] = 0xFF; b[17] = 0xFF; write(b) }, isGarbled},
	"more than a message": {func([]byte) { write(frame(result, 0, 1, "", "", "")) }, isGarbled},
	"large message":       {func([]byte) { write([]byte{0xFF, 0xFF, 0xFF, 0xFF}) }, isLimit(sandbox.MessageSize)},
	"half a message":      {func([]byte) { write(frame(result, 0, 1, "", "")[:9]); os.Exit(0) }, isExit},
	"ready again":         {func([]byte) { write(frame(ready, 0, 0, "", "")) }, func(err error) bool { return strings.Contains(err.Error(), "twice") }},
	"result of no call":   {func([]byte) { write(frame(result, 0, 9, "", "")); write(frame(result, 0, 1, "", "")) }, func(err error) bool { return err == nil }},
	"result twice":        {func([]byte) { b := frame(result, 0, 1, "", ""); write(append(b, b...)) }, func(err error) bool { return err == nil }},
	"no JSON":             {func([]byte) { write(frame(result, hasValue, 1, "", "", "{")) }, func(err error) bool { return strings.Contains(err.Error(), "does not fit") }},
	"calls of no function": {func([]byte) {
		for range 3 {
			write(frame(call, hasValue, 1, "nothing", "", "{"))
			write(frame(call, 0, 1, "echo", ""))
		}
		write(frame(result, hasError, 1, "", "", "Error", "enough", ""))
	}, func(err error) bool { return strings.HasSuffix(err.Error(), "enough") }},
	"more calls than allowed": {func([]byte) {
		for range 10 {
			write(frame(call, hasValue, 1, "waits", "", "[]"))
		}
	}, isLimit(sandbox.Requests)},
	"output of a terabyte": {func([]byte) {
		for {
			write(frame(output, 0, 0, "", strings.Repeat("x", 1000)))
		}
	}, isLimit(sandbox.Output)},
	"closed output": {func([]byte) { os.Stdout.Close() }, isExit},
	"closed input":  {func([]byte) { os.Stdin.Close(); write(frame(call, hasValue, 1, "echo", "", "[]")) }, isExit},
	"exit":          {func([]byte) { os.Exit(3) }, isExit},
	"silence":       {func([]byte) {}, func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
	"told limit":    {func([]byte) { write(frame(limit, 0, 0, "memory", "")) }, isLimit(sandbox.Memory)},
}

func write(b []byte) {
	if _, err := os.Stdout.Write(b); err != nil {
		os.Exit(1)
	}
}

func isGarbled(err error) bool { return err != nil && strings.Contains(err.Error(), "cannot be read") }

func isExit(err error) bool {
	var exit *sandbox.ExitError
	return errors.As(err, &exit)
}

func isLimit(limit sandbox.Limit) func(error) bool {
	return func(err error) bool {
		var over *sandbox.LimitError
		return errors.As(err, &over) && over.Limit == limit
	}
}

// beHostile does not return if the process was started to attack the program.
func beHostile() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), filepath.Ext(os.Args[0]))
	hostile, ok := hostiles[strings.ReplaceAll(strings.TrimPrefix(name, "hostile-"), "-", " ")]
	if !ok {
		return
	}
	write(frame(ready, 0, 0, "", ""))
	buffer := make([]byte, 4096)
	if n, err := os.Stdin.Read(buffer); err == nil {
		hostile.do(buffer[:n])
	}
	for { // it does not end by itself
		time.Sleep(time.Hour)
	}
}

func TestAProcessThatAttacksTheProgramIsEnded(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, hostile := range hostiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "hostile-"+strings.ReplaceAll(name, " ", "-")+filepath.Ext(executable))
			if os.Link(executable, path) != nil {
				if err := os.Symlink(executable, path); err != nil {
					t.Skip("the system makes no links: ", err)
				}
			}
			s := box(t, sandbox.WithExecutable(path), sandbox.WithRequests(8), sandbox.WithMessageSize(1<<20), sandbox.WithOutput(io.Discard, io.Discard, 1<<20),
				sandbox.WithFunction("echo", func(context.Context, sandbox.Arguments) (any, error) { return nil, nil }),
				sandbox.WithFunction("waits", func(ctx context.Context, _ sandbox.Arguments) (any, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}))
			wait := 2 * time.Minute
			if name == "silence" {
				wait = 50 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			defer cancel()
			var value any
			if err := s.Call(ctx, &value, "f"); !hostile.want(err) {
				t.Error(err)
			}
		})
	}
}
