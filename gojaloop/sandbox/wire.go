package sandbox

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
)

// A kind says what a message is for.
type kind uint8

const (
	ready  kind = iota + 1 // from the child, first: scripts can run. Text names its isolation, a name in each line
	run                    // to the child: run a script
	call                   // to the child: call a function of the script's. From the child: call one of Go's
	result                 // either way: a script or a call has ended
	output                 // from the child: text for the console
	limit                  // from the child, last: it has gone beyond a limit
)

// A message is the unit of exchange between the two processes. On the pipe it begins with the length of the rest, in
// four bytes, a kind, flags, and the ID in eight bytes. Then come texts, each behind its length in four bytes: Name,
// Text, Value if present, and the three of Error if present. Making and reading JSON of it would take as long as the
// pipe does.
type message struct {
	Kind    kind
	ID      uint64          // of a call, chosen by the caller
	Name    string          // of a function, a script or a limit
	Text    string          // source, or output
	Stderr  bool            // Text is for stderr
	NoValue bool            // the caller ignores the script's value
	Value   json.RawMessage // an array of arguments, or a result; nil is undefined. The child's need not be JSON
	Error   *ScriptError
}

// Flags of a message.
const (
	isStderr = 1 << iota
	hasValue
	hasError
	isNoValue
)

const headSize = 1 + 1 + 8

// errGarbled reports bytes that are not a message.
var errGarbled = errors.New("sandbox: a message cannot be read")

// append adds a message to b, as it is on the pipe.
func (m *message) append(b []byte) []byte {
	var flags byte
	if m.Stderr {
		flags |= isStderr
	}
	if m.NoValue {
		flags |= isNoValue
	}
	if m.Value != nil {
		flags |= hasValue
	}
	if m.Error != nil {
		flags |= hasError
	}
	begin := len(b)
	b = append(b, 0, 0, 0, 0, byte(m.Kind), flags)
	b = binary.LittleEndian.AppendUint64(b, m.ID)
	b = appendText(appendText(b, m.Name), m.Text)
	if m.Value != nil {
		b = appendText(b, m.Value)
	}
	if e := m.Error; e != nil {
		b = appendText(appendText(appendText(b, e.Name), e.Message), e.Stack)
	}
	binary.LittleEndian.PutUint32(b[begin:], uint32(min(uint64(len(b)-begin-4), math.MaxUint32))) // which nobody takes
	return b
}

func appendText[T string | json.RawMessage](b []byte, text T) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(min(uint64(len(text)), math.MaxUint32)))
	return append(b, text...)
}

// parse reads a message. It keeps nothing of b. A child may send anything.
func parse(b []byte) (*message, error) {
	if len(b) < headSize {
		return nil, errGarbled
	}
	m := &message{Kind: kind(b[0]), ID: binary.LittleEndian.Uint64(b[2:])}
	flags := b[1]
	t := texts{left: b[headSize:]}
	m.Name, m.Text = t.next(), t.next()
	m.Stderr, m.NoValue = flags&isStderr != 0, flags&isNoValue != 0
	if flags&hasValue != 0 {
		m.Value = append(json.RawMessage{}, t.bytes()...)
	}
	if flags&hasError != 0 {
		m.Error = &ScriptError{Name: t.next(), Message: t.next(), Stack: t.next()}
	}
	if t.garbled || len(t.left) > 0 || m.Kind < ready || m.Kind > limit {
		return nil, errGarbled
	}
	return m, nil
}

// texts are those of a message that have not been read.
type texts struct {
	left    []byte
	garbled bool
}

func (t *texts) bytes() []byte {
	if len(t.left) < 4 || uint64(binary.LittleEndian.Uint32(t.left)) > uint64(len(t.left)-4) {
		t.left, t.garbled = nil, true
		return nil
	}
	n := 4 + int(binary.LittleEndian.Uint32(t.left))
	text := t.left[4:n]
	t.left = t.left[n:]
	return text
}

func (t *texts) next() string { return strings.ToValidUTF8(string(t.bytes()), "\uFFFD") }

// A stream sends and receives messages. Any goroutine may send; one receives.
type stream struct {
	in      *bufio.Reader
	largest int // message that is taken, in bytes
	frame   []byte

	mu  sync.Mutex
	out io.Writer
	buf []byte
}

func newStream(in io.Reader, out io.Writer, largest int) *stream {
	return &stream{in: bufio.NewReaderSize(in, 32<<10), out: out, largest: largest}
}

// kept is the size of a buffer that is kept for the next message.
const kept = 64 << 10

// send writes a message with one call of Write.
func (s *stream) send(m *message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := m.append(s.buf[:0])
	if s.buf = b; cap(b) > kept {
		s.buf = nil
	}
	_, err := s.out.Write(b)
	return err
}

// receive reads the next message.
func (s *stream) receive() (*message, error) {
	var length [4]byte
	if _, err := io.ReadFull(s.in, length[:]); err != nil {
		return nil, err
	}
	n := uint64(binary.LittleEndian.Uint32(length[:]))
	if n > uint64(s.largest) {
		return nil, &LimitError{Limit: MessageSize}
	}
	if uint64(cap(s.frame)) < n || cap(s.frame) > kept && n < uint64(cap(s.frame)/4) {
		s.frame = make([]byte, n)
	}
	s.frame = s.frame[:n]
	if _, err := io.ReadFull(s.in, s.frame); err != nil {
		return nil, err
	}
	return parse(s.frame)
}
