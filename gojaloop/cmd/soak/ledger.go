package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A ledger counts the begun and ended items of one kind of load. Each item must end once.
type ledger struct {
	name         string
	begun, ended atomic.Int64
	twice, wrong atomic.Int64

	mu    sync.Mutex
	first string // the first fault
}

// An item must happen once.
type item struct {
	ledger *ledger
	ran    atomic.Bool
	ends   *sync.WaitGroup
}

// begin records an item; its end reports to ends.
func (l *ledger) begin(ends *sync.WaitGroup) *item {
	l.begun.Add(1)
	ends.Add(1)
	return &item{ledger: l, ends: ends}
}

func (i *item) end() {
	if i.ran.Swap(true) {
		i.ledger.twice.Add(1)
		return
	}
	i.ledger.ended.Add(1)
	i.ends.Done()
}

// check notes that something is not as it has to be.
func (l *ledger) check(ok bool, format string, args ...any) {
	if ok {
		return
	}
	l.wrong.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == "" {
		l.first = fmt.Sprintf(format, args...)
	}
}

// A Count is a ledger at the end.
type Count struct {
	Kind                       string
	Begun, Ended, Twice, Wrong int64
	First                      string `json:",omitempty"` // the first fault
}

func (l *ledger) count() Count {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Count{l.name, l.begun.Load(), l.ended.Load(), l.twice.Load(), l.wrong.Load(), l.first}
}

func (c Count) good() bool { return c.Begun == c.Ended && c.Twice == 0 && c.Wrong == 0 }
