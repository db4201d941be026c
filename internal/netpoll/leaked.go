package netpoll

// A leaked registration is one that the kernel has and the table has not. It arises when a descriptor is closed, or
// could not be deleted, while a duplicate keeps its file open. Epoll then goes on reporting the file, under a number
// by which it cannot be deleted any more. The remedy is a new set.
//
// An event without a registration may also be one that a callback of the same batch has just ended. Only the
// event of a leaked one comes again with the next wait.
type leaks struct {
	seen, before []Event
}

// waited begins a new round.
func (o *leaks) waited() {
	if len(o.seen)|len(o.before) != 0 {
		o.seen, o.before = o.before[:0], o.seen
	}
}

// unclaimed notes an event that no registration is for.
func (p *Poller[T]) unclaimed(ev Event) {
	if ev.Events == failed {
		return
	}
	o := &p.leaks
	for _, b := range o.before {
		if b.FD == ev.FD && b.Generation == ev.Generation {
			p.rebuild()
			return
		}
	}
	o.seen = append(o.seen, ev)
}

// rebuild moves all registrations to a new set. Those that the old one has lost, for their descriptors were closed, stay
// behind: their numbers may belong to other files. If there cannot be a new set, the poller fails.
func (p *Poller[T]) rebuild() {
	p.leaks = leaks{}
	p.batch = nil // readiness is reported again
	if !p.move() {
		p.fail()
	}
}

func (p *Poller[T]) move() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.notifier == nil { // the poller was closed by the callback of an earlier event
		return true
	}
	set, err := p.create()
	if err != nil {
		return false
	}
	notifier, err := p.calls.Notify(set, p.owner.Ready)
	if err != nil {
		return false
	}
	for fd, e := range p.table.all {
		add := Change{Op: Add, FD: fd, Generation: e.generation, Events: e.events}
		err := p.controlIn(set, add)
		// Anybody may close the descriptor meanwhile, and use its number again. If the old set has it after it was added
		// to the new one, the same file was added.
		if p.controlIn(p.set, Change{Op: Modify, FD: fd, Generation: e.generation, Events: e.events, Before: e.events}) != nil {
			if err == nil {
				_ = p.controlIn(set, Change{Op: Delete, FD: fd, Generation: e.generation, Before: e.events})
			}
			continue
		}
		if err != nil {
			_ = notifier.Close()
			return false
		}
	}
	p.closeSet()
	p.set, p.notifier = set, notifier
	p.busy, p.disabled = 0, false
	return true
}
