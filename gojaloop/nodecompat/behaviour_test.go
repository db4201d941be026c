package nodecompat_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A behaviour is a test of an event loop's behaviour, for either package.
type behaviour struct {
	name string
	test func(t *testing.T, make maker)

	// wrong describes the wrong behaviour of goja_nodejs, if it has one.
	wrong string
}

// inVirtualTime has a test not depend on the machine's pace: no time passes while anything runs.
func inVirtualTime(test func(t *testing.T, make maker)) func(t *testing.T, make maker) {
	return func(t *testing.T, make maker) {
		synctest.Test(t, func(t *testing.T) { test(t, make) })
	}
}

func behaviours() []behaviour {
	var all []behaviour
	for _, group := range [][]behaviour{running, stopping, terminating, panicking, timing, scripting} {
		all = append(all, group...)
	}
	return all
}

func TestBehaviour(t *testing.T) {
	for _, b := range behaviours() {
		t.Run(b.name, func(t *testing.T) { b.test(t, makeOurs) })
	}
}

func TestBehaviourOfTheOriginal(t *testing.T) {
	for _, b := range behaviours() {
		t.Run(b.name, func(t *testing.T) {
			if b.wrong != "" {
				t.Skip("goja_nodejs is wrong: " + b.wrong + "; TestOriginalIsWrong shows it")
			}
			b.test(t, makeOriginal)
		})
	}
}

const (
	wrongVariable = "NODECOMPAT_WRONG"         // names the behaviour that a child process tests
	wrongDeadline = 500 * time.Millisecond     // for events that do not happen, in the child
	childDeadline = 2 * time.Minute            // for the child: passes only in a failing test
	wrongMark     = "--- FAIL: TestWrongChild" // in the output of a child that shows a test fail
)

// The faults of goja_nodejs hang, panic and leak, so a process of its own shows each. They also show that the tests
// above can fail.
func TestOriginalIsWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: about the original, with a process for each behaviour")
	}
	for _, b := range behaviours() {
		if b.wrong == "" {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run", "^TestWrongChild$", "-test.timeout", childDeadline.String())
			cmd.Env = append(os.Environ(), wrongVariable+"="+b.name)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			if err == nil {
				t.Errorf("goja_nodejs gets this right, the table says: %s", b.wrong)
			} else if s := out.String(); !strings.Contains(s, wrongMark) && !strings.Contains(s, "panic: ") {
				t.Errorf("the child failed for another reason: %v\n%s", err, s)
			}
		})
	}
}

func TestWrongChild(t *testing.T) {
	name := os.Getenv(wrongVariable)
	if name == "" {
		t.Skip("this is what TestOriginalIsWrong runs in other processes")
	}
	deadline = wrongDeadline
	for _, b := range behaviours() {
		if b.name == name {
			b.test(t, makeOriginal)
			return
		}
	}
	fmt.Println("no such behaviour:", name)
	os.Exit(3)
}
