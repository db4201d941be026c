package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Program has the work of a run's goroutines, as data: so it can be made at random, printed, read again and shrunk.
type Program struct {
	Options uint
	Actors  [][]Op
}

// An Op is a call of the program. The family defines the meaning of Code, A and B. Sub is the work of its callback.
type Op struct {
	Code, A, B uint8
	Sub        []Op
}

// An OpKind describes the ops with one code.
type OpKind struct {
	Name     string
	Weight   int  // how often it comes, beside others
	Callback bool // it has a callback, which does ops of its own
	Inside   int8 // 1: only in callbacks; −1: only outside
}

// A shape says how programs are made.
type shape struct {
	kinds   []OpKind
	options int // how many bits
	actors  int // at most
	ops     int // of an actor, at most
}

// generate makes a program at random.
func (s *shape) generate(rng *Rand) Program {
	p := Program{Options: uint(rng.Uint64()) & (1<<s.options - 1)}
	for range 1 + rng.Intn(s.actors) {
		p.Actors = append(p.Actors, s.ops1(rng, 1+rng.Intn(s.ops), 0))
	}
	return p
}

func (s *shape) ops1(rng *Rand, n, depth int) []Op {
	var ops []Op
	for range n {
		op := Op{Code: s.code(rng, depth > 0), A: uint8(rng.Intn(8)), B: uint8(rng.Intn(8))}
		if s.kinds[op.Code].Callback && depth < 3 {
			op.Sub = s.ops1(rng, max(rng.Intn(4)-depth, 0), depth+1)
		}
		ops = append(ops, op)
	}
	return ops
}

func (s *shape) code(rng *Rand, inside bool) uint8 {
	fits := func(k *OpKind) bool { return k.Inside == 0 || k.Inside > 0 == inside }
	sum := 0
	for i := range s.kinds {
		if fits(&s.kinds[i]) {
			sum += s.kinds[i].Weight
		}
	}
	n := rng.Intn(sum)
	for i := range s.kinds {
		if k := &s.kinds[i]; fits(k) {
			if n -= k.Weight; n < 0 {
				return uint8(i)
			}
		}
	}
	panic("explore: no op")
}

// format is the text of a program: options, then the ops of each actor.
func (s *shape) format(p Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", p.Options)
	for _, ops := range p.Actors {
		b.WriteString(" / ")
		s.formatOps(&b, ops)
	}
	return b.String()
}

func (s *shape) formatOps(b *strings.Builder, ops []Op) {
	for i, op := range ops {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%s.%d.%d", s.kinds[op.Code].Name, op.A, op.B)
		if len(op.Sub) > 0 {
			b.WriteByte('(')
			s.formatOps(b, op.Sub)
			b.WriteByte(')')
		}
	}
}

// parse undoes format.
func (s *shape) parse(text string) (p Program, err error) {
	options, actors, _ := strings.Cut(text, "/")
	n, err := strconv.ParseUint(strings.TrimSpace(options), 10, 32)
	if err != nil {
		return p, err
	}
	p.Options = uint(n)
	for actor := range strings.SplitSeq(actors, "/") {
		ops, rest, err := s.parseOps(actor)
		if err == nil && rest != "" {
			err = fmt.Errorf("explore: program has %q left", rest)
		}
		if err != nil {
			return p, err
		}
		p.Actors = append(p.Actors, ops)
	}
	return p, nil
}

func (s *shape) parseOps(text string) (ops []Op, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " ")
		if text == "" || text[0] == ')' {
			return ops, text, nil
		}
		end := strings.IndexAny(text, " ()")
		if end < 0 {
			end = len(text)
		}
		parts := strings.Split(text[:end], ".")
		code := slices.IndexFunc(s.kinds, func(k OpKind) bool { return k.Name == parts[0] })
		if code < 0 || len(parts) != 3 {
			return nil, "", fmt.Errorf("explore: program has %q, want name.number.number", text[:end])
		}
		a, err1 := strconv.ParseUint(parts[1], 10, 8)
		b, err2 := strconv.ParseUint(parts[2], 10, 8)
		if err1 != nil || err2 != nil {
			return nil, "", fmt.Errorf("explore: program has %q, want name.number.number", text[:end])
		}
		op := Op{Code: uint8(code), A: uint8(a), B: uint8(b)}
		text = text[end:]
		if text != "" && text[0] == '(' {
			if op.Sub, text, err = s.parseOps(text[1:]); err != nil {
				return nil, "", err
			}
			if text == "" {
				return nil, "", fmt.Errorf("explore: program ends within parentheses")
			}
			text = text[1:]
		}
		ops = append(ops, op)
	}
}

// smaller yields programs that have something less than p, the largest steps first.
func (p Program) smaller(yield func(Program) bool) {
	for i := range p.Actors {
		if len(p.Actors) > 1 {
			if !yield(Program{p.Options, slices.Delete(slices.Clone(p.Actors), i, i+1)}) {
				return
			}
		}
	}
	for i, ops := range p.Actors {
		for fewer := range smallerOps(ops) {
			q := Program{p.Options, slices.Clone(p.Actors)}
			q.Actors[i] = fewer
			if !yield(q) {
				return
			}
		}
	}
	for bit := uint(1); bit <= p.Options; bit <<= 1 {
		if p.Options&bit != 0 && !yield(Program{p.Options &^ bit, p.Actors}) {
			return
		}
	}
}

func smallerOps(ops []Op) func(yield func([]Op) bool) {
	return func(yield func([]Op) bool) {
		for size := len(ops); size > 0; size /= 2 {
			for i := 0; i+size <= len(ops); i += size {
				if !yield(slices.Delete(slices.Clone(ops), i, i+size)) {
					return
				}
			}
		}
		for i, op := range ops {
			with := func(op Op) []Op {
				q := slices.Clone(ops)
				q[i] = op
				return q
			}
			if len(op.Sub) > 0 && !yield(slices.Concat(ops[:i], op.Sub, ops[i+1:])) {
				return
			}
			for fewer := range smallerOps(op.Sub) {
				if !yield(with(Op{op.Code, op.A, op.B, fewer})) {
					return
				}
			}
			if op.A > 0 && !yield(with(Op{op.Code, 0, op.B, op.Sub})) {
				return
			}
			if op.B > 0 && !yield(with(Op{op.Code, op.A, 0, op.Sub})) {
				return
			}
		}
	}
}

// size is how large a program is, for progress in shrinking.
func (p Program) size() int {
	n := int(p.Options) + 100*len(p.Actors)
	for _, ops := range p.Actors {
		n += sizeOps(ops)
	}
	return n
}

func sizeOps(ops []Op) int {
	n := 0
	for _, op := range ops {
		n += 1000 + int(op.A) + int(op.B) + sizeOps(op.Sub) + 10*len(op.Sub)
	}
	return n
}
