package natsloop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A member is a call of ConsumePartitions.
//
// Members do not talk to each other. Each has one request waiting at a consumer that never has messages, the roster.
// The number of requests there is the number of members. A share is the number of partitions divided by that, rounded
// up. A member with fewer partitions requests messages of all partitions, and gets messages of the free ones. A
// member with its share requests messages of its own partitions only. A member with more gives some up. All shares
// together cover the partitions, so every partition has a member that requests it.
//
// Wrong counts cost balance, but not order: pins and outstanding messages keep that (see partition).
type member struct {
	js      jetstream.JetStream
	stream  jetstream.Stream
	group   string
	roster  jetstream.Consumer
	parts   []*partition
	lease   *lease
	wait    time.Duration // AckWait
	expires time.Duration // of a request; a pin lasts for three of them
	batch   int
	report  func(jetstream.Msg, error)

	checks sync.WaitGroup

	mu      sync.Mutex
	share   int
	held    int
	changed chan struct{} // closed when share or held have changed
}

// pinTTL is how long a pin outlives the last request of its member.
func pinTTL(ackWait time.Duration) time.Duration { return min(ackWait, 6*time.Second) }

func (m *member) run(ctx context.Context) error {
	stopped, stop := context.WithCancelCause(context.WithoutCancel(ctx)) // its cause is errStopping at the end of ctx
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(errStopping) })()
	for _, p := range m.parts {
		p.stop = stop
	}
	var serving sync.WaitGroup
	start := func(f func()) { serving.Add(1); go func() { defer serving.Done(); f() }() }
	for _, p := range m.parts {
		start(func() { p.serve(stopped) })
	}
	start(func() { m.enrol(stopped) })
	start(func() { m.count(stopped) })
	ended := make(chan struct{})
	var extending sync.WaitGroup
	extending.Add(1)
	go func() { defer extending.Done(); m.extend(ended) }()

	<-stopped.Done()
	for _, p := range m.parts {
		start(func() {
			p.release(stopped) // before anything is returned, which would come back here
			p.stopping.Store(true)
			p.keepNone()
		})
	}
	serving.Wait()
	m.checks.Wait()
	errs := make([]error, len(m.parts))
	var draining sync.WaitGroup
	for i, p := range m.parts {
		draining.Add(1)
		go func() { defer draining.Done(); errs[i] = p.drain() }()
	}
	draining.Wait()
	close(ended)
	extending.Wait()
	for _, p := range m.parts {
		p.forgetLanes()
	}
	if cause := context.Cause(stopped); cause != errStopping {
		errs = append(errs, cause)
	}
	return errors.Join(errs...)
}

// wants waits until this member is to ask for messages of p, and reports false when stopped is closed.
func (m *member) wants(p *partition, stopped context.Context) bool {
	for {
		m.mu.Lock()
		wanted, changed := p.pinned || m.held < m.share, m.changed
		m.mu.Unlock()
		if stopped.Err() != nil {
			return false
		}
		if wanted {
			return true
		}
		select {
		case <-changed:
		case <-stopped.Done():
			return false
		}
	}
}

// surplus reports whether this member is to give p up.
func (m *member) surplus(p *partition) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return p.pinned && m.held > m.share
}

// hold counts p as this member's.
func (m *member) hold(p *partition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !p.pinned {
		p.pinned = true
		m.held++
		m.change()
	}
}

// drop does not any more, and reports whether it was.
func (m *member) drop(p *partition) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !p.pinned {
		return false
	}
	p.pinned = false
	m.held--
	m.change()
	return true
}

func (m *member) change() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// enrol keeps a request waiting at the roster.
func (m *member) enrol(stopped context.Context) {
	for stopped.Err() == nil {
		ctx, cancel := context.WithTimeout(stopped, 3*m.expires)
		batch, err := m.roster.Fetch(1, jetstream.FetchContext(ctx))
		if err == nil {
			for range batch.Messages() { // there are none
			}
			err = batch.Error()
		}
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			m.report(nil, err)
			sleep(stopped, m.expires)
		}
	}
}

// count sets the share. A request that is being renewed is missed now and then, so that a number counts when it is read twice.
func (m *member) count(stopped context.Context) {
	last := 0
	for {
		wait := m.expires
		ctx, cancel := context.WithTimeout(stopped, closing)
		info, err := m.roster.Info(ctx)
		cancel()
		if err == nil {
			n := max(info.NumWaiting, 1)
			m.mu.Lock()
			if n == last || m.share == 0 {
				m.share = (len(m.parts) + n - 1) / n
				m.change()
			} else {
				wait /= 10
			}
			m.mu.Unlock()
			last = n
		}
		if !sleep(stopped, wait) {
			return
		}
	}
}

// extend reports to the server, every third of AckWait, that the messages in flight are in progress. The server
// confirms.
func (m *member) extend(ended <-chan struct{}) {
	ticker := time.NewTicker(m.wait / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		began := m.lease.now()
		extended := 0
		for _, p := range m.parts {
			for _, msg := range p.flight.extendable(m.lease) {
				if err := msg.InProgress(); err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
					m.report(msg, fmt.Errorf("natsloop: not extended: %w", err))
					break
				}
				extended++
			}
		}
		if extended == 0 {
			continue
		}
		if err := m.js.Conn().FlushTimeout(m.wait / 3); err != nil {
			if !errors.Is(err, nats.ErrConnectionClosed) { // serve reports that
				m.report(nil, fmt.Errorf("natsloop: extensions are not confirmed: %w", err))
			}
			continue
		}
		m.lease.confirmed.Store(began)
	}
}
