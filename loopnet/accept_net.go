package loopnet

import (
	"errors"
	"net"
	"time"

	"github.com/eventloop-go/eventloop/internal/stream"
)

// acceptPause is how long a listener waits when the process or the system has run out of descriptors.
const acceptPause = 50 * time.Millisecond

// acceptNet has a goroutine accept connections.
func (l *Listener) acceptNet() error {
	release, err := l.loop.KeepAlive()
	if err != nil {
		return err
	}
	l.stop = release
	if s, ok := l.net.(stream.Listener); ok {
		s.OnAccept(l.acceptedNet)
		return nil
	}
	go func() {
		for {
			n, err := l.net.Accept()
			if errors.Is(err, net.ErrClosed) || err != nil && l.group.forgot(l) {
				return
			}
			if err != nil { // there is no descriptor for it, as a rule
				select {
				case <-time.After(acceptPause):
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
	if l.group.forgot(l) || adopt(c, n) != nil {
		_ = n.Close()
		return
	}
	l.accepted(c)
}
