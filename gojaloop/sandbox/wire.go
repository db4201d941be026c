package sandbox

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// A kind says what a message is for.
type kind string

const (
	ready  kind = "ready"  // from the child, first: scripts can run
	run    kind = "run"    // to the child: run a script
	call   kind = "call"   // to the child: call a function of the script's. From the child: call one of Go's
	result kind = "result" // either way: a script or a call has ended
	output kind = "output" // from the child: text for the console
	limit  kind = "limit"  // from the child, last: it has gone beyond a limit
)

// A message is what the two processes exchange: a length of four bytes, and JSON.
type message struct {
	Kind      kind            `json:"k"`
	ID        uint64          `json:"i,omitempty"` // of a call, chosen by the caller
	Name      string          `json:"n,omitempty"` // of a function, a script or a limit
	Text      string          `json:"t,omitempty"` // source, or output
	Stderr    bool            `json:"r,omitempty"` // Text is for stderr
	Value     json.RawMessage `json:"v,omitempty"` // an array of arguments, or a result; none is undefined
	Error     *ScriptError    `json:"e,omitempty"`
	Isolation []string        `json:"o,omitempty"`
}

// A stream sends and receives messages. Any goroutine may send; one receives.
type stream struct {
	in      *bufio.Reader
	largest int // message that is taken, in bytes
	frame   []byte

	mu  sync.Mutex
	out io.Writer
}

func newStream(in io.Reader, out io.Writer, largest int) *stream {
	return &stream{in: bufio.NewReaderSize(in, 32<<10), out: out, largest: largest}
}

// send writes a message with one call of Write.
func (s *stream) send(m *message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	frame := make([]byte, 4, 4+len(body))
	binary.LittleEndian.PutUint32(frame, uint32(len(body)))
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.out.Write(append(frame, body...))
	return err
}

// receive reads the next message.
func (s *stream) receive() (*message, error) {
	var length [4]byte
	if _, err := io.ReadFull(s.in, length[:]); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(length[:]))
	if n > s.largest {
		return nil, &LimitError{Limit: MessageSize}
	}
	if cap(s.frame) < n || cap(s.frame) > 1<<20 && n < cap(s.frame)/4 {
		s.frame = make([]byte, n)
	}
	s.frame = s.frame[:n]
	if _, err := io.ReadFull(s.in, s.frame); err != nil {
		return nil, err
	}
	m := new(message)
	if err := json.Unmarshal(s.frame, m); err != nil {
		return nil, fmt.Errorf("sandbox: a message cannot be read: %w", err)
	}
	return m, nil
}
