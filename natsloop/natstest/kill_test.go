package natstest

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopgroup"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	messages = flag.Int("messages", 20_000, "how many messages the test that kills has")
	kills    = flag.Int("kills", 5, "how often it kills the process that consumes them")
)

const childVariable = "NATSTEST_CONSUME"

// The process that consumes writes the sequence of each message to a pipe before it acknowledges it, and is killed at
// any moment. Unacknowledged messages are delivered to the next process: nothing is lost, and some may come twice.
func TestKillingTheProcessLosesNoMessage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pipe of a process that is killed may lose what was written there")
	}
	s := serve(t, t.TempDir(), -1)
	stream := newStream(t, connect(t, s.ClientURL()), jetstream.FileStorage, time.Second)
	began := time.Now()
	stream.publish(t, *messages, 1000)
	t.Logf("%d messages published in %v", *messages, time.Since(began).Round(time.Millisecond))

	began = time.Now()
	times := make([]uint8, *messages+1)
	distinct, duplicates := 0, 0
	for round := range *kills + 1 {
		until := *messages * (round + 1) / (*kills + 1)
		end := func(c *consumer) (ended bool) {
			if distinct >= until {
				_ = c.cmd.Process.Kill() // SIGKILL
				return true
			}
			return false
		}
		if round == *kills { // the last one ends when the server has nothing left that is not acknowledged
			end = func(c *consumer) bool {
				go func() {
					if err := stream.settled(t.Context()); err != nil {
						t.Error(err)
					}
					_ = c.in.Close()
				}()
				return true
			}
		}
		records(t, s.ClientURL(), end, func(sequence uint64) {
			if sequence == 0 || sequence > uint64(*messages) {
				t.Fatalf("a message %d that was not sent", sequence)
			}
			if times[sequence]++; times[sequence] == 1 {
				distinct++
			} else {
				duplicates++
			}
		})
	}
	t.Logf("%d of %d messages handled, %d lost, %d duplicates, with %d kills in %v", distinct, *messages, *messages-distinct, duplicates,
		*kills, time.Since(began).Round(time.Millisecond))
	if distinct != *messages {
		t.Errorf("%d messages are lost", *messages-distinct)
	}
}

// A consumer is a process that consumes.
type consumer struct {
	cmd *exec.Cmd
	in  io.Closer // to close it tells the process to end
}

// records runs a process that consumes, and passes on the records that it has written. Before each record it calls
// end, until that has ended the process.
func records(t *testing.T, url string, end func(*consumer) (ended bool), record func(sequence uint64)) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+url)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ending := false
	reader := bufio.NewReaderSize(out, 64<<10)
	for {
		ending = ending || end(&consumer{cmd, in})
		var b [8]byte
		if _, err := io.ReadFull(reader, b[:]); err != nil {
			break // a record that was cut off was not acknowledged
		}
		record(binary.BigEndian.Uint64(b[:]))
	}
	if err := cmd.Wait(); !ending {
		t.Fatalf("the process that consumes has ended: %v", err)
	}
}

// child consumes until its standard input ends.
func child(url string) int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	err := func() error {
		nc, err := nats.Connect(url)
		if err != nil {
			return err
		}
		defer nc.Close()
		js, err := jetstream.New(nc)
		if err != nil {
			return err
		}
		consumer, err := js.Consumer(ctx, work, work)
		if err != nil {
			return err
		}
		group := loopgroup.New[string](2)
		go func() { _ = group.Run(context.Background()) }()
		defer func() { _ = group.Shutdown(context.Background()) }()
		journals := map[*eventloop.Loop]*journal{}
		for _, loop := range group.Loops() {
			journals[loop] = &journal{loop: loop}
		}
		return natsloop.Consume(ctx, consumer, group, func(m jetstream.Msg) *promise.Promise[struct{}] {
			return journals[group.Loop(m.Subject())].add(m)
		})
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A journal writes what a turn of its loop has handled in one call, and then fulfils the promises.
type journal struct {
	loop    *eventloop.Loop
	buffer  []byte
	waiting []promise.Resolver[struct{}]
}

func (j *journal) add(m jetstream.Msg) *promise.Promise[struct{}] {
	meta, err := m.Metadata()
	if err != nil {
		return promise.Reject[struct{}](j.loop, err)
	}
	p, r := promise.WithResolvers[struct{}](j.loop)
	if len(j.buffer) == 0 {
		if err := j.loop.ScheduleImmediate(j.write); err != nil {
			r.Reject(err)
			return p
		}
	}
	j.buffer = binary.BigEndian.AppendUint64(j.buffer, meta.Sequence.Stream)
	j.waiting = append(j.waiting, r)
	return p
}

func (j *journal) write() {
	_, err := os.Stdout.Write(j.buffer)
	for _, r := range j.waiting {
		if err != nil {
			r.Reject(err)
		} else {
			r.Resolve(struct{}{})
		}
	}
	j.buffer, j.waiting = j.buffer[:0], j.waiting[:0]
}
