package sandbox_test

import (
	"io"
	"os"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// echo is the variable that makes the process an echo process, as the baseline for round trips.
const echo = "EVENTLOOP_SANDBOX_TEST_ECHO"

func TestMain(m *testing.M) {
	beHostile()
	sandbox.Init()
	if os.Getenv(echo) != "" {
		buffer := make([]byte, 4096)
		for {
			n, err := os.Stdin.Read(buffer)
			if err == io.EOF {
				os.Exit(0)
			}
			if _, err := os.Stdout.Write(buffer[:n]); err != nil {
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}
