package loopsim

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// afterCrash runs before on a disk, crashes the machine, and returns what each seed finds in the files.
func afterCrash(t *testing.T, kind FaultKind, before func(*Disk)) map[string]int {
	found := map[string]int{}
	for seed := range uint64(200) {
		w := one(t, seed, Config{Duration: time.Minute}, func(w *World) {
			w.Host("a", func(h *Host) {
				if h.Boot() == 1 {
					before(h.Disk())
					w.Inject(Fault{Kind: kind, Host: "a", For: time.Second})
					return
				}
				var all []string
				names, _ := h.Disk().Names()
				for _, n := range names {
					data, _ := h.Disk().ReadFile(n)
					all = append(all, n+"="+string(data))
				}
				found[strings.Join(all, " ")]++
				w.Stop()
			})
		})
		holds(t, w)
	}
	return found
}

func TestWhatACrashLeaves(t *testing.T) {
	write := func(d *Disk) { _ = d.WriteFile("f", []byte("ab")) }
	for name, c := range map[string]struct {
		kind   FaultKind
		before func(*Disk)
		want   []string
	}{
		"unsynced, killed": {Kill, write, []string{"f=ab"}},
		"unsynced, crash":  {Crash, write, []string{"", "f=", "f=a", "f=ab"}},
		"synced":           {Crash, func(d *Disk) { write(d); _ = d.Sync("f") }, []string{"f=ab"}},
		"synced, then more": {Crash, func(d *Disk) { write(d); _ = d.Sync("f"); _ = d.Append("f", []byte("c")) },
			[]string{"f=ab", "f=abc"}},
		"renamed without SyncNames": {Crash, func(d *Disk) { write(d); _ = d.Sync("f"); _ = d.Rename("f", "g") }, []string{"f=ab", "g=ab"}},
		"renamed": {Crash, func(d *Disk) {
			_ = d.WriteFile("g", []byte("old"))
			write(d)
			_ = d.Sync("f")
			_ = d.Rename("f", "g")
			_ = d.SyncNames()
		}, []string{"g=ab"}},
		"renamed before its data was synced": {Crash, func(d *Disk) { write(d); _ = d.Rename("f", "g"); _ = d.SyncNames() }, []string{"g=", "g=a", "g=ab"}},
		"removed":                            {Crash, func(d *Disk) { write(d); _ = d.Sync("f"); _ = d.Remove("f") }, []string{"", "f=ab"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := afterCrash(t, c.kind, c.before)
			var got []string
			for text := range found {
				got = append(got, text)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestADiskThatIsFullOrSlowSaysSoAndTakesLonger(t *testing.T) {
	w := one(t, 1, Config{}, func(w *World) {
		w.Host("a", func(h *Host) {
			d := h.Disk()
			if _, err := d.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
				w.Failf("no file: %v", err)
			}
			before := w.Elapsed()
			for range 100 {
				_ = d.WriteFile("f", []byte("data"))
			}
			quick := w.Elapsed() - before
			w.Inject(Fault{Kind: DiskFull, Host: "a", For: time.Second})
			w.Inject(Fault{Kind: DiskSlow, Host: "a", For: 2 * time.Second})
			_, _ = h.Loop().ScheduleTimer(100*time.Millisecond, func() {
				if err := d.Append("f", []byte("more")); !errors.Is(err, syscall.ENOSPC) {
					w.Failf("full: %v", err)
				}
				before := w.Elapsed()
				for range 100 {
					_, _ = d.ReadFile("f")
				}
				if slow := w.Elapsed() - before; quick <= 0 || slow < 20*quick {
					w.Failf("100 writes take %v, and 100 reads of a slow disk %v", quick, slow)
				}
			})
			_, _ = h.Loop().ScheduleTimer(5*time.Second, func() {
				if err := d.WriteFile("f", []byte("more")); err != nil {
					w.Failf("no longer full: %v", err)
				}
				w.Stop()
			})
		})
	})
	holds(t, w)
}
