// Package jobs is a job queue with leases on three hosts, as an example for package loopsim. There is a server. Workers lease jobs, work on
// them in slices, and report that they are done.
package jobs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
	"github.com/eventloop-go/eventloop/promise"
)

// A Bug is a known fault that can be put into the program.
type Bug string

// The known faults.
const (
	None            Bug = ""
	AckBeforeSync   Bug = "the queue acknowledges a job before it is synced"
	TornLine        Bug = "the queue appends behind a line that a crash has torn"
	TokensRestart   Bug = "the queue counts leases from 1 after a restart"
	AddTwice        Bug = "a job that is added again is another job"
	LeaseFromAnswer Bug = "a worker counts its lease from the answer"
	LeaseByDate     Bug = "a worker measures its lease by the date"
	CheckOnce       Bug = "a worker checks its lease before the work, and not during it"
	StaysBusy       Bug = "a time-out leaves the worker busy"
)

// Bugs returns all known faults.
func Bugs() []Bug {
	return []Bug{AckBeforeSync, TornLine, TokensRestart, AddTwice, LeaseFromAnswer, LeaseByDate, CheckOnce, StaysBusy}
}

const (
	lease   = 2 * time.Second
	margin  = lease / 20 // for clocks that do not go equally fast
	slice   = 100 * time.Millisecond
	limit   = time.Second // for an answer
	logFile = "log"
)

// A job is one of the queue.
type job struct {
	id     string
	token  int
	until  time.Duration // of the lease, on the host's clock that does not jump
	leased bool
	done   bool
}

// A queue is the server. Its log has a line for each change, which is synced before anybody learns of the change.
type queue struct {
	h      *loopsim.Host
	bug    Bug
	jobs   []*job
	tokens int
	done   func(id string) // is called once for each job, when that it is done is durable
}

// Serve runs the queue.
func Serve(h *loopsim.Host, bug Bug, done func(id string)) error {
	q := &queue{h: h, bug: bug, done: done}
	if err := q.load(); err != nil {
		return err
	}
	return rpc.Serve(h, 80, q.handle)
}

func (q *queue) load() error {
	if q.bug == TornLine {
		data, _ := q.h.Disk().ReadFile(logFile)
		for line := range strings.Lines(string(data)) {
			q.apply(strings.TrimSuffix(line, "\n"))
		}
		return nil
	}
	lines, err := rpc.ReadLog(q.h.Disk(), logFile)
	for _, line := range lines {
		q.apply(line)
	}
	return err
}

// apply makes the change of a line of the log.
func (q *queue) apply(line string) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return
	}
	switch j := q.find(fields[1]); fields[0] {
	case "add":
		if j == nil || q.bug == AddTwice {
			q.jobs = append(q.jobs, &job{id: fields[1]})
		}
	case "lease":
		if token, err := strconv.Atoi(fields[len(fields)-1]); err == nil && j != nil {
			j.token, j.leased, j.until = token, true, q.h.Uptime()+lease+margin
			if q.bug != TokensRestart {
				q.tokens = max(q.tokens, token)
			}
		}
	case "done":
		if j != nil {
			j.done = true
		}
	}
}

// find returns the job of an id that is not done, or one that is.
func (q *queue) find(id string) (found *job) {
	for _, j := range q.jobs {
		if j.id == id && (found == nil || !j.done) {
			found = j
		}
	}
	return found
}

// write makes a change durable, and then makes it. After an error the content of the disk is not known, so the host starts again.
func (q *queue) write(line string, lazy bool) bool {
	d := q.h.Disk()
	err := d.Append(logFile, []byte(line+"\n"))
	if err == nil && !lazy {
		err = d.Sync(logFile)
	}
	if err != nil {
		q.h.World().Inject(loopsim.Fault{Kind: loopsim.Kill, Host: q.h.Name(), For: time.Second})
		return false
	}
	q.apply(line)
	return true
}

func (q *queue) handle(request string, answer func(string)) {
	fields := strings.Fields(request)
	switch fields[0] {
	case "add":
		if q.bug != AddTwice && q.find(fields[1]) != nil || q.write(request, q.bug == AckBeforeSync) {
			answer("added")
		}
	case "take":
		for _, j := range q.jobs {
			if j.done || j.leased && q.h.Uptime() < j.until {
				continue
			}
			q.tokens++
			if q.write(fmt.Sprintf("lease %s %d", j.id, q.tokens), false) {
				answer(fmt.Sprintf("job %s %d", j.id, j.token))
			}
			return
		}
		answer("none")
	case "done":
		q.finish(fields[1], fields[2], answer)
	}
}

func (q *queue) finish(id, token string, answer func(string)) {
	j := q.find(id)
	switch {
	case j == nil || strconv.Itoa(j.token) != token:
		answer("stale")
	case j.done:
		answer("ok")
	case q.write("done "+id, false):
		q.done(id)
		answer("ok")
	}
}

// A Worker works on jobs.
type Worker struct {
	h     *loopsim.Host
	bug   Bug
	queue *rpc.Client
	busy  bool
	act   func(id string, token int) // a slice of the work
	idle  func()                     // the queue has no job
}

// Work runs a worker: act is called for each slice of the work on a job, and idle when the queue has no job.
func Work(h *loopsim.Host, bug Bug, act func(id string, token int), idle func()) *Worker {
	w := &Worker{h: h, bug: bug, queue: rpc.NewClient(h, "queue:80"), act: act, idle: idle}
	_, _ = h.Loop().ScheduleRepeating(200*time.Millisecond, func() {
		if w.busy {
			return
		}
		w.busy = true
		promise.Async(context.Background(), h.Loop(), func(co *promise.Coroutine) (struct{}, error) {
			finished := w.turn(co)
			w.busy = w.bug == StaysBusy && !finished
			return struct{}{}, nil
		})
	})
	return w
}

// Add adds a job, and asks again until it is acknowledged.
func (w *Worker) Add(id string, added func()) {
	promise.Async(context.Background(), w.h.Loop(), func(co *promise.Coroutine) (struct{}, error) {
		for {
			if answer, err := promise.Await(co, w.queue.Call("add "+id, limit)); err == nil && answer == "added" {
				added()
				return struct{}{}, nil
			}
			if _, err := promise.Await(co, promise.Sleep(context.Background(), w.h.Loop(), limit)); err != nil {
				return struct{}{}, nil
			}
		}
	})
}

// now is the clock by which a worker measures its lease.
func (w *Worker) now() time.Duration {
	if w.bug == LeaseByDate {
		return time.Duration(w.h.Now().UnixNano())
	}
	return w.h.Uptime()
}

// turn takes a job and works on it. It reports whether all questions were answered.
func (w *Worker) turn(co *promise.Coroutine) bool {
	until := w.now() + lease - margin // the lease begins when the queue has the question, which is later
	answer, err := promise.Await(co, w.queue.Call("take", limit))
	if err != nil {
		return false
	}
	if w.bug == LeaseFromAnswer {
		until = w.now() + lease - margin
	}
	fields := strings.Fields(answer)
	if fields[0] != "job" {
		w.idle()
		return true
	}
	id, token := fields[1], fields[2]
	number, _ := strconv.Atoi(token)
	valid := w.now() < until
	for range 1 + w.h.Rand.IntN(30) {
		if _, err := promise.Await(co, promise.Sleep(context.Background(), w.h.Loop(), slice)); err != nil {
			return true
		}
		if w.bug != CheckOnce {
			valid = w.now() < until
		}
		if !valid {
			return true
		}
		w.act(id, number)
	}
	for range 3 {
		if _, err := promise.Await(co, w.queue.Call("done "+id+" "+token, limit)); err == nil {
			return true
		}
	}
	return false
}
