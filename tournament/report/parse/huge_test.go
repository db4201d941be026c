package parse

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
)

const million = 1_000_000

// millionLines is benchmark output with every tenth line noise.
func millionLines(rows int) []byte {
	var b bytes.Buffer
	for i := range million {
		if i%10 == 3 {
			fmt.Fprintf(&b, "2026/01/18 19:00:34 [alternateone] shutdown phase %d\n", i)
			continue
		}
		fmt.Fprintf(&b, "BenchmarkSubmit/row%07d-10 \t%8d\t %8.2f ns/op\t %4d B/op\t 2 allocs/op\n", i%rows, 1000+i, 33+float64(i%97)/7, i%64)
	}
	return b.Bytes()
}

var hugeInputs = []struct {
	name string
	rows int
}{{"many rows", 200_000}, {"few rows", 100}}

func TestAMillionLinesAreReadIn300MB(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million lines, which -short asked to leave out")
	}
	if raceEnabled {
		t.Skip("the race detector changes the memory that this test bounds")
	}
	for _, c := range hugeInputs {
		t.Run(c.name, func(t *testing.T) {
			text := millionLines(c.rows)
			var before, after runtime.MemStats
			debug.FreeOSMemory()
			runtime.ReadMemStats(&before)
			in, err := Read("huge", bytes.NewReader(text))
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if in.Lines != million || in.Counts[Noise] != million/10 {
				t.Errorf("%d lines, %d noise", in.Lines, in.Counts[Noise])
			}
			if grew := int64(after.HeapSys-after.HeapReleased) - int64(before.HeapSys-before.HeapReleased); grew > 300<<20 {
				t.Errorf("heap grew by %d MB", grew>>20)
			}
			runtime.KeepAlive(text)
		})
	}
}

// BenchmarkMillionLines gives the time that reading a million lines takes; the reporter promises less than two seconds.
func BenchmarkMillionLines(b *testing.B) {
	for _, c := range hugeInputs {
		b.Run(c.name, func(b *testing.B) {
			text := millionLines(c.rows)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if in, err := Read("huge", bytes.NewReader(text)); err != nil || in.Lines != million {
					b.Fatal(in, err)
				}
			}
		})
	}
}
