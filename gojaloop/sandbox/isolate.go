package sandbox

import (
	"os"
	"runtime"
	"syscall"
)

// A level is how far a process is kept apart when it is started.
type level struct {
	names      []string
	attributes *syscall.SysProcAttr
	refused    func() // to be called when the system does not allow it, but less
}

// levels are what to try, the best first.
func levels() []level {
	return append(namespaces(), level{attributes: &syscall.SysProcAttr{}, refused: func() {}})
}

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
