package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/tournament/report/render"
)

const million = 1_000_000

// millionLines writes benchmark output with every tenth line noise.
func millionLines(tb testing.TB, rows int) string {
	tb.Helper()
	var b bytes.Buffer
	for i := range million {
		if i%10 == 3 {
			fmt.Fprintf(&b, "2026/01/18 19:00:34 [alternateone] shutdown phase %d\n", i)
			continue
		}
		fmt.Fprintf(&b, "BenchmarkSubmit/row%07d-10 \t%8d\t %8.2f ns/op\t %4d B/op\t 2 allocs/op\n", i%rows, 1000+i, 33+float64(i%97)/7, i%64)
	}
	file := filepath.Join(tb.TempDir(), "huge.txt")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		tb.Fatal(err)
	}
	return file
}

var hugeInputs = []struct {
	name string
	rows int
}{{"few rows", 100}, {"many rows", 240_000}}

func TestAMillionLinesAreReportedIn300MB(t *testing.T) {
	if !testkit.Full() {
		t.Skip("reports on a million lines are for a full run")
	}
	if raceflag.Enabled {
		t.Skip("the race detector changes the memory that this test bounds")
	}
	for _, c := range hugeInputs {
		t.Run(c.name, func(t *testing.T) {
			file := millionLines(t, c.rows)
			var before, after runtime.MemStats
			debug.FreeOSMemory()
			runtime.ReadMemStats(&before)
			var out, complaints bytes.Buffer
			code := ReportCommand([]string{file}, &out, &complaints)
			runtime.ReadMemStats(&after)
			if code != exitOK || complaints.Len() > 0 {
				t.Fatal(code, complaints.String())
			}
			if !strings.Contains(out.String(), "Of 1,000,000 lines read: ") || !strings.Contains(out.String(), "100,000") {
				t.Error("the report does not count the lines and the noise")
			}
			if bounded := strings.Contains(out.String(), "The first 5,000 of "); bounded != (c.rows > render.MaxRows) {
				t.Errorf("says that the table is bounded: %v", bounded)
			}
			// What the process has from the system now is what it had at its highest, but for what it gave back.
			if grew := int64(after.HeapSys-after.HeapReleased) - int64(before.HeapSys-before.HeapReleased); grew > 300<<20 {
				t.Errorf("heap grew by %d MB", grew>>20)
			}
		})
	}
}

// BenchmarkMillionLines gives the time that a report on a million lines takes: less than two seconds on two processors.
func BenchmarkMillionLines(b *testing.B) {
	for _, c := range hugeInputs {
		b.Run(c.name, func(b *testing.B) {
			file := millionLines(b, c.rows)
			for b.Loop() {
				var complaints bytes.Buffer
				if code := ReportCommand([]string{file}, io.Discard, &complaints); code != exitOK {
					b.Fatal(code, complaints.String())
				}
			}
		})
	}
}
