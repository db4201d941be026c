package coroutine

import "testing"

// BenchmarkLockedToThread measures the check for a locked goroutine, beside two switches.
func BenchmarkLockedToThread(b *testing.B) {
	for b.Loop() {
		if lockedToThread() {
			b.Fatal("locked")
		}
	}
}

func BenchmarkSwitch(b *testing.B) {
	var g Group
	g.Open()
	defer g.End()
	var c Coroutine
	over := false
	c.Start(&g, body{main: func() {
		for !over {
			c.Suspend()
		}
	}, unwind: func() { over = true; c.Resume() }})
	for b.Loop() {
		c.Resume()
	}
}

func BenchmarkEnter(b *testing.B) {
	var g Group
	g.Open()
	defer g.End()
	var c Coroutine
	c.Start(&g, body{main: func() { c.Suspend() }, unwind: func() { c.Resume() }})
	for b.Loop() {
		if mistake := g.Enter(); mistake != "" {
			b.Fatal(mistake)
		}
	}
}
