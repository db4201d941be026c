package check

import (
	"errors"
	"fmt"
	"os"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// DescriptorReadiness is a pipe that the loop watches.
var DescriptorReadiness = Suite{
	Name:  "DescriptorReadiness",
	About: "a pipe is written to three times: the loop calls when it can be read, and runs tasks in between; after stop it calls no more",
	Needs: []contestant.Capability{contestant.HasDescriptors},
	Run: func(t *Trial) error {
		r, err := t.Start()
		if err != nil {
			return err
		}
		in, out, err := os.Pipe()
		if err != nil {
			return err
		}
		defer in.Close()
		defer out.Close()
		got := make(chan byte, 4) // more than are written, so that the loop does not wait here
		stop, err := r.Loop.(contestant.Descriptors).WatchReadable(int(in.Fd()), func() {
			var b [1]byte
			if _, err := in.Read(b[:]); err == nil {
				got <- b[0]
			}
		})
		if err != nil {
			return fmt.Errorf("WatchReadable: %w", err)
		}
		for _, want := range []byte("abc") {
			if _, err := out.Write([]byte{want}); err != nil {
				return err
			}
			read := make(chan struct{})
			var b byte
			go func() { b = <-got; close(read) }()
			if err := r.Await(read, "the call for what was written"); err != nil {
				got <- 0
				return err
			}
			if b != want {
				return fmt.Errorf("read %c, want %c", b, want)
			}
			if err := r.Round("a task of a loop that watches"); err != nil {
				return err
			}
		}
		if err := errors.Join(stop(), stop()); err != nil { // twice does no harm
			return fmt.Errorf("stop: %w", err)
		}
		if err := r.Round("a task behind stop"); err != nil { // a call that had begun is over
			return err
		}
		if _, err := out.Write([]byte("d")); err != nil {
			return err
		}
		// A loop that reports later readiness has seen the earlier readiness.
		if err := r.watchAnother(); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
		if len(got) > 0 {
			return errors.New("the loop calls although it was told to stop watching")
		}
		return nil
	},
}

// watchAnother watches another pipe, which can be read, until the loop has called twice.
func (r *Running) watchAnother() error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	defer out.Close()
	if _, err := out.Write([]byte("e")); err != nil {
		return err
	}
	called := make(chan struct{})
	calls := 0
	stop, err := r.Loop.(contestant.Descriptors).WatchReadable(int(in.Fd()), func() {
		if calls++; calls == 2 {
			close(called)
		}
	})
	if err != nil {
		return fmt.Errorf("WatchReadable: %w", err)
	}
	if err := r.Await(called, "two calls for what is not read"); err != nil {
		return err
	}
	if err := stop(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return r.Round("a task behind stop")
}
