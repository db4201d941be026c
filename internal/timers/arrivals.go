package timers

// Arrivals are entries that were handed in from anywhere and that the owner has not taken. The lock guards them.
//
// Those that were cancelled meanwhile are dropped little by little, a few at each push, by passes over the list. A pass
// moves the live entries together, from where it reads to where it writes. In between there are only places without
// a timer, which the owner skips if it takes the list in the middle of a pass.
type arrivals struct {
	list
	n     int // entries
	read  place
	write place
	spare pool
}

// A place is an index in a chunk.
type place struct {
	c *chunk
	i int
}

const pruneStep = 4 // arrivals looked at for each that is pushed

// prune goes on with the pass in progress, or begins one. It tells recycle which timers can be used again, and
// returns how many entries it dropped. The last chunk, which is being filled, is not looked at.
func (a *arrivals) prune(recycle func(*Timer)) (dropped int) {
	if a.read.c == nil {
		a.read, a.write = place{c: a.head}, place{c: a.head}
	}
	for range pruneStep {
		if a.read.c == a.tail {
			a.read, a.write = place{}, place{}
			break
		}
		if a.read.i == a.read.c.n {
			a.leave()
			continue
		}
		e := &a.read.c.e[a.read.i]
		if e.live() {
			a.keep(e)
		} else {
			if e.reusable() {
				recycle(e.Timer)
			}
			*e = Entry{}
			dropped++
		}
		a.read.i++
	}
	a.n -= dropped
	return dropped
}

// keep moves the entry that is read to where the pass writes: in the chunk that it reads, or at the end of the one before.
func (a *arrivals) keep(e *Entry) {
	w := &a.write
	if w.c != a.read.c {
		if w.c.n < chunkSize {
			w.c.e[w.c.n] = *e
			w.c.n++
			*e = Entry{}
			return
		}
		*w = place{c: a.read.c}
	}
	if w.i != a.read.i {
		w.c.e[w.i] = *e
		*e = Entry{}
	}
	w.i++
}

// leave goes on to the next chunk. What is left of the one that has been read is what was written into it.
func (a *arrivals) leave() {
	c := a.read.c
	a.read = place{c: c.next}
	if c == a.write.c {
		c.n = a.write.i
	} else {
		a.write.c.next = c.next
		a.spare.put(c)
	}
}

// take hands the list over.
func (a *arrivals) take() list {
	taken := a.list
	a.list, a.n = list{}, 0
	a.read, a.write = place{}, place{}
	return taken
}
