//go:build explore

package explored

import (
	"context"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/explore"
)

// The ops of programs, by their places in exKinds.
const (
	exSubmit = iota
	exSubmitInternal
	exScheduleImmediate
	exNextTick
	exMicrotask
	exOwnerEnqueue
	exOwnerAfterward
	exTimer0
	exOwnerTimer
	exRepeat
	exStop
	exCancel
	exCancelSelf
	exReset
	exRef
	exUnref
	exKeepAlive
	exRelease
	exDo
	exMetrics
	exSleep
	exSpend
	exPanic
	exGoexit
	exCancelContext
	exShutdown
	exClose
	exBurst
	exUnarmed
	exNested
)

// exKinds are the ops with their weights in programs that have a bit of everything.
func exKinds(weights map[int]int) []explore.OpKind {
	kinds := []explore.OpKind{
		exSubmit:            {Name: "submit", Weight: 6, Callback: true},
		exSubmitInternal:    {Name: "internal", Weight: 3, Callback: true},
		exScheduleImmediate: {Name: "immediate", Weight: 3, Callback: true},
		exNextTick:          {Name: "tick", Weight: 3, Callback: true},
		exMicrotask:         {Name: "micro", Weight: 4, Callback: true},
		exOwnerEnqueue:      {Name: "ownermicro", Weight: 2, Callback: true, Inside: 1},
		exOwnerAfterward:    {Name: "afterward", Weight: 1, Callback: true, Inside: 1},
		exTimer0:            {Name: "timer", Weight: 6, Callback: true},
		exOwnerTimer:        {Name: "ownertimer", Weight: 4, Callback: true, Inside: 1},
		exRepeat:            {Name: "repeat", Weight: 2, Callback: true},
		exStop:              {Name: "stop", Weight: 3},
		exCancel:            {Name: "cancel", Weight: 4},
		exCancelSelf:        {Name: "cancelself", Weight: 2, Inside: 1},
		exReset:             {Name: "reset", Weight: 4},
		exRef:               {Name: "ref", Weight: 1},
		exUnref:             {Name: "unref", Weight: 1},
		exKeepAlive:         {Name: "keep", Weight: 2},
		exRelease:           {Name: "release", Weight: 3},
		exDo:                {Name: "do", Weight: 3, Callback: true},
		exMetrics:           {Name: "metrics", Weight: 1},
		exSleep:             {Name: "sleep", Weight: 2, Inside: -1},
		exSpend:             {Name: "spend", Weight: 1, Inside: 1},
		exPanic:             {Name: "panic", Weight: 1, Inside: 1},
		exGoexit:            {Name: "goexit", Weight: 1, Inside: 1},
		exCancelContext:     {Name: "cancelctx", Weight: 1},
		exShutdown:          {Name: "shutdown", Weight: 1},
		exClose:             {Name: "close", Weight: 1},
		exBurst:             {Name: "burst"},
		exUnarmed:           {Name: "unarmed", Weight: 2, Callback: true},
		exNested:            {Name: "nested", Weight: 2, Callback: true, Inside: 1},
	}
	if weights != nil {
		for i := range kinds {
			kinds[i].Weight = weights[i]
		}
	}
	return kinds
}

// The bits of the options of a program.
const (
	exAuto uint = 1 << iota
	exMeter
	exOneProcessor
	exLinger
	exBusy
	exOptions = 5
)

func TestExploreEverything(t *testing.T) {
	explore.Family{Name: t.Name(), Kinds: exKinds(nil), Options: exOptions, Actors: 3, Ops: 5, Run: exProgram}.Explore(t)
}

func TestExploreLanes(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 4, Ops: 4, Run: exProgram, Kinds: exKinds(map[int]int{
		exSubmit: 6, exSubmitInternal: 3, exScheduleImmediate: 3, exNextTick: 3, exMicrotask: 4, exOwnerEnqueue: 3,
		exOwnerAfterward: 1, exPanic: 1, exGoexit: 1, exMetrics: 1, exSleep: 1, exDo: 1, exNested: 3,
	})}.Explore(t)
}

func TestExploreTimers(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 3, Ops: 6, Run: exProgram, Kinds: exKinds(map[int]int{
		exTimer0: 8, exOwnerTimer: 6, exRepeat: 3, exStop: 3, exCancel: 5, exReset: 5, exRef: 1, exUnref: 1, exSleep: 3,
		exSubmit: 2, exSpend: 2, exPanic: 1, exUnarmed: 4,
	})}.Explore(t)
}

// Timers that are given back and used again at once, often in the phase in which they are due.
func TestExploreTimersUsedAgain(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 2, Ops: 5, Run: exProgram, Kinds: exKinds(map[int]int{
		exTimer0: 2, exOwnerTimer: 5, exRepeat: 6, exCancel: 3, exCancelSelf: 6, exReset: 6, exStop: 1, exSpend: 2, exSubmit: 1, exUnarmed: 2,
	})}.Explore(t)
}

// The references that keep an auto-exit loop open.
func TestExploreReferences(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 4, Ops: 5, Run: exProgram, Kinds: exKinds(map[int]int{
		exTimer0: 6, exRepeat: 1, exStop: 5, exCancel: 2, exReset: 2, exRef: 6, exUnref: 6, exKeepAlive: 3, exRelease: 4, exSleep: 1, exSubmit: 1, exUnarmed: 2,
	})}.Explore(t)
}

// More tasks than a batch has room for.
func TestExploreBursts(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 3, Ops: 3, Steps: 3e5, Run: exProgram, Kinds: exKinds(map[int]int{
		exBurst: 4, exSubmit: 3, exSubmitInternal: 2, exScheduleImmediate: 1, exMicrotask: 1, exTimer0: 1, exClose: 1, exShutdown: 1, exGoexit: 1,
	})}.Explore(t)
}

func TestExploreEnds(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exOptions, Actors: 4, Ops: 3, Run: exProgram, Kinds: exKinds(map[int]int{
		exSubmit: 6, exSubmitInternal: 3, exScheduleImmediate: 2, exMicrotask: 3, exTimer0: 2, exOwnerTimer: 1, exKeepAlive: 3, exRelease: 4,
		exDo: 4, exCancelContext: 2, exShutdown: 3, exClose: 3, exGoexit: 1, exSleep: 2, exUnref: 1, exMetrics: 1,
	})}.Explore(t)
}

// exProgram runs a program and judges it.
func exProgram(p explore.Program) {
	if p.Options&exOneProcessor != 0 {
		explore.SetProcessors(1)
	}
	w := newExWorld(p.Options)
	w.actors = len(p.Actors)
	explore.GoNamed("loop", w.run)
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { w.actors-- }()
			w.perform(ops)
		})
	}
	// A call of Shutdown returns when the loop has ended. An auto-exit loop may wait for a token that is never
	// released.
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Quiet()
	w.quiet()
	if w.auto || p.Options&exLinger != 0 {
		explore.Sleep(time.Second) // a loaded machine's time slices add up
		explore.Quiet()
		w.quiet()
	}
	if w.auto && !w.returned && w.stopped == 0 {
		for _, k := range w.tokens {
			if !k.released {
				k.released = true
				k.release()
			}
		}
		explore.Quiet()
		if w.idle() && !w.returned {
			explore.Fail("nothing keeps the loop open, and it does not end")
		}
	}
	w.stop()
	if err := w.loop.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet()
	w.ended()
}
