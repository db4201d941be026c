package poller

import "time"

// A channel is a sleeper without a descriptor.
type channel chan struct{}

func newChannel() (sleeper, error) { return make(channel, 1), nil }

func (c channel) wait(timeout time.Duration, ready []int) ([]int, error) {
	switch {
	case timeout < 0:
		<-c
	case timeout == 0:
		select {
		case <-c:
		default:
		}
	default:
		alarm := time.NewTimer(timeout)
		defer alarm.Stop()
		select {
		case <-c:
		case <-alarm.C:
		}
	}
	return ready, nil
}

// wake leaves a token. One that finds another there is not needed.
func (c channel) wake() {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (c channel) close() {}
