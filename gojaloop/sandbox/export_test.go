package sandbox

import "os"

// Process is the process of a sandbox, for tests that attack it.
func (s *Sandbox) Process() *os.Process { return s.cmd.Process }
