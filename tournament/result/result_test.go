package result_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

func sample() *result.File {
	return &result.File{
		Schema: result.Schema,
		Environment: result.Environment{
			GOOS: "linux", GOARCH: "amd64", CPU: "Some CPU", NumCPU: 2, GOMAXPROCS: 2, GoVersion: "go1.25.0",
			Date: time.Date(2026, 2, 8, 1, 2, 3, 0, time.UTC), Execution: result.ExecutionNative,
		},
		Protocol: result.Protocol{Benchtime: time.Second, Count: 2, Order: result.OrderInterleaved, Seed: 7},
		Rows: []result.Row{
			{Category: "PingPong", Kind: result.KindLoop, Contestant: "Main", Samples: []result.Sample{
				{N: 100, NsPerOp: 102.34, BytesPerOp: 24, AllocsPerOp: 1},
				{N: 100, NsPerOp: 3_570_868.6, Metrics: map[string]float64{"z/op": 0.5, "a/op": 1}},
			}},
			{Category: "PingPong", Kind: result.KindLoop, Contestant: "Other", Error: "lost"},
		},
	}
}

func TestTextIsTheGoBenchmarkFormat(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `goos: linux
goarch: amd64
cpu: Some CPU
go: go1.25.0
gomaxprocs: 2
execution: native
date: 2026-02-08T01:02:03Z
benchtime: 1s
count: 2
order: interleaved
BenchmarkPingPong/Main-2	100	102.3 ns/op	24 B/op	1 allocs/op
BenchmarkPingPong/Main-2	100	3570869 ns/op	1.000 a/op	0.5000 z/op	0 B/op	0 allocs/op
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTextSaysThatARunWasInterruptedOrEmulated(t *testing.T) {
	f := sample()
	f.Interrupted = true
	f.Environment.Execution, f.Environment.Emulator = result.ExecutionEmulated, "qemu-user"
	f.Environment.GOMAXPROCS = 1
	var b bytes.Buffer
	if err := f.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"interrupted: true\n", "execution: emulated\n", "emulator: qemu-user\n", "BenchmarkPingPong/Main\t"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

func TestTextNeverHasAnExponent(t *testing.T) {
	for e := -5.0; e < 15; e += 0.25 {
		f := sample()
		f.Rows[0].Samples = []result.Sample{{N: 1, NsPerOp: math.Pow(10, e)}}
		var b bytes.Buffer
		if err := f.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		_, figure, _ := strings.Cut(b.String(), "\t1\t")
		if figure, _, _ = strings.Cut(figure, " "); strings.ContainsAny(figure, "eE") {
			t.Errorf("10^%v is written as %s", e, figure)
		}
	}
}

func TestWhatIsSavedCanBeLoadedFromTheFileAndTheDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := result.Prepare(dir); err != nil {
		t.Fatal(err)
	}
	paths, err := sample().Save(dir)
	if err != nil || len(paths) != 2 {
		t.Fatal(paths, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, result.JSONName)} {
		f, err := result.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(f, sample()) {
			t.Errorf("%s: got %+v", path, f)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left in the directory: %v %v", entries, err)
	}
}

func TestADirectoryThatCannotBeIsAnErrorBeforeAndAfter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := result.Prepare(filepath.Join(file, "sub")); err == nil {
		t.Error("Prepare does not mind")
	}
	if _, err := sample().Save(filepath.Join(file, "sub")); err == nil {
		t.Error("Save does not mind")
	}
}

func TestAFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	// A directory of that name cannot be replaced by a file.
	if err := os.Mkdir(filepath.Join(dir, "target"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteFile(filepath.Join(dir, "target"), []byte("x")); err == nil {
		t.Error("no error")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestAnotherSchemaIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema":"other/2"}`: "other/2",
		`nonsense`:             "not a tournament result",
		`[]`:                   "not a tournament result: it has array",
		`{"benchmarks":1}`:     `not a tournament result: it has no "schema"`,
	} {
		if _, err := result.ReadJSON(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
