//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package poller

import "github.com/eventloop-go/eventloop/tournament/contestant"

const (
	mechanism          = "a pipe and kevent"
	unavailable        = ""
	netpollUnavailable = "written for an epoll set, and this system has none"
)

func newPoller() (sleeper, error) {
	k, err := newKqueue()
	if err != nil {
		return nil, err // and not a sleeper that holds a nil
	}
	return k, nil
}

// newNetpoll is not called where it is unavailable.
func newNetpoll() (sleeper, error) { return nil, contestant.ErrUnavailable }
