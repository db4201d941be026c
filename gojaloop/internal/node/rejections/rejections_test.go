package rejections_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/node/rejections"
)

// A model specifies a List, regardless of cost.
type model struct {
	pending  []rejections.Rejection[int]
	handled  []rejections.Rejection[int]
	reported map[int]int64
	last     int64
}

func (m *model) add(p int) {
	m.last++
	m.pending = append(m.pending, rejections.Rejection[int]{Promise: p, ID: m.last})
}

func (m *model) handle(p int) {
	for i, r := range m.pending {
		if r.Promise == p {
			m.pending = slices.Delete(m.pending, i, i+1)
			return
		}
	}
	if id, ok := m.reported[p]; ok {
		delete(m.reported, p)
		m.handled = append(m.handled, rejections.Rejection[int]{Promise: p, ID: id})
	}
}

func TestAListReportsWhatAModelDoes(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var list rejections.List[int]
		m := model{reported: make(map[int]int64)}
		promises := 0 // numbered from 1, because the zero promise says that one was handled in time
		for range 300 {
			switch r.IntN(20) {
			default:
				promises++
				list.Add(promises)
				m.add(promises)
			case 0, 1, 2, 3, 4, 5, 6, 7:
				p := 1 + r.IntN(promises+1)
				list.Handled(p)
				m.handle(p)
			case 8:
				handled, pending := list.Take()
				pending = slices.DeleteFunc(pending, func(r rejections.Rejection[int]) bool { return r.Promise == 0 })
				for _, p := range pending {
					list.Reported(p)
					m.reported[p.Promise] = p.ID
				}
				if !slices.Equal(handled, m.handled) || !slices.Equal(pending, m.pending) {
					t.Fatalf("seed %d: the list gives %v and %v; want %v and %v", seed, handled, pending, m.handled, m.pending)
				}
				m.handled, m.pending = nil, nil
			}
			if want := len(m.pending)+len(m.handled) > 0; list.Waiting() != want {
				t.Fatalf("seed %d: waiting is %v with %v and %v, reported %v", seed, list.Waiting(), m.pending, m.handled, m.reported)
			}
		}
	}
}
