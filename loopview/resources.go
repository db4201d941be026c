package loopview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

const (
	manyTimers   = 2000 // a loop that remembers where they were made takes milliseconds to list so many
	maxResources = 50   // rows
	askEvery     = time.Second
	askShare     = 200 // asking takes at most one part in so many of the loop's time
)

// A resource keeps a loop alive; it counts several of a kind that were made at one place.
type resource struct {
	Kind  inspect.ResourceKind `json:"kind"`
	Count int                  `json:"count"`
	Age   time.Duration        `json:"age"` // of the oldest
	Due   time.Duration        `json:"due"` // of the next timer
	FD    int                  `json:"fd"`
	Made  string               `json:"made"`
}

// An inventory lists the resources that keep a loop alive.
type inventory struct {
	Resources []resource `json:"list"`
	More      int        `json:"more"` // rows that are left out
	Note      string     `json:"note"`
}

// summary makes a row of those that are of a kind and from one place.
func summary(all []inspect.Resource) (found inventory) {
	type key struct {
		kind inspect.ResourceKind
		fd   int
		made string
	}
	index := make(map[key]int)
	for _, r := range all {
		k := key{r.Kind, r.FD, r.Made}
		i, known := index[k]
		if !known {
			if i = len(found.Resources); i == maxResources {
				found.More++
				continue
			}
			index[k] = i
			found.Resources = append(found.Resources, resource{Kind: r.Kind, Age: r.Age, Due: r.Due, FD: r.FD, Made: shorten(r.Made, maxText)})
		}
		row := &found.Resources[i]
		row.Count += r.Count
		row.Age, row.Due = max(row.Age, r.Age), min(row.Due, r.Due)
	}
	slices.SortStableFunc(found.Resources, func(a, b resource) int { return cmp.Compare(b.Age, a.Age) })
	return found
}

// A question asks a loop for the resources that keep it alive. Its queue holds at most one, even if it never runs.
type question struct {
	mu      sync.Mutex
	answer  inventory
	waiting bool
	took    time.Duration
	next    time.Time
}

// ask asks, unless the loop has not answered the last time, or has done so just now.
func (q *question) ask(loop *eventloop.Loop, timers uint64, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting || now.Before(q.next) {
		return
	}
	q.next = now.Add(max(askEvery, askShare*q.took))
	if timers > manyTimers {
		q.answer = inventory{Note: fmt.Sprintf("%d timers are too many to list.", timers)}
		return
	}
	q.waiting = loop.SubmitInternal(func() { q.find(loop) }) == nil
}

// find runs on the loop.
func (q *question) find(loop *eventloop.Loop) {
	start := time.Now()
	all, _ := inspect.ActiveResources(context.Background(), loop)
	found := summary(all)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.answer, q.waiting, q.took = found, false, time.Since(start)
}

func (q *question) found() inventory {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.answer
}
