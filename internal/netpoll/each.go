package netpoll

// Each calls visit for each registration, with whether it has a reference. Any goroutine may call it; visit must not use the
// poller.
func (p *Poller[T]) Each(visit func(fd int, ref bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for fd, e := range p.table.all {
		visit(fd, e.ref)
	}
}
