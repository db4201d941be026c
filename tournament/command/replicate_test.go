package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestTheProgramMeasuresEachSampleInAProcessOfItsOwn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tournament")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", name, "../cmd/tournament").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	cmd := exec.Command(name, "run", "-only", "^PingPong$", "-contestants", "Main,Channel", "-count", "3", "-benchtime", "2ms", "-o", dir)
	cmd.Env = os.Environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "round 3 of 3") || strings.Contains(string(out), "eventloop-tournament-replica") {
		t.Errorf("%s", out)
	}
	f, err := result.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := f.Environment
	if f.Protocol.Processes != 3 || f.Protocol.Name != "published" || e.Binary == "" || len(f.Rows) != 3 || f.About.Categories["PingPong"] == "" || f.About.Contestants["Main"] == "" {
		t.Errorf("%+v", f)
	}
	if runtime.GOOS == "linux" && (e.Kernel == "" || e.Affinity == "") {
		t.Errorf("%+v", e)
	}
	for _, r := range f.Rows {
		for i, s := range r.Samples {
			if len(r.Samples) != 3 || s.Process != i+1 {
				t.Errorf("%s: %+v", r.Contestant, r.Samples)
			}
		}
	}
}

func TestProcessesStartUnderTheCommandThatIsGiven(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("env is a command of Unix")
	}
	name := filepath.Join(t.TempDir(), "tournament")
	if out, err := exec.Command("go", "build", "-o", name, "../cmd/tournament").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := []string{"run", "-only", "^PingPong$", "-contestants", "Main", "-count", "1", "-benchtime", "2ms", "-o", t.TempDir(), "-exec"}
	if out, err := exec.Command(name, append(run, "env TOURNAMENT_TEST=1")...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.Command(name, append(run, "false")...).CombinedOutput(); err == nil || !strings.Contains(string(out), "exit status 1") {
		t.Errorf("%v\n%s", err, out)
	}
}
