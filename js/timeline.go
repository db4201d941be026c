package js

import "slices"

// A PerformanceEntry is a mark or a measure on the timeline: PerformanceMark, PerformanceMeasure.
type PerformanceEntry struct {
	Name      string
	EntryType string  // "mark" or "measure"
	StartTime float64 // milliseconds since the time origin
	Duration  float64 // in milliseconds; 0 for marks. Negative if a measure ends before it starts
	Detail    any     // see [WithDetail]
}

const (
	markType    = "mark"
	measureType = "measure"
)

// GetEntries returns all entries in order of their start times (Performance Timeline 3.2).
func (p *Performance) GetEntries() []PerformanceEntry {
	return p.filter(func(*PerformanceEntry) bool { return true })
}

// GetEntriesByType returns the entries of a type, "mark" or "measure".
func (p *Performance) GetEntriesByType(typ string) []PerformanceEntry {
	return p.filter(func(e *PerformanceEntry) bool { return e.EntryType == typ })
}

// GetEntriesByName returns the entries of a name, and of a type unless that is empty.
func (p *Performance) GetEntriesByName(name, typ string) []PerformanceEntry {
	return p.filter(func(e *PerformanceEntry) bool { return e.Name == name && (typ == "" || e.EntryType == typ) })
}

func (p *Performance) filter(match func(*PerformanceEntry) bool) []PerformanceEntry {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []PerformanceEntry
	for i := range p.entries {
		if match(&p.entries[i]) {
			found = append(found, p.entries[i])
		}
	}
	return found
}

// add puts an entry in its place, which is nearly always the end. The lock is held.
func (p *Performance) add(e PerformanceEntry) {
	i := len(p.entries)
	for i > 0 && p.entries[i-1].StartTime > e.StartTime {
		i--
	}
	p.entries = slices.Insert(p.entries, i, e)
}

// ClearMarks removes the marks of the given names, or all without any. Measures made from them stay.
func (p *Performance) ClearMarks(names ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear(markType, names)
	if len(names) == 0 {
		clear(p.marks)
	}
	for _, name := range names {
		delete(p.marks, name)
	}
}

// ClearMeasures removes the measures of the given names, or all without any.
func (p *Performance) ClearMeasures(names ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear(measureType, names)
}

func (p *Performance) clear(typ string, names []string) {
	p.entries = slices.DeleteFunc(p.entries, func(e PerformanceEntry) bool {
		return e.EntryType == typ && (len(names) == 0 || slices.Contains(names, e.Name))
	})
	if len(p.entries) == 0 {
		p.entries = nil // the memory of a long timeline goes with it
	}
}
