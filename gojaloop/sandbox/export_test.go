package sandbox

import "os"

// Process is that of a sandbox, for tests that attack it.
func (s *Sandbox) Process() *os.Process { return s.cmd.Process }
