package loopnet

import "sync"

// An output is the data that a connection has accepted and not handed to the system: pieces, in order. A connection
// with nothing to send has no output.
type output struct {
	pieces []piece
	first  int // of pieces that are not sent
	size   int // bytes that are not sent
	end    int // where the last piece ends in the turn's buffer; 0 if it is not there
}

// A piece is a part of an output.
type piece struct {
	p    []byte
	kind kind
}

// A kind says whose memory a piece is.
type kind uint8

const (
	lent   kind = iota // the turn's, or a caller's until Write returns: copied if it is not sent by then
	own                // the connection's: later writes extend it
	shared             // of WriteShared: immutable
)

// ownMost is the size from which on a piece of the connection's own does not grow any more. The sent part of it is
// given back with the whole piece.
const ownMost = 64 << 10

var outputs = sync.Pool{New: func() any { return new(output) }}

func (o *output) add(p []byte, k kind) {
	o.size += len(p)
	o.pieces = append(o.pieces, piece{p, k})
	o.end = 0
}

// copy adds p to memory of the connection's own.
func (o *output) copy(p []byte) {
	if last := len(o.pieces) - 1; last >= o.first && o.pieces[last].kind == own && len(o.pieces[last].p)+len(p) <= ownMost {
		o.size += len(p)
		o.pieces[last].p = append(o.pieces[last].p, p...)
		return
	}
	o.add(append([]byte(nil), p...), own)
}

// keep copies the pieces that are lent.
func (o *output) keep() {
	rest := o.pieces[o.first:]
	kept := o.pieces[:0]
	for _, x := range rest {
		if x.kind != lent {
			kept = append(kept, x)
			continue
		}
		if last := len(kept) - 1; last >= 0 && kept[last].kind == own && len(kept[last].p)+len(x.p) <= ownMost {
			kept[last].p = append(kept[last].p, x.p...)
			continue
		}
		kept = append(kept, piece{append([]byte(nil), x.p...), own})
	}
	clear(o.pieces[len(kept):])
	o.pieces, o.first, o.end = kept, 0, 0
}

// sent takes n bytes away from the front.
func (o *output) sent(n int) {
	o.size -= n
	for n > 0 {
		x := &o.pieces[o.first]
		if n < len(x.p) {
			x.p = x.p[n:]
			return
		}
		n -= len(x.p)
		*x = piece{}
		o.first++
	}
}

// outputKeep is how many pieces an output may have room for when it is used again.
const outputKeep = 1024

// free gives o back.
func (o *output) free() {
	if cap(o.pieces) > outputKeep {
		return
	}
	clear(o.pieces)
	*o = output{pieces: o.pieces[:0]}
	outputs.Put(o)
}

// appendTo appends the first bytes of o, at most so many.
func (o *output) appendTo(p []byte, most int) []byte {
	for _, x := range o.pieces[o.first:] {
		room := most - len(p)
		if len(x.p) >= room {
			return append(p, x.p[:room]...)
		}
		p = append(p, x.p...)
	}
	return p
}
