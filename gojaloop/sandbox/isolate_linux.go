package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// namespaces is the level at which a process has namespaces of its own. In a PID namespace, processes that it starts end with it.
func namespaces() (level, bool) {
	return level{
		names: []string{"user namespace", "network namespace", "IPC namespace", "PID namespace"},
		attributes: &syscall.SysProcAttr{
			Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWPID,
		},
	}, true
}

// refusesNamespaces reports whether an error says that the system does not give a process namespaces: any other may be of
// the moment, such as a lack of memory.
func refusesNamespaces(err error) bool {
	return slices.ContainsFunc([]error{unix.EPERM, unix.ENOSYS, unix.EINVAL, unix.ENOSPC}, func(e error) bool { return errors.Is(err, e) })
}

// kernelMemory is the kernel's limit: what the process's own watch misses, such as a single allocation of gigabytes.
// Go's runtime crashes there, in many ways, so the watch is to come first.
func kernelMemory(limit int64) uint64 { return 2*uint64(limit) + 64<<20 }

// peakMemory is the most that a process had in memory.
func peakMemory(state *os.ProcessState) int64 {
	return int64(state.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

// isolate sets the limits of the kernel and gives up the right to gain privileges. That right belongs to a thread, and
// Go has several; a new image of the process begins with the one that makes it.
func isolate(s *settings) error {
	if s.Isolated {
		return nil
	}
	runtime.LockOSThread()
	seconds := uint64((time.Duration(s.ProcessorTime) + time.Second - 1) / time.Second)
	for _, r := range []struct {
		name  string
		which int
		value uint64
	}{
		{"memory limit", unix.RLIMIT_DATA, kernelMemory(s.Memory)},
		{"processor time limit", unix.RLIMIT_CPU, seconds + 1},
		{"no files written", unix.RLIMIT_FSIZE, 0},
		{"no core dumps", unix.RLIMIT_CORE, 0},
		{"few open files", unix.RLIMIT_NOFILE, 64},
		{"small stacks of threads", unix.RLIMIT_STACK, 1 << 20}, // they count as memory, whether used or not
	} {
		if err := syscall.Setrlimit(r.which, &syscall.Rlimit{Cur: r.value, Max: r.value}); err == nil {
			s.Isolation = append(s.Isolation, r.name)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err == nil {
		s.Isolation = append(s.Isolation, "no new privileges")
	}
	s.Isolated = true
	err := syscall.Exec("/proc/self/exe", os.Args, []string{s.variable()})
	return fmt.Errorf("sandbox: the process cannot be started anew: %w", err)
}
