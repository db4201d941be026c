package natstest

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/loopgroup"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	shared     = flag.Int("shared", 2000, "how many messages the test of processes that share has")
	sharedKill = flag.Int("shared-kills", 2, "how often it kills one of the processes")
)

const (
	shareVariable = "NATSTEST_SHARE"         // the server's address
	shareJournal  = "NATSTEST_SHARE_JOURNAL" // the file that all append to
	shareNumber   = "NATSTEST_SHARE_NUMBER"  // of the process
	shareWork     = "NATSTEST_SHARE_WORK"    // meanWork

	shareKeys       = 20
	sharePartitions = 8
	shareAckWait    = 4 * time.Second // members notice within two thirds of it that they were held up
)

// meanWork is how long a handler takes: so long that each process has its partitions before the next kill.
func meanWork() time.Duration {
	return shareAckWait * 3 / 2 * time.Duration(*sharedKill+1) * shareKeys / time.Duration(*shared)
}

// An event of the journal. All processes append to one file, each event with one call, so that its order is the one of time.
type event struct {
	what     uint64 // begins, ends or died
	process  uint64
	key, seq uint64
}

const (
	begins = iota + 1
	ends
	died // the process was killed, and is gone
)

const eventSize = 32

func (e event) append(f *os.File) error {
	b := binary.BigEndian.AppendUint64(nil, e.what)
	b = binary.BigEndian.AppendUint64(b, e.process)
	b = binary.BigEndian.AppendUint64(b, e.key)
	_, err := f.Write(binary.BigEndian.AppendUint64(b, e.seq))
	return err
}

func eventOf(b []byte) event {
	u := binary.BigEndian.Uint64
	return event{u(b), u(b[8:]), u(b[16:]), u(b[24:])}
}

// A verdict is what the journal says.
type verdict struct {
	handled, lost    int // messages
	overlaps         int // handlers that began while one of the same key ran, in whichever process
	outOfOrder       int // messages that began for the first time after a later one of their key, or before one that the same process had begun
	repeated         int // handlers that began for a message that had begun before
	processes, kills int
}

func (v verdict) String() string {
	return fmt.Sprintf("%d messages handled by %d processes, %d killed: %d at the same time as another of their key, %d out of order, %d lost, %d repeated",
		v.handled, v.processes, v.kills, v.overlaps, v.outOfOrder, v.lost, v.repeated)
}

// judge reads a journal of n messages.
func judge(journal []byte, n int) verdict {
	v := verdict{}
	type running struct{ process, seq uint64 }
	runs := map[uint64]running{}       // by key
	first := map[uint64]uint64{}       // the last that began for the first time, by key
	began := map[uint64]bool{}         // by sequence
	ended := map[uint64]bool{}         // by sequence
	last := map[[2]uint64]uint64{}     // the last that began, by process and key
	processes := map[uint64]struct{}{} // that have handled something
	for ; len(journal) >= eventSize; journal = journal[eventSize:] {
		e := eventOf(journal)
		switch e.what {
		case begins:
			processes[e.process] = struct{}{}
			if _, ok := runs[e.key]; ok {
				v.overlaps++
			}
			runs[e.key] = running{e.process, e.seq}
			if began[e.seq] {
				v.repeated++
			} else if e.seq < first[e.key] {
				v.outOfOrder++
			} else {
				first[e.key] = e.seq
			}
			began[e.seq] = true
			of := [2]uint64{e.process, e.key}
			if e.seq < last[of] {
				v.outOfOrder++
			}
			last[of] = e.seq
		case ends:
			if runs[e.key] == (running{e.process, e.seq}) {
				delete(runs, e.key)
			}
			ended[e.seq] = true
		case died:
			v.kills++
			for key, r := range runs {
				if r.process == e.process {
					delete(runs, key)
				}
			}
		}
	}
	v.handled, v.lost, v.processes = len(ended), n-len(ended), len(processes)
	return v
}

func TestProcessesThatShareKeepTheOrderOfEachKeyWhenOneIsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("appending to one file from several processes is not atomic")
	}
	for _, processes := range []int{2, 3} {
		if processes == 2 && !testkit.Full() {
			continue // nothing that three do not do
		}
		t.Run(fmt.Sprintf("%d processes", processes), func(t *testing.T) {
			share(t, processes)
		})
	}
}

func share(t *testing.T, processes int) {
	s := serve(t, t.TempDir(), -1)
	stream, p := newPartitioned(t, connect(t, s.ClientURL()), sharePartitions, jetstream.FileStorage, shareAckWait)
	path := filepath.Join(t.TempDir(), "journal")
	journal, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = journal.Close() }()
	stream.publish(t, *shared, shareKeys)
	began := time.Now()

	var running []*sharing
	next := 0
	start := func() {
		next++
		running = append(running, startSharing(t, s.ClientURL(), path, next))
	}
	for range processes {
		start()
	}
	events := func() int { // each message has two, and some more
		info, err := journal.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return int(info.Size()) / eventSize
	}
	for kill := range *sharedKill {
		for events() < 2**shared*(kill+1)/(*sharedKill+1) {
			if t.Context().Err() != nil {
				t.Fatal("the processes do not go on")
			}
			time.Sleep(time.Millisecond) // no event reports it
		}
		busy := latest(t, journal)
		i := slices.IndexFunc(running, func(r *sharing) bool { return r.number == busy })
		victim := running[i]
		running = slices.Delete(running, i, i+1)
		_ = victim.cmd.Process.Kill() // SIGKILL
		_ = victim.cmd.Wait()
		if err := (event{what: died, process: uint64(victim.number)}).append(journal); err != nil {
			t.Fatal(err)
		}
		start()
	}
	stream.settledAll(t, p, sharePartitions)
	took := time.Since(began).Round(time.Millisecond)
	for _, r := range running {
		_ = r.in.Close()
		if err := r.cmd.Wait(); err != nil {
			t.Errorf("process %d: %v", r.number, err)
		}
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v := judge(all, *shared)
	t.Logf("%v; %v", v, took)
	if v.overlaps > 0 || v.outOfOrder > 0 || v.lost > 0 || v.kills != *sharedKill || v.processes < processes+*sharedKill-1 {
		t.Error("that must not be")
	}
}

// latest returns the process that has begun or ended a message last.
func latest(t *testing.T, journal *os.File) (process int) {
	t.Helper()
	for end := int64(1); ; end++ {
		info, err := journal.Stat()
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, eventSize)
		if _, err := journal.ReadAt(b, info.Size()/eventSize*eventSize-end*eventSize); err != nil {
			t.Fatal(err)
		}
		if e := eventOf(b); e.what != died {
			return int(e.process)
		}
	}
}

func TestTheJournalsJudgeFindsWhatMustNotBe(t *testing.T) {
	for _, test := range []struct {
		name   string
		want   verdict
		events []event
	}{
		{"in order", verdict{handled: 2, processes: 1}, []event{{begins, 1, 1, 1}, {ends, 1, 1, 1}, {begins, 1, 1, 2}, {ends, 1, 1, 2}}},
		{"at the same time", verdict{handled: 2, processes: 2, overlaps: 1}, []event{{begins, 1, 1, 1}, {begins, 2, 1, 2}, {ends, 1, 1, 1}, {ends, 2, 1, 2}}},
		{"out of order", verdict{handled: 2, processes: 2, outOfOrder: 1}, []event{{begins, 1, 1, 2}, {ends, 1, 1, 2}, {begins, 2, 1, 1}, {ends, 2, 1, 1}}},
		{"lost", verdict{handled: 1, lost: 1, processes: 1}, []event{{begins, 1, 1, 1}, {ends, 1, 1, 1}, {begins, 1, 2, 2}}},
		{"repeated after a kill", verdict{handled: 2, processes: 2, kills: 1, repeated: 1}, []event{{begins, 1, 1, 1}, {died, 1, 0, 0}, {begins, 2, 1, 1}, {ends, 2, 1, 1}, {begins, 2, 1, 2}, {ends, 2, 1, 2}}},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range test.events {
			if err := e.append(f); err != nil {
				t.Fatal(err)
			}
		}
		_ = f.Close()
		all, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := judge(all, 2); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// A sharing process.
type sharing struct {
	number int
	cmd    *exec.Cmd
	in     io.Closer // to close it tells the process to end
}

func startSharing(t *testing.T, url, journal string, number int) *sharing {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), shareVariable+"="+url, shareJournal+"="+journal, fmt.Sprint(shareNumber, "=", number), fmt.Sprint(shareWork, "=", meanWork()))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &sharing{number, cmd, in}
}

// sharer is a process that shares. It ends with its standard input.
func sharer(url string) int {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	err := func() error {
		var number uint64
		if _, err := fmt.Sscan(os.Getenv(shareNumber), &number); err != nil {
			return err
		}
		mean, err := time.ParseDuration(os.Getenv(shareWork))
		if err != nil {
			return err
		}
		journal, err := os.OpenFile(os.Getenv(shareJournal), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		nc, err := nats.Connect(url)
		if err != nil {
			return err
		}
		defer nc.Close()
		js, err := jetstream.New(nc)
		if err != nil {
			return err
		}
		group := loopgroup.New[string](2)
		go func() { _ = group.Run(context.Background()) }()
		defer func() { _ = group.Shutdown(context.Background()) }()
		p := natsloop.Partitions{Stream: work, Group: "group", Config: jetstream.ConsumerConfig{AckWait: shareAckWait}}
		return natsloop.ConsumePartitions(ctx, js, p, group, func(m jetstream.Msg) *promise.Promise[struct{}] {
			loop := group.Loop(m.Subject())
			meta, err := m.Metadata()
			e := event{what: begins, process: number, seq: meta.Sequence.Stream}
			if err == nil {
				_, err = fmt.Sscanf(m.Subject(), "work.%d", &e.key)
			}
			if err == nil {
				err = e.append(journal)
			}
			if err != nil {
				return promise.Reject[struct{}](loop, err)
			}
			e.what = ends
			return promise.Then(promise.Sleep(context.Background(), loop, time.Duration(e.seq%3)*mean),
				func(struct{}) (struct{}, error) { return struct{}{}, e.append(journal) })
		})
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
