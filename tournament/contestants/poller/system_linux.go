package poller

const (
	mechanism          = "eventfd and epoll_wait"
	unavailable        = ""
	netpollUnavailable = ""
)

func newPoller() (sleeper, error) {
	p, err := newEpoll()
	if err != nil {
		return nil, err // and not a sleeper that holds a nil
	}
	return p, nil
}
