//go:build !unix

package sandbox

import "os"

// namespaces are of Linux only.
func namespaces() (level, bool) { return level{}, false }

func refusesNamespaces(error) bool { return false }

// peakMemory is the highest memory use of a process. Only Linux reports it; it is 0 here.
func peakMemory(*os.ProcessState) int64 { return 0 }

// isolate does nothing: the process watches itself.
func isolate(*settings) error { return nil }
