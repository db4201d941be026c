package loopsim

import (
	"fmt"
	"slices"
	"time"
)

// A FaultKind is a way in which something goes wrong.
type FaultKind uint8

// The kinds of faults.
const (
	Crash      FaultKind = iota + 1 // a machine loses its power and restarts: unsynced data is lost, and connections are silent
	Kill                            // a program is killed and restarts: its files stay as they are, and connections are reset
	Pause                           // a host does nothing for a while, as for a collector's pause; its network stack goes on
	Partition                       // a host is cut off from all others
	OneWay                          // nothing comes through from one host to another
	ResetConns                      // the connections between two hosts are reset
	SlowLink                        // the way from one host to another is up to a hundred times as slow
	SlowReader                      // a host reads up to a second late
	ClockJump                       // the date of a host jumps by up to the time the fault lasts, back or forth, and back at its end
	ClockDrift                      // the clock of a host goes up to 1 % too fast or too slow
	DiskFull                        // a disk takes no data
	DiskSlow                        // a disk is 50 times as slow
)

var faultNames = [...]string{
	Crash: "crash", Kill: "kill", Pause: "pause", Partition: "partition", OneWay: "one-way partition", ResetConns: "reset",
	SlowLink: "slow link", SlowReader: "slow reader", ClockJump: "clock jump", ClockDrift: "clock drift", DiskFull: "disk full", DiskSlow: "disk slow",
}

// String is the kind's name.
func (k FaultKind) String() string {
	if int(k) < len(faultNames) && faultNames[k] != "" {
		return faultNames[k]
	}
	return fmt.Sprintf("fault %d", k)
}

// AllFaults returns all kinds of faults.
func AllFaults() []FaultKind {
	var all []FaultKind
	for k := Crash; k <= DiskSlow; k++ {
		all = append(all, k)
	}
	return all
}

// A Fault is something that goes wrong.
type Fault struct {
	Kind   FaultKind
	At     time.Duration // when it begins
	For    time.Duration // how long it lasts
	Host   string
	Peer   string // the other host, for OneWay, ResetConns and SlowLink
	Amount int64  // how much slower a link is; by how many nanoseconds a clock jumps; how many parts per million it drifts
}

// String tells the fault, without the time.
func (f Fault) String() string {
	s := f.Kind.String() + " of " + f.Host
	switch f.Kind {
	case OneWay, SlowLink:
		s = fmt.Sprintf("%s from %s to %s", f.Kind, f.Host, f.Peer)
	case ResetConns:
		return fmt.Sprintf("%s of connections between %s and %s", f.Kind, f.Host, f.Peer)
	case ClockJump:
		s += fmt.Sprintf(" by %v", time.Duration(f.Amount))
	}
	switch f.Kind {
	case ClockDrift:
		s += fmt.Sprintf(" by %d ppm", f.Amount)
	case SlowLink:
		s += fmt.Sprintf(", %d times", f.Amount)
	}
	return fmt.Sprintf("%s for %v", s, f.For)
}

// planFaults draws the faults of a world.
func (w *World) planFaults() {
	c, s := &w.cfg.Faults, newDraws(w.seed, "faults")
	var active []FaultKind
	for _, k := range c.Kinds {
		if s.oneIn(2) {
			active = append(active, k)
		}
	}
	hosts := c.Hosts
	if len(hosts) == 0 {
		for _, m := range w.machines {
			hosts = append(hosts, m.name)
		}
	}
	for n := s.below(int64(c.Most) + 1); n > 0 && len(active) > 0; n-- {
		f := Fault{
			Kind: active[s.below(int64(len(active)))],
			At:   time.Duration(s.below(int64(w.cfg.Duration))),
			Host: hosts[s.below(int64(len(hosts)))],
			Peer: w.machines[s.below(int64(len(w.machines)))].name,
		}
		longest := int64(c.Longest) >> s.below(6)
		f.For = time.Duration(longest/2 + s.below(longest/2)).Round(time.Millisecond)
		f.At = f.At.Round(time.Millisecond)
		sign := 1 - 2*s.below(2)
		switch f.Kind {
		case SlowLink:
			f.Amount = 2 + s.below(99)
		case ClockJump:
			f.Amount = sign * (1 + s.below(int64(f.For)))
		case ClockDrift:
			f.Amount = sign * (1 + s.below(10_000))
		}
		switch f.Kind {
		case OneWay, ResetConns, SlowLink:
			if f.Host == f.Peer {
				continue
			}
		default:
			f.Peer = ""
		}
		w.faults = append(w.faults, f)
	}
	slices.SortStableFunc(w.faults, func(a, b Fault) int { return int(a.At/time.Millisecond) - int(b.At/time.Millisecond) })
}

// Inject has a fault begin, after the callback in progress. Its At does not count.
func (w *World) Inject(f Fault) {
	m := w.named(f.Host)
	peer := m
	switch f.Kind {
	case OneWay, ResetConns, SlowLink:
		peer = w.named(f.Peer)
	}
	w.at(w.now, func() { w.begin(f, m, peer) })
}

// begin begins a fault.
func (w *World) begin(f Fault, m, peer *machine) {
	w.note(kindFault, m.id, w.now, uint64(f.Kind), uint64(f.For))
	w.record(entry{at: w.now, took: int64(f.For), kind: kindFault, host: m.id, peer: -1}, "%v", f)
	until := w.now + int64(f.For)
	l := w.link(m, peer)
	var undo func()
	switch f.Kind {
	case Crash, Kill:
		if m.down {
			return
		}
		m.crash(f.Kind == Crash)
		undo = m.restart
	case Pause:
		m.pausedTo = max(m.pausedTo, until)
		undo = func() { m.wakeAt(w.now) }
	case Partition:
		w.isolate(m, 1)
		undo = func() { w.isolate(m, -1) }
	case OneWay:
		l.cut++
		undo = func() { l.cut-- }
	case ResetConns:
		w.reset(m, peer)
		return
	case SlowLink:
		l.slow = f.Amount
		undo = func() { l.slow = 0 }
	case SlowReader:
		m.slowTo = max(m.slowTo, until)
		undo = func() { m.slowTo = 0 }
	case ClockJump:
		m.clock.jump += f.Amount
		undo = func() { m.clock.jump -= f.Amount }
	case ClockDrift:
		m.drift(f.Amount)
		undo = func() { m.drift(0) }
	case DiskFull:
		s := m.disk.s
		s.fullTo = max(s.fullTo, until)
		undo = func() { s.fullTo = min(s.fullTo, w.now) }
	case DiskSlow:
		s := m.disk.s
		s.slowTo = max(s.slowTo, until)
		undo = func() { s.slowTo = min(s.slowTo, w.now) }
	default:
		panic(fmt.Sprintf("loopsim: there is no fault of kind %d", f.Kind))
	}
	over := false
	once := func() {
		if !over {
			over = true
			undo()
		}
	}
	w.undo = append(w.undo, once)
	if until >= int64(w.cfg.Duration) {
		return // heal ends it
	}
	w.at(until, once)
}

// heal ends all faults.
func (w *World) heal() {
	w.healed = true
	w.note(kindFault, -1, w.now, 0, 0)
	w.record(entry{at: w.now, kind: kindFault, host: -1, peer: -1}, "all faults are over")
	for _, undo := range w.undo {
		undo()
	}
	w.undo = nil
	for _, m := range w.machines {
		m.wakeAt(w.now)
		for _, l := range w.links[m.id] {
			l.cut, l.slow = 0, 0
		}
	}
}

// crash ends what runs on a machine, with the machine's power or without.
func (m *machine) crash(power bool) {
	w := m.w
	m.down = power
	w.note(kindCrash, m.id, w.now, 0, 0)
	if h := m.host; h != nil {
		h.die()
		if !power {
			h.resetPeers()
		}
	}
	if power {
		m.disk.s.crash()
	}
}

// restart starts a machine, unless it runs.
func (m *machine) restart() {
	if m.host == nil {
		m.boot()
	}
}

// wakeAt ends a pause.
func (m *machine) wakeAt(at int64) {
	m.pausedTo = min(m.pausedTo, at)
	if m.host != nil {
		m.host.replan()
	}
}

// drift changes how fast the clock of a machine goes.
func (m *machine) drift(ppm int64) {
	now := m.w.now
	if m.host != nil {
		now = m.host.local()
	}
	m.clock.drift(now, ppm)
	if m.host != nil {
		m.host.replan()
	}
}

// replan plans the next turn once more.
func (h *Host) replan() {
	h.planned = never
	h.touch()
}
