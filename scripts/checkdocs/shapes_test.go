package main

import "testing"

func TestHardSentencesAreRefusedAndTheirCuresAreNot(t *testing.T) {
	for _, c := range []struct{ hard, plain string }{
		{"What is not asked for costs a branch.", "Unused features cost a branch."},
		{"Who does not keep up is disconnected.", "Clients that fall behind are disconnected."},
		{"It depends on what the callback has left behind.", "It depends on the state after the callback."},
		{"The loop wakes whoever waits for it.", "The loop wakes every waiter."},
		{"Hence is the queue bounded by one batch.", "So the queue is bounded by one batch."},
		{"Neither of the two can be refused later.", "The loop refuses no call later."},
		{"The handler is told when a task is lost.", "The loop reports a lost task to the handler."},
		{"The log tells of every panic in it.", "The log has every panic."},
		{"A lead of less than this is none.", "A lead below this is noise."},
		{"We measure twice, for it is a noisy machine.", "We measure twice. The machine is noisy."},
		{"The set is neither closed nor emptied.", "The set stays open and full."},
		{"One two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten eleven.", "One two three four."},
		{"The loop that runs the task that sets the timer that fires ends.", "The timer fires on its own loop."},
		{"It stops; it closes; it ends the loop; it returns.", "It stops, closes and ends the loop."},
	} {
		if judge(c.hard) == nil {
			t.Errorf("plain: %s", c.hard)
		}
		if faults := judge(c.plain); faults != nil {
			t.Errorf("%v: %s", faults, c.plain)
		}
	}
}

func TestQuestionsMayBeginWithWhat(t *testing.T) {
	if faults := judge("What does it depend on?"); faults != nil {
		t.Error(faults)
	}
}
