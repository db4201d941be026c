package command

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The conformance scripts probe the standards rule by rule. Node's output is beside each, and ours must equal it. If
// Node is installed, a second test verifies that output. Scripts for features in which Node departs from a standard,
// or which it lacks, are in the other folder. The output beside them follows the standard.
//
// To add a script, or after changing one, run with Node 20
//
//	UPDATE_CONFORMANCE=1 go test ./internal/command -run TestConformance
const (
	conformanceFolder = "testdata/conformance"
	standardsFolder   = "testdata/standards"
)

// nodeTimeout bounds a script in Node.
const nodeTimeout = time.Minute

func scriptsOf(t *testing.T, folder string) []string {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(folder, "*.js"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%s holds %d scripts: %v", folder, len(scripts), err)
	}
	return scripts
}

func expectedOutput(script string) string { return strings.TrimSuffix(script, ".js") + ".out" }

func TestConformanceScriptsWriteWhatTheyWriteInNode(t *testing.T) {
	compareOutputs(t, conformanceFolder)
}

func TestConformanceScriptsWriteWhatTheStandardsSay(t *testing.T) { compareOutputs(t, standardsFolder) }

func compareOutputs(t *testing.T, folder string) {
	for _, script := range scriptsOf(t, folder) {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".js"), func(t *testing.T) {
			want, err := os.ReadFile(expectedOutput(script))
			if err != nil {
				t.Fatal(err)
			}
			out, errs, code := loopjs(t, "", "--allow-net", script) // for the classes of fetch: no script reaches the network
			if code != 0 {
				t.Errorf("code %d: %s", code, errs)
			}
			diff(t, string(want), out)
		})
	}
}

func TestConformanceOutputsAreStillNodes(t *testing.T) {
	if !testkit.Full() && os.Getenv("UPDATE_CONFORMANCE") == "" {
		t.Skip("the outputs are kept in files, and only a full run starts Node for each")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, and there is nothing to compare with")
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil || !bytes.HasPrefix(version, []byte("v20.")) {
		t.Skipf("the outputs are Node 20's, and this is %s", version)
	}
	for _, script := range scriptsOf(t, conformanceFolder) {
		ctx, cancel := context.WithTimeout(context.Background(), nodeTimeout)
		got, err := exec.CommandContext(ctx, node, "--no-warnings", script).Output()
		cancel()
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		if os.Getenv("UPDATE_CONFORMANCE") != "" {
			if err := os.WriteFile(expectedOutput(script), got, 0o644); err != nil { //nolint:gosec // test data that all users may read
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(expectedOutput(script))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(filepath.Base(script), func(t *testing.T) { diff(t, string(want), string(got)) })
	}
}

// diff reports the first lines that differ.
func diff(t *testing.T, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b || i >= len(w) || i >= len(g) {
			t.Errorf("line %d:\nwant %q\ngot  %q", i+1, a, b)
			return
		}
	}
}
