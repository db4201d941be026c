package netpoll

import "syscall"

// Wait asks the kernel for ready descriptors, and reports whether Next will return something. If it reports false,
// Ready is called before that changes. Only the owner calls it.
func (p *Poller[T]) Wait() bool {
	p.mu.Lock()
	set, open := p.set, p.notifier != nil
	p.round++
	p.mu.Unlock()
	if !open {
		return false
	}
	if size := len(p.events); size == 0 || p.found == size && size < waitMost {
		p.events = make([]Event, max(waitFirst, 2*size))
	}
	n, err := p.wait(set)
	p.found = n
	if err != nil {
		p.fail()
		return len(p.batch) > 0
	}
	p.batch = p.events[:n]
	p.leaks.waited()
	if n > 0 {
		if p.busy++; p.busy == disableFrom {
			p.disable()
		}
		return true
	}
	p.busy = 0
	return p.disabled && !p.enable()
}

// disableFrom is the number of successive waits with events from which disabling the notifier pays.
const disableFrom = 2

// The lock is held against Close.
func (p *Poller[T]) disable() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.notifier != nil {
		p.notifier.Disable()
		p.disabled = true
	}
}

// enable reports false if it fails: then the owner has to go on calling Wait.
func (p *Poller[T]) enable() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.disabled = p.notifier != nil && p.notifier.Enable() != nil
	return !p.disabled
}

func (p *Poller[T]) wait(set int) (n int, err error) {
	for {
		if n, err = p.calls.Wait(set, p.events); err != syscall.EINTR {
			return n, err
		}
	}
}

// Next takes the next event that the last Wait has found, and returns the callback of its registration. An event of 0
// means the end of the events. Released reports that the registration has ended, because the set has failed, and had
// a reference. Only the owner calls it.
func (p *Poller[T]) Next() (callback T, events Events, released bool) {
	for len(p.batch) > 0 {
		ev := p.batch[0]
		p.batch = p.batch[1:]
		p.mu.Lock()
		e := p.table.get(int(ev.FD))
		switch {
		case e == nil || !p.current(e, ev):
			p.mu.Unlock()
			if e == nil || ev.Generation != 0 {
				p.unclaimed(ev)
			}
			continue
		case ev.Events == failed:
			callback, events, released = e.callback, Error, e.ref
			p.table.remove(int(ev.FD))
		default:
			callback, events = e.callback, ev.Events&(e.events|Error|Hangup)
			if ev.Events&halfClosed != 0 {
				events |= e.events & Hangup
			}
			switch {
			case !e.begun:
				events = 0
			case e.events == 0:
				events &^= e.reported
				e.reported |= events
			}
		}
		p.mu.Unlock()
		if events != 0 {
			return callback, events, released
		}
	}
	var none T
	return none, 0, false
}

// current reports whether the event is for this registration.
func (p *Poller[T]) current(e *entry[T], ev Event) bool {
	if ev.Generation != 0 {
		return e.generation == ev.Generation
	}
	return e.round != p.round
}

// failed marks an event of a set that has failed.
const failed Events = 0xff

// fail gives up a set that cannot be used any more: every registration ends, with an error event as its last. The next
// one makes a new set.
func (p *Poller[T]) fail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeSet()
	p.events = nil
	p.batch = make([]Event, 0, p.table.n)
	for fd, e := range p.table.all {
		p.batch = append(p.batch, Event{FD: int32(fd), Generation: e.generation, Events: failed})
	}
	p.leaks = leaks{}
}
