package workload_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

// A workload on a loop that runs a task twice may wait for ever for a WaitGroup whose count is off. The trial gives it up
// and leaves its goroutine behind, as it says.
func TestMain(m *testing.M) { leakcheck.Main(m, "workload.(*Trial).perform") }
