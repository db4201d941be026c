package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// The methods of inside.Diagnosis, which package inspect calls.

func (v view) SetMeter(m *meter.Meter) { v.meter = m }
func (v view) Count(f meter.Fault)     { v.meter.Count(f) }
func (v view) Driven() bool            { return v.driven }
func (v view) Now() time.Duration      { return time.Duration(v.now()) }

func (v view) ReadMeter(read func(s *meter.Snapshot, jobs int)) bool {
	m, in := v.meter, &v.in
	if m == nil {
		return false
	}
	m.Lock()
	defer m.Unlock()
	in.mu.lock()
	s := m.Moment(v.now(), v.timers.Armed())
	jobs := len(in.ticks) + len(in.micros)
	in.mu.unlock()
	m.Complete(&s)
	read(&s, jobs)
	return true
}

func (v view) IdleTime() (idle, elapsed time.Duration) {
	v.ReadMeter(func(s *meter.Snapshot, _ int) { idle, elapsed = time.Duration(s.Idle), time.Duration(s.Elapsed) })
	return idle, elapsed
}

// AfterFunc is inside.Diagnosis.AfterFunc.
func (v view) AfterFunc(d time.Duration, fn func()) {
	if v.clock != nil {
		v.clock.AfterFunc(d, fn)
	} else {
		sched.AfterFunc(d, fn)
	}
}

// Guard hands a panic of fn to the loop, which may be in the middle of a callback.
func (v view) Guard(fn func()) {
	defer func() {
		if r := recover(); r != nil {
			e := &PanicError{Value: r, Stack: stack()}
			if v.SubmitInternal(func() { v.reportPanic(e) }) != nil {
				v.logPanic(e)
			}
		}
	}()
	fn()
}

// Resources lists the resources that keep the loop alive: each could cause a callback to run. It is called on the
// loop.
func (v view) Resources() (all []inside.Resource) {
	l := v.Loop
	now := l.now()
	var armed []timers.Armed
	l.in.mu.lock()
	waiting := l.ticks.Len() + l.core.Micros.Len() + l.core.Afterward.Len() + len(l.in.ticks) + len(l.in.micros)
	for _, n := range l.queued() {
		waiting += n
	}
	live := int(l.live.Load())
	l.timers.Each(func(t timers.Armed) { armed = append(armed, t) })
	l.in.mu.unlock()

	for _, t := range armed {
		if !t.Ref {
			continue
		}
		if l.autoExit {
			live-- // timers count there
		}
		r := inside.Resource{Kind: inside.ResourceTimer, Count: 1, Age: time.Duration(now - (t.When - t.Delay)), Due: time.Duration(t.When - now)}
		if t.When == never {
			r.Age = 0
		}
		if l.creations != nil {
			r.Made = l.creations.place(t.Site)
		}
		all = append(all, r)
	}
	l.poller.Each(func(fd int, ref bool) {
		if ref {
			live--
			all = append(all, inside.Resource{Kind: inside.ResourceDescriptor, Count: 1, FD: fd})
		}
	})
	if c := l.creations; c != nil {
		all = c.keepAlives(all, now)
	} else if live > 0 {
		all = append(all, inside.Resource{Kind: inside.ResourceKeepAlive, Count: live})
	}
	if waiting > 0 {
		all = append(all, inside.Resource{Kind: inside.ResourceQueue, Count: waiting})
	}
	if running, queued := l.blocking.Depth(); running+queued > 0 {
		all = append(all, inside.Resource{Kind: inside.ResourceBlocking, Count: running + queued})
	}
	return all
}

func (c *creations) keepAlives(all []inside.Resource, now int64) []inside.Resource {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tokens {
		all = append(all, inside.Resource{Kind: inside.ResourceKeepAlive, Count: 1, Age: time.Duration(now - t.at), Made: t.site})
	}
	return all
}

// meterPause notifies the meter of work by the loop that takes a while and runs no callback.
func (l *Loop) meterPause() {
	if l.meter != nil {
		l.meter.Pass()
	}
}
