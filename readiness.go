package eventloop

// ioOwner is the loop as the poller sees it.
type ioOwner Loop

// Ready has the loop look for descriptors that are ready.
func (o *ioOwner) Ready() {
	l := (*Loop)(o)
	l.in.mu.lock()
	asleep := l.in.arrive(pendingIO)
	l.in.mu.unlock()
	if asleep {
		l.unpark()
	}
}

// dispatchIO runs the callbacks of descriptors that are ready. As long as there are any, the loop asks for more in every
// turn, and does not sleep.
func (l *Loop) dispatchIO() {
	l.meterPause()
	l.ioReady = l.poller.Wait()
	if l.ioReady {
		l.runPhase(phaseIO)
		l.take()
	}
}
