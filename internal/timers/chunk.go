package timers

// A chunk holds entries in the order of arrival. It has a size that the allocator serves without waste, and a list of
// chunks grows and is handed over without any entry being copied.
type chunk struct {
	next *chunk
	n    int
	e    [chunkSize]Entry
}

const chunkSize = 42 // 1,024 bytes

// A list is a queue of chunks.
type list struct {
	head, tail *chunk
}

func (l *list) append(c *chunk) {
	if l.tail == nil {
		l.head = c
	} else {
		l.tail.next = c
	}
	l.tail = c
}

// full reports whether there is no room in the last chunk.
func (l *list) full() bool { return l.tail == nil || l.tail.n == chunkSize }

// push adds an entry, for which there must be room.
func (l *list) push(e Entry) {
	c := l.tail
	c.e[c.n] = e
	c.n++
}

// shift removes the first chunk.
func (l *list) shift() *chunk {
	c := l.head
	l.head, c.next = c.next, nil
	if l.head == nil {
		l.tail = nil
	}
	return c
}

// A pool has empty chunks.
type pool struct {
	list
	n int
}

const poolSize = 100 // chunks, enough for some 4,000 entries

// get takes a chunk out, or makes one.
func (p *pool) get() *chunk {
	if p.head == nil {
		return new(chunk)
	}
	p.n--
	return p.shift()
}

// put takes a chunk, whose entries are forgotten.
func (p *pool) put(c *chunk) {
	if p.n >= poolSize {
		return
	}
	clear(c.e[:c.n])
	c.n, c.next = 0, nil
	p.append(c)
	p.n++
}

// join takes all chunks of another pool.
func (p *pool) join(other *pool) {
	if other.head == nil {
		return
	}
	if p.tail == nil {
		*p, *other = *other, pool{}
		return
	}
	p.tail.next, p.tail = other.head, other.tail
	p.n += other.n
	*other = pool{}
}
