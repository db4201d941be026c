package loopsim

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Disk is the files of a machine. Names are flat: a slash has no meaning. A write is lost in a crash until Sync; a name is, until
// Sync of the new file or SyncNames. Calls take time: of the blocking call in a function of promise.Promisify, and otherwise of the
// callback, which holds up the loop as it would on a machine.
//
// The seed decides how much unsynced data survives a crash: the first writes of each file, and a part of the next one.
type Disk struct {
	h *Host
	s *store
}

// A store is the content of a disk.
type store struct {
	m       *machine
	random  draws
	names   []name    // as programs see them, in the order of the alphabet
	durable []name    // as they are after a crash without luck
	changes []renamed // from durable to names, in order
	fullTo  int64     // it takes nothing before
	slowTo  int64     // it is slow before
}

type name struct {
	name string
	file *file
}

// renamed is a change of the names. A file that is nil is removed.
type renamed struct {
	name string
	file *file
	from string // that it had before; "" for none
}

// A file is the data of a file.
type file struct {
	data    []byte // as programs see it
	durable []byte
	writes  []write // from durable to data
}

// A write is one that is not synced. It replaces all from an offset on.
type write struct {
	at   int
	data []byte
}

func newDisk(m *machine) *Disk {
	return &Disk{s: &store{m: m, random: newDraws(m.w.seed, "disk "+m.name)}}
}

// of is the disk in the hands of a host.
func (d *Disk) of(h *Host) *Disk { return &Disk{h: h, s: d.s} }

// use begins an operation: it takes its time, and goes into the trace.
func (d *Disk) use(op, name string, slowness int64) error {
	h := d.h
	if h.dead {
		return &fs.PathError{Op: op, Path: name, Err: crash{h.Name()}}
	}
	w := h.w
	w.note(kindDisk, h.machine.id, h.local(), hashString(op), hashString(name))
	w.record(entry{at: h.local(), kind: kindDisk, host: h.machine.id, peer: -1}, "%s %s", op, name)
	took := d.s.random.around(w.cfg.Disk.Latency) * slowness
	if w.now < d.s.slowTo {
		took *= 50
	}
	h.spend(took)
	if h.dead {
		return &fs.PathError{Op: op, Path: name, Err: crash{h.Name()}}
	}
	return nil
}

func find(names []name, s string) (int, bool) {
	return slices.BinarySearchFunc(names, s, func(n name, s string) int { return strings.Compare(n.name, s) })
}

// setName changes names.
func setName(names []name, s string, f *file) []name {
	i, found := find(names, s)
	switch {
	case f == nil && found:
		return slices.Delete(names, i, i+1)
	case f == nil:
		return names
	case found:
		names[i].file = f
		return names
	default:
		return slices.Insert(names, i, name{s, f})
	}
}

func (d *Disk) file(op, s string) (*file, error) {
	i, found := find(d.s.names, s)
	if !found {
		return nil, &fs.PathError{Op: op, Path: s, Err: fs.ErrNotExist}
	}
	return d.s.names[i].file, nil
}

// ReadFile returns the content of a file. Errors match those of [os.ReadFile].
func (d *Disk) ReadFile(name string) ([]byte, error) {
	if err := d.use("read", name, 1); err != nil {
		return nil, err
	}
	f, err := d.file("read", name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(f.data), nil
}

// WriteFile replaces the content of a file, and makes the file if it does not exist. The data is not on the disk before Sync. A full disk takes a part of
// the data, and returns an error that matches [syscall.ENOSPC].
func (d *Disk) WriteFile(name string, data []byte) error {
	if err := d.use("write", name, 1); err != nil {
		return err
	}
	return d.write("write", name, 0, data)
}

// Append adds to the end of a file, as WriteFile does.
func (d *Disk) Append(name string, data []byte) error {
	if err := d.use("append", name, 1); err != nil {
		return err
	}
	at := 0
	if f, err := d.file("append", name); err == nil {
		at = len(f.data)
	}
	return d.write("append", name, at, data)
}

func (d *Disk) write(op, name string, at int, data []byte) error {
	s := d.s
	full := s.m.w.now < s.fullTo
	if full {
		data = data[:s.random.below(int64(len(data)))]
	}
	f, err := d.file(op, name)
	if err != nil {
		f = &file{}
		s.rename(renamed{name: name, file: f})
	}
	data = slices.Clone(data)
	f.data = append(f.data[:at:at], data...)
	f.writes = append(f.writes, write{at, data})
	if full {
		return &fs.PathError{Op: op, Path: name, Err: syscall.ENOSPC}
	}
	return nil
}

// rename changes names, not durably.
func (s *store) rename(r renamed) {
	if r.from != "" {
		s.names = setName(s.names, r.from, nil)
	}
	s.names = setName(s.names, r.name, r.file)
	s.changes = append(s.changes, r)
}

// Sync makes a file survive crashes: its data, and the name under which it was made. A rename needs SyncNames.
func (d *Disk) Sync(name string) error {
	if err := d.use("sync", name, 10); err != nil {
		return err
	}
	f, err := d.file("sync", name)
	if err != nil {
		return err
	}
	f.durable, f.writes = slices.Clone(f.data), nil
	s := d.s
	for i, r := range s.changes { // as file systems with a journal do: the names changed before are durable too
		if r.file == f && r.from == "" {
			s.commit(i + 1)
			break
		}
	}
	return nil
}

// commit makes the first changes of names durable.
func (s *store) commit(n int) {
	for _, r := range s.changes[:n] {
		if r.from != "" {
			s.durable = setName(s.durable, r.from, nil)
		}
		s.durable = setName(s.durable, r.name, r.file)
	}
	s.changes = slices.Delete(s.changes, 0, n)
}

// Rename gives a file another name, in one step. A file that had that name is gone.
func (d *Disk) Rename(from, to string) error {
	if err := d.use("rename", from, 1); err != nil {
		return err
	}
	f, err := d.file("rename", from)
	if err != nil || from == to {
		return err
	}
	d.s.rename(renamed{name: to, file: f, from: from})
	return nil
}

// Remove removes a file.
func (d *Disk) Remove(name string) error {
	if err := d.use("remove", name, 1); err != nil {
		return err
	}
	if _, err := d.file("remove", name); err != nil {
		return err
	}
	d.s.rename(renamed{name: name})
	return nil
}

// SyncNames makes the names survive crashes, as fsync of a directory does.
func (d *Disk) SyncNames() error {
	if err := d.use("sync names", "", 10); err != nil {
		return err
	}
	d.s.commit(len(d.s.changes))
	return nil
}

// Names returns the names of the files, in the order of the alphabet.
func (d *Disk) Names() ([]string, error) {
	if err := d.use("names", "", 1); err != nil {
		return nil, err
	}
	var all []string
	for _, n := range d.s.names {
		all = append(all, n.name)
	}
	return all, nil
}

// crash leaves what a crash leaves.
func (s *store) crash() {
	if len(s.changes) > 0 {
		s.commit(int(s.random.below(int64(len(s.changes)) + 1)))
		s.changes = nil
	}
	s.names = slices.Clone(s.durable)
	for _, n := range s.names {
		f := n.file
		if len(f.writes) == 0 {
			f.data = slices.Clone(f.durable)
			continue
		}
		data := slices.Clone(f.durable)
		kept := int(s.random.below(int64(len(f.writes)) + 1))
		for i, w := range f.writes {
			p := w.data
			switch {
			case i == kept: // torn
				p = p[:s.random.below(int64(len(p))+1)]
			case i > kept:
				continue
			}
			data = append(data[:min(w.at, len(data))], p...)
		}
		f.data, f.durable, f.writes = data, slices.Clone(data), nil
	}
}

// diskFor is the time of an operation on a disk by default.
const diskFor = 100 * time.Microsecond
