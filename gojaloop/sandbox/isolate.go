package sandbox

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// A level is how far a process is kept apart when it is started.
type level struct {
	names      []string
	attributes *syscall.SysProcAttr
}

// errNoNamespaces is why a system without namespaces gives none.
var errNoNamespaces = errors.New("sandbox: only Linux has namespaces")

// inherited is the environment that a child gets of ours: what Windows needs to load its libraries.
func inherited() []string {
	if runtime.GOOS == "windows" {
		return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	}
	return nil
}

// path is the executable of a child.
func (c *config) path() (string, error) {
	switch {
	case c.executable != "":
		return c.executable, nil
	case runtime.GOOS == "linux":
		return "/proc/self/exe", nil // it works even if the file was replaced
	}
	return os.Executable()
}
