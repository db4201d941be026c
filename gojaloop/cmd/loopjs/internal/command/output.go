package command

import (
	"bufio"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop"
)

// buffered buffers a script's output: a system call for each line would dominate scripts that write a lot. It is
// flushed after some time, so that no line waits long.
type buffered struct {
	mu    sync.Mutex
	w     *bufio.Writer
	timer *time.Timer
}

const flushAfter = 5 * time.Millisecond

func newBuffered(w io.Writer) *buffered { return &buffered{w: bufio.NewWriterSize(w, 64<<10)} }

func (b *buffered) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer == nil {
		b.timer = time.AfterFunc(flushAfter, b.flush)
	} else if b.w.Buffered() == 0 {
		b.timer.Reset(flushAfter)
	}
	return b.w.Write(p)
}

func (b *buffered) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.w.Flush() // a reader that has gone is no concern of the script's
}

// flushing flushes standard output before it writes to standard error.
type flushing struct {
	out *buffered
	w   io.Writer
}

func (f *flushing) Write(p []byte) (int, error) {
	f.out.flush()
	return f.w.Write(p)
}

func printStats(w io.Writer, s gojaloop.Stats, took time.Duration) {
	busy := 0.0
	if took > 0 {
		busy = 100 * float64(s.Busy) / float64(took)
	}
	fmt.Fprintf(w, "time         %v\nscript ran   %v (%.1f %%)\ncallbacks    %d\nticks        %d\nlongest      %v\n",
		took.Round(time.Microsecond), s.Busy.Round(time.Microsecond), busy, s.Callbacks, s.Ticks, s.Longest.Round(time.Microsecond))
}
