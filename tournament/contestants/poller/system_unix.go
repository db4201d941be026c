//go:build unix && !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package poller

import "github.com/eventloop-go/eventloop/tournament/contestant"

const (
	mechanism          = "a pipe and poll"
	unavailable        = ""
	netpollUnavailable = "only an epoll set can lie in the runtime's network poller here, and this system has none"
)

func newPoller() (sleeper, error) { return newPollSet() }

// newNetpoll is not called where it is unavailable.
func newNetpoll() (sleeper, error) { return nil, contestant.ErrUnavailable }
