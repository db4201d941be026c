package workload

import (
	"errors"
	"io"
	"os"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// watches are descriptors that the loop of a trial watches, each with another end.
type watches struct {
	t          *Trial
	own, peers []int
	opened     []io.Closer // files that have taken the place of peers
	stops      []func() error
}

// watch opens n descriptors and has the loop watch them. One that fails leaves its descriptors open, as does a trial that
// is given up: the loop may watch them.
func (t *Trial) watch(n int, open func() (own, peer int, err error), ready func(own int)) (*watches, error) {
	w := &watches{t: t}
	for range n {
		own, peer, err := open()
		if err != nil {
			return nil, err
		}
		w.own, w.peers = append(w.own, own), append(w.peers, peer)
		stop, err := t.Loop.(contestant.Descriptors).WatchReadable(own, func() { ready(own) })
		if err != nil {
			return nil, err
		}
		w.stops = append(w.stops, stop)
	}
	return w, nil
}

// files makes files of the other ends, which package os waits for without a thread.
func (w *watches) files() ([]*os.File, error) {
	var files []*os.File
	for _, fd := range w.peers {
		f := os.NewFile(uintptr(fd), "socket")
		if f == nil {
			return nil, errors.New("a descriptor is no file")
		}
		files, w.opened = append(files, f), append(w.opened, f)
	}
	w.peers = nil
	return files, nil
}

// close has the loop stop watching, and closes both ends when no callback is running any more.
func (w *watches) close() error {
	var err error
	for _, stop := range w.stops {
		err = errors.Join(err, stop())
	}
	quiet := make(chan struct{})
	if err := w.t.Loop.Submit(func() { w.t.emptyRan++; close(quiet) }); err != nil {
		return err
	}
	w.t.Submitted(1)
	<-quiet
	for _, f := range w.opened {
		err = errors.Join(err, f.Close())
	}
	return errors.Join(err, closeAll(w.own), closeAll(w.peers))
}

// exchange sends n messages over the files and waits for the answers.
func exchange(n int, files []*os.File) error {
	var message, answer [echoSize]byte
	for left := n; left > 0; left -= len(files) {
		now := files[:min(left, len(files))]
		for i, f := range now {
			message[0] = byte(left + i)
			if _, err := f.Write(message[:]); err != nil {
				return err
			}
		}
		for i, f := range now {
			message[0] = byte(left + i)
			if _, err := io.ReadFull(f, answer[:]); err != nil {
				return err
			}
			if answer != message {
				return errors.New("another message came back")
			}
		}
	}
	return nil
}
