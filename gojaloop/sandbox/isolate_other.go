//go:build !unix

package sandbox

import (
	"os"
	"syscall"
)

// A level is how far a process is kept apart when it is started.
type level struct {
	names      []string
	attributes *syscall.SysProcAttr
	refused    func()
}

func levels() []level { return []level{{attributes: &syscall.SysProcAttr{}, refused: func() {}}} }

// inherited is the environment that a child gets of ours: what Windows needs to load its libraries.
func inherited() []string { return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} }

func (c *config) path() (string, error) {
	if c.executable != "" {
		return c.executable, nil
	}
	return os.Executable()
}

// peakMemory is the most that a process had in memory, where the kernel limits that; elsewhere 0.
func peakMemory(*os.ProcessState) int64 { return 0 }

// isolate does nothing: the process watches itself.
func isolate(*settings) error { return nil }
