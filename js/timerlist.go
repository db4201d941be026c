package js

// timerLists holds pending timers as Node does (lib/internal/timers.js). It has a list for each delay, in order of
// starting, and a heap of the lists by the millisecond in which their first timer is due. Timers due in the same
// millisecond run list by list, the older list first, which scripts can observe.
//
// Inserting is appending: only the first timer of a delay touches the heap.
type timerLists struct {
	byDelay map[int64]*timerList
	heap    []*timerList
	lastID  uint64
	running timerList // timers whose callbacks are in progress, nested in each other; in no map or heap
}

type timerList struct {
	ms         int64
	expiry     int64 // whole milliseconds since the origin
	id         uint64
	pos        int // in the heap
	head, tail *Timeout
}

// insert appends t, whose start and delay are set, to its list, and reports whether it has made that.
func (q *timerLists) insert(t *Timeout) (made bool) {
	t.unlink()
	list := q.byDelay[t.ms]
	if made = list == nil; made {
		q.lastID++
		list = &timerList{ms: t.ms, expiry: t.expiry(), id: q.lastID, pos: len(q.heap)}
		if q.byDelay == nil {
			q.byDelay = make(map[int64]*timerList)
		}
		q.byDelay[t.ms] = list
		q.heap = append(q.heap, list)
		q.up(list.pos)
	}
	list.append(t)
	return made
}

// run moves a timer to those whose callbacks are in progress.
func (q *timerLists) run(t *Timeout) {
	t.unlink()
	q.running.append(t)
}

func (l *timerList) append(t *Timeout) {
	t.list, t.prev = l, l.tail
	if l.tail != nil {
		l.tail.next = t
	} else {
		l.head = t
	}
	l.tail = t
}

func (t *Timeout) unlink() {
	list := t.list
	if list == nil {
		return
	}
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		list.head = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else {
		list.tail = t.prev
	}
	t.list, t.prev, t.next = nil, nil, nil
}

// drop removes an empty list.
func (q *timerLists) drop(list *timerList) {
	if q.byDelay[list.ms] != list {
		return
	}
	delete(q.byDelay, list.ms)
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap[last] = nil
	q.heap = q.heap[:last]
	if moved != list {
		q.heap[list.pos], moved.pos = moved, list.pos
		q.up(moved.pos)
		q.down(moved.pos)
	}
}

// postpone moves a list behind others, after its first timer has changed.
func (q *timerLists) postpone(list *timerList, expiry int64) {
	q.lastID++
	list.expiry, list.id = expiry, q.lastID
	q.down(list.pos)
}

// advance moves a list to where its first timer expires, if that is earlier.
func (q *timerLists) advance(list *timerList) {
	if q.byDelay[list.ms] != list || list.head == nil || list.head.expiry() >= list.expiry {
		return
	}
	list.expiry = list.head.expiry()
	q.up(list.pos)
}

func (q *timerLists) before(i, j int) bool {
	a, b := q.heap[i], q.heap[j]
	return a.expiry < b.expiry || a.expiry == b.expiry && a.id < b.id
}

func (q *timerLists) swap(i, j int) {
	h := q.heap
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

func (q *timerLists) up(i int) {
	for i > 0 && q.before(i, (i-1)/2) {
		q.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (q *timerLists) down(i int) {
	for {
		least := 2*i + 1
		if least >= len(q.heap) {
			return
		}
		if right := least + 1; right < len(q.heap) && q.before(right, least) {
			least = right
		}
		if !q.before(least, i) {
			return
		}
		q.swap(i, least)
		i = least
	}
}

// lastDue returns when the last timer is due that expires up to a millisecond, in nanoseconds since the origin; 0
// without any.
func (q *timerLists) lastDue(ms int64) int64 {
	_, last := q.dueBelow(0, ms)
	return last
}

// due returns when the first timer is due, or when an empty list must be checked, in nanoseconds since the origin.
func (q *timerLists) due() int64 {
	first, _ := q.dueBelow(0, q.expiry())
	return first
}

// expiry is the millisecond in which the first list expires.
func (q *timerLists) expiry() int64 {
	if len(q.heap) == 0 {
		return never
	}
	return q.heap[0].expiry
}

// dueBelow returns when the first and the last timer are due, of the timers that expire up to a millisecond. It
// covers a list and the lists below it in the heap.
func (q *timerLists) dueBelow(i int, ms int64) (first, last int64) {
	if i >= len(q.heap) || q.heap[i].expiry > ms {
		return never, 0
	}
	list := q.heap[i]
	first = never
	for t := list.head; t != nil && t.expiry() <= ms; t = t.next {
		due := t.due() // intervals that were late stand behind timers started after their beat
		first, last = min(first, due), max(last, due)
	}
	// The list is not read before it expires. Then it moves to its place if timers were cleared from its front.
	if begins := list.expiry * millisecond; last == 0 || first < begins {
		first = begins
	}
	for child := 2*i + 1; child <= 2*i+2; child++ {
		f, l := q.dueBelow(child, ms)
		first, last = min(first, f), max(last, l)
	}
	return first, last
}
