package loopsim

import "time"

// A Config says what worlds are like. The zero Config has the defaults, and no faults.
type Config struct {
	Seeds int    // how many worlds; 100 by default, and 10 with -short
	First uint64 // the first seed; 1 by default

	Duration time.Duration // how long faults and steps may happen; a minute by default
	Settle   time.Duration // how long programs have to end after Host.OnStop; 5 s by default

	Faults  Faults
	Network NetworkConfig
	Disk    DiskConfig

	Callback time.Duration // the mean time that a callback takes; 20 µs by default
	WakeUp   time.Duration // between a reason to run a loop and its turn, in the mean; 20 µs by default
	Blocking time.Duration // before a function of promise.Promisify runs, in the mean; 1 ms by default

	MaxClockOffset time.Duration // how far the dates of hosts may be off at first; 0 by default
	MaxEvents      int           // in a world, before it fails as one that does not end; 10 million by default

	Twice   int // one seed of so many is run twice, to compare the traces; 16 by default, never if negative
	Workers int // worlds that run at the same time, on a goroutine each; 1 by default

	// Output is the folder for the time line of a failure: a page and a trace for Perfetto. The default is the folder
	// "loopsim" in that for temporary files.
	Output string
}

// A NetworkConfig says what the network is like.
type NetworkConfig struct {
	Latency     time.Duration // the least time of a message; 500 µs by default
	Jitter      time.Duration // what the seed adds at most; 2 ms by default
	Bandwidth   int64         // of each way, in bytes per second; 0 means without limit, the default
	Window      int           // bytes that a connection takes before the other side's program has read them; 64 KiB by default
	Timeout     time.Duration // after which a connection fails that cannot send; 20 s by default
	DialTimeout time.Duration // after which an attempt to connect fails; 10 s by default
}

// A DiskConfig says what disks are like.
type DiskConfig struct {
	Latency time.Duration // the mean time of a write; a sync takes ten times as long; 100 µs by default
}

// Faults says what may go wrong. Each seed draws a part of the kinds, and a number of faults of these. So some worlds have many faults
// of one kind. That finds more than some faults of every kind (swarm testing).
type Faults struct {
	Kinds   []FaultKind   // none by default; see AllFaults
	Most    int           // faults in a world; 8 by default
	Longest time.Duration // that a fault lasts; a quarter of Duration by default
	Hosts   []string      // that may have faults; all by default
}

func (c *Config) complete(short bool) {
	set(&c.Seeds, 100)
	if short {
		c.Seeds = min(c.Seeds, 10)
	}
	set(&c.First, 1)
	set(&c.Duration, time.Minute)
	set(&c.Settle, 5*time.Second)
	set(&c.Faults.Most, 8)
	set(&c.Faults.Longest, c.Duration/4)
	set(&c.Network.Latency, 500*time.Microsecond)
	set(&c.Network.Jitter, 2*time.Millisecond)
	set(&c.Network.Window, 64<<10)
	set(&c.Network.Timeout, 20*time.Second)
	set(&c.Network.DialTimeout, 10*time.Second)
	set(&c.Disk.Latency, diskFor)
	set(&c.Callback, 20*time.Microsecond)
	set(&c.WakeUp, 20*time.Microsecond)
	set(&c.Blocking, time.Millisecond)
	set(&c.MaxEvents, 10*million)
	set(&c.Twice, 16)
	set(&c.Workers, 1)
}

// set sets a field that has no value to its default.
func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
