package nodecompare

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

//go:embed workloads.js
var script []byte

// Node runs the JavaScript twin of a workload, n operations in batches, and returns nanoseconds per operation: the
// median of five runs in one warm process.
//
// Errors: [exec.ErrNotFound] if node is not on the PATH, and any failure in it, such as a wrong sum.
func Node(ctx context.Context, w Workload, n, batch int) (nsPerOp float64, err error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "nodecompare")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "workloads.js")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, node, file, w.Name, strconv.Itoa(n), strconv.Itoa(batch))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	var sum int
	if _, err := fmt.Sscan(string(out), &nsPerOp, &sum); err != nil {
		return 0, fmt.Errorf("nodecompare: node printed %q: %w", out, err)
	}
	if want := w.Sum(n); sum != want {
		return 0, fmt.Errorf("nodecompare: the handlers in node saw %d, want %d", sum, want)
	}
	return nsPerOp, nil
}
