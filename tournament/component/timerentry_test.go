//lint:file-ignore U1000 the fields give the types the size of the core's

package component

// timerEntry is what the heap orders, as in the core.
type timerEntry struct {
	when    int64
	seq     uint32
	version uint32
	t       *timer
}

// timer has the size of the core's, about.
type timer struct {
	word  uint64
	fn    func()
	delay int64
	next  *timer
}
