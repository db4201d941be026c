package explore

// Send puts a token into a channel, or waits until there is room.
func Send(ch chan<- struct{}) {
	if r := current.Load(); r != nil {
		if cap(ch) == 0 {
			panic("explore: send on a channel without a buffer")
		}
		r.cur.until, r.cur.wait = func() bool { return len(ch) < cap(ch) }, waitsForRoom
		r.block("Send")
	}
	ch <- struct{}{}
}

// TrySend puts a token into a channel if that has room for it.
func TrySend(ch chan<- struct{}) {
	before("TrySend")
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Receive waits for a token, or until the channel is closed.
func Receive(ch <-chan struct{}) {
	if r := current.Load(); r != nil {
		r.cur.chans, r.cur.wait = [3]<-chan struct{}{ch}, waitsForChannel
		r.block("Receive")
	}
	<-ch
}

// Close closes a channel.
func Close(ch chan struct{}) {
	before("Close")
	close(ch)
}

// WaitAny waits until one of the channels has a token, which it takes, or is closed, and returns its place. A nil
// channel never is.
func WaitAny(a, b, c <-chan struct{}) int {
	r := current.Load()
	if r == nil {
		select {
		case <-a:
			return 0
		case <-b:
			return 1
		case <-c:
			return 2
		}
	}
	chans := [3]<-chan struct{}{a, b, c}
	r.cur.chans, r.cur.wait = chans, waitsForChannel
	r.block("WaitAny")
	var ready [3]int
	n := 0
	for i, ch := range chans {
		if receivable(ch) {
			ready[n] = i
			n++
		}
	}
	i := ready[r.pick(n)]
	<-chans[i]
	return i
}

// pick chooses one of n, which Go does at random where several channels of a select are ready.
func (r *run) pick(n int) int {
	if n < 2 {
		return 0
	}
	i := r.strategy.pick(r, n)
	if i != 0 {
		r.taken = append(r.taken, Decision{At: r.decisions, Value: int64(i)})
	}
	r.decisions++
	return i
}
