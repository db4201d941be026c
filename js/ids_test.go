package js

import (
	"math/rand/v2"
	"testing"
)

func TestIdentifiersRiseAndAreNeverUsedAgain(t *testing.T) {
	var d ids[*int]
	item := new(int)
	stale := d.add(item)
	d.remove(stale)
	last := stale
	for range 3 << 20 {
		id := d.add(item)
		if id <= last || id >= 1<<53 {
			t.Fatalf("%d follows %d", id, last)
		}
		if _, ok := d.get(stale); ok {
			t.Fatalf("%d was removed, and stands for something again after %d", stale, id)
		}
		d.remove(id)
		last = id
	}
}

func TestIdentifiersGiveBackTheMemoryOfABurst(t *testing.T) {
	var d ids[*int]
	kept := d.add(new(int))
	var burst []uint64
	for range 1_000_000 {
		burst = append(burst, d.add(new(int)))
	}
	for _, id := range burst {
		d.remove(id)
	}
	if len(d.chunks) != 1 || d.most > keptChunks {
		t.Errorf("one identifier is left, with %d chunks in a map made for %d", len(d.chunks), d.most)
	}
	if _, ok := d.get(kept); !ok {
		t.Error("the one that was kept is lost")
	}
}

func TestIdentifiersAgreeWithAMap(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var d ids[int] // with items above zero
		known := map[uint64]int{}
		var given []uint64
		for step := range 2000 {
			switch grow := step%700 < 400; {
			case len(given) == 0 || random.IntN(3) == 0 != grow:
				item := 1 + random.IntN(1000)
				id := d.add(item)
				known[id] = item
				given = append(given, id)
			default:
				id := given[random.IntN(len(given))] // perhaps one that was removed
				if _, there := known[id]; there {
					d.remove(id)
				}
				delete(known, id)
			}
			id := uint64(random.IntN(len(given) + 3))
			item, ok := d.get(id)
			if want, there := known[id]; ok != there || ok && item != want {
				t.Fatalf("seed %d, step %d: get(%d) is %d, %v, want %d, %v", seed, step, id, item, ok, want, there)
			}
			count := d.adding.count
			for _, c := range d.chunks {
				count += c.count
			}
			if count != len(known) {
				t.Fatalf("seed %d, step %d: count %d, want %d", seed, step, count, len(known))
			}
		}
	}
}
