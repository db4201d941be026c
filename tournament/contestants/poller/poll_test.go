//go:build unix

package poller

import (
	"context"
	"os"
	"testing"
	"time"
)

// On most systems nothing else uses it.
func TestThePollSetWakesTimesAndWatches(t *testing.T) {
	l, err := newLoop(options{sleeper: newPollSet})
	if err != nil {
		t.Fatal(err)
	}
	loop := watching{l}
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	for range 100 {
		ran := make(chan struct{})
		if err := loop.Submit(func() { close(ran) }); err != nil {
			t.Fatal(err)
		}
		<-ran
	}
	began, fired := time.Now(), make(chan time.Duration)
	if _, err := loop.AfterFunc(1500*time.Microsecond, func() { fired <- time.Since(began) }); err != nil {
		t.Fatal(err)
	}
	if after := <-fired; after < 1500*time.Microsecond {
		t.Errorf("a timer of 1.5 ms fired after %v", after)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	got := make(chan byte)
	stop, err := loop.WatchReadable(int(r.Fd()), func() {
		var b [1]byte
		_, _ = r.Read(b[:])
		got <- b[0]
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loop.WatchReadable(int(r.Fd()), func() {}); err == nil {
		t.Error("a descriptor is watched twice")
	}
	for _, b := range []byte("abc") {
		if _, err := w.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
		if g := <-got; g != b {
			t.Errorf("read %c, want %c", g, b)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
}

func TestTimeoutsAreRoundedUpToMilliseconds(t *testing.T) {
	for timeout, want := range map[time.Duration]int{
		-1: -1, 0: 0, 1: 1, time.Millisecond: 1, time.Millisecond + 1: 2, 1 << 62: 1<<31 - 1,
	} {
		if got := milliseconds(timeout); got != want {
			t.Errorf("%v: %d, want %d", timeout, got, want)
		}
	}
}
