package loopnet

import (
	"io"
	"testing"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// BenchmarkLoneWrite is a round trip of one message of 64 bytes: nothing else is under way, so that nothing can be sent together.
func BenchmarkLoneWrite(b *testing.B) {
	loop := running(b)
	l, err := Listen(loop, "tcp", "127.0.0.1:0", echo)
	testkit.Must(b, err)
	defer l.Close()
	c := dial(b, l.Addr().String())
	message := make([]byte, 64)
	for b.Loop() {
		if _, err := c.Write(message); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(c, message); err != nil {
			b.Fatal(err)
		}
	}
}
