//go:build !unix

package poller

import "github.com/eventloop-go/eventloop/tournament/contestant"

const (
	mechanism          = "an eventfd and epoll_wait, or a pipe and poll"
	unavailable        = "it sleeps in a poller that takes pipes or events, and this system has none; AlternateThree-Channel is the same loop without it"
	netpollUnavailable = unavailable
)

// These functions are never called where they are unavailable.
func newPoller() (sleeper, error)  { return nil, contestant.ErrUnavailable }
func newNetpoll() (sleeper, error) { return nil, contestant.ErrUnavailable }
