package js

import "testing"

// newIteration is Node's loop before its first turn.
func newIteration() iteration { return iteration{next: never, fires: never} }

func TestIterationGoesThroughItsPhasesInOrder(t *testing.T) {
	n := newIteration()
	at := func(want place) {
		t.Helper()
		if n.at != want {
			t.Fatalf("at %d, want %d", n.at, want)
		}
	}
	at(elsewhere)
	n.beginTimers(5)
	at(inTimers)
	n.endTimers()
	at(elsewhere)
	n.beginCheck()
	at(inCheck)
	n.endTimers() // not the phase we are in
	at(inCheck)
	n.endCheck()
	at(elsewhere)
}

func TestHostThatIsFurtherThanTheLoopStaysThere(t *testing.T) {
	n := newIteration()
	n.beginTimers(5)
	n.timersAreOver()
	n.endTimers()
	if n.at != beforeCheck || !n.checkIsFirst(false) {
		t.Error("the loop has taken the host back from the check phase")
	}
	n.beginCheck()
	n.timersAreOver()
	if n.at != inCheck {
		t.Error("a check phase that has begun is not begun again")
	}
	n.beginTimers(6) // ahead, out of the check phase
	n.endCheck()
	if n.at != inTimers {
		t.Error("the loop has taken the host back from the next timers phase")
	}
}

func TestCheckPhaseIsFirstWhereTheHostHasGoneThroughTheTimers(t *testing.T) {
	for name, c := range map[string]struct {
		at          place
		rest, first bool
		fires       int64
	}{
		"nothing was run ahead":                    {at: elsewhere, first: false, fires: never},
		"timers are left of a phase":               {at: inTimers, rest: true, first: false, fires: never},
		"the phase is over":                        {at: inTimers, first: true, fires: 8},
		"the phase is over, but the handle fires":  {at: inTimers, first: false, fires: 7},
		"the host said so":                         {at: beforeCheck, first: true, fires: never},
		"immediates are left of a check phase":     {at: inCheck, rest: true, first: true, fires: never},
		"a check phase that was run ahead is over": {at: inCheck, first: false, fires: never},
	} {
		n := iteration{at: c.at, time: 7, next: never, fires: c.fires}
		if got := n.checkIsFirst(c.rest); got != c.first {
			t.Errorf("%s: %v, want %v", name, got, c.first)
		}
	}
}

// Node's processTimers has only the list that expires at 12, and nothing due at 10. A microtask behind the last timer
// then sets a timer of 1 ms, takes 3 ms and sets another.
func TestTimersRunAgainWhenTheClockWasReadPastTheHandle(t *testing.T) {
	n := newIteration()
	n.beginTimers(10)
	n.ranTimers(12)
	if n.again() || n.fires != 12 {
		t.Fatalf("the handle fires at %d, want 12", n.fires)
	}
	n.read(10)
	n.inserted(11, 1)
	if n.again() || n.fires != 11 {
		t.Fatalf("the handle fires at %d, want 11", n.fires)
	}
	n.inserted(12, 2) // later than the handle
	n.read(13)
	if !n.again() {
		t.Error("the handle fires at 11, and the clock was read at 13")
	}
	n.timersAreOver()
	if n.again() {
		t.Error("the host has gone on")
	}
}

func TestHandleFiresAMillisecondLaterWhenAListIsOverdueAtTheEndOfThePhase(t *testing.T) {
	n := newIteration()
	n.beginTimers(10)
	n.read(14)
	n.ranTimers(12)
	if n.fires != 15 || n.again() {
		t.Errorf("the handle fires at %d, want 15", n.fires)
	}
	n.beginTimers(15)
	n.ranTimers(never)
	if n.fires != never {
		t.Errorf("the handle fires at %d without timers", n.fires)
	}
}
