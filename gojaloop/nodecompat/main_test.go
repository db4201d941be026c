package nodecompat_test

import (
	"io"
	"log"
	"os"
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) {
	if os.Getenv(wrongVariable) != "" || os.Getenv(crashVariable) != "" {
		os.Exit(m.Run()) // goroutines may be left, that is the point
	}
	log.SetOutput(io.Discard)                                 // goja_nodejs's console.error and .warn
	const theirs = "github.com/dop251/goja_nodejs/eventloop." // left behind by TestBehaviourOfTheOriginal
	leakcheck.Main(m, theirs+"(*Interval).", theirs+"(*Timer).")
}
