package loopnet

import (
	"errors"
	"net"
	"time"
)

// acceptNet has a goroutine accept connections.
func (l *Listener) acceptNet() error {
	alive, err := l.loop.KeepAlive()
	if err != nil {
		return err
	}
	l.stop = func() { _ = alive.Release() }
	go func() {
		for {
			n, err := l.net.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // there is no descriptor for it, as a rule
				select {
				case <-time.After(50 * time.Millisecond):
					continue
				case <-l.loop.Done():
					return
				}
			}
			if l.loop.SubmitInternal(func() { l.acceptedNet(n) }) != nil {
				_ = n.Close()
			}
		}
	}()
	return nil
}

func (l *Listener) acceptedNet(n net.Conn) {
	c := &Conn{loop: l.loop, highWater: DefaultHighWater}
	if adoptNet(c, n) != nil {
		_ = n.Close()
		return
	}
	l.begin(c)
}
