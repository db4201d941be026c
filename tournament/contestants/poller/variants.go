package poller

import (
	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is AlternateThree.
var Contestant = contestant.Contestant{
	Name:        "AlternateThree",
	About:       "batches under a mutex; sleeps in the system's poller, and every submission writes to a descriptor in its set (" + mechanism + "): one place to wait for tasks, timers and readiness, at the price of system calls and a blocked thread",
	Unavailable: unavailable,
	New:         func() (contestant.Loop, error) { return newWatching(options{sleeper: newPoller}) },
}

// Variants differ from AlternateThree, or from each other, in one thing only.
var Variants = []contestant.Contestant{
	{
		Name:      "AlternateThree-Channel",
		VariantOf: "AlternateThree",
		Family:    "AlternateThree",
		About:     "AlternateThree that sleeps on a channel, and is woken through it as often: the same batches, the same lock, no descriptors",
		New:       func() (contestant.Loop, error) { return newLoop(options{sleeper: newChannel}) },
	},
	{
		Name:        "AlternateThree-Netpoll",
		VariantOf:   "AlternateThree",
		Family:      "AlternateThree",
		About:       "AlternateThree whose epoll set is handed to the runtime's network poller: the same eventfd, written to as often, but no thread blocks and no processor is lost",
		Unavailable: netpollUnavailable,
		New:         func() (contestant.Loop, error) { return newWatching(options{sleeper: newNetpoll}) },
	},
	{
		Name:        "AlternateThree-Coalesced",
		VariantOf:   "AlternateThree",
		Family:      "AlternateThree",
		About:       "AlternateThree whose producers write to the descriptor only if the loop sleeps",
		Unavailable: unavailable,
		New:         func() (contestant.Loop, error) { return newWatching(options{sleeper: newPoller, coalesced: true}) },
	},
	{
		Name:        "AlternateThree-Pinned",
		VariantOf:   "AlternateThree",
		Family:      "AlternateThree",
		About:       "AlternateThree that keeps its OS thread to itself",
		Unavailable: unavailable,
		New:         func() (contestant.Loop, error) { return newWatching(options{sleeper: newPoller, pinned: true}) },
	},
	{
		Name:      "AlternateThree-ChannelPinned",
		VariantOf: "AlternateThree-Channel",
		Family:    "AlternateThree",
		About:     "AlternateThree-Channel that keeps its OS thread to itself",
		New:       func() (contestant.Loop, error) { return newLoop(options{sleeper: newChannel, pinned: true}) },
	},
}

func newWatching(o options) (contestant.Loop, error) {
	l, err := newLoop(o)
	if err != nil {
		return nil, err
	}
	return watching{l}, nil
}
