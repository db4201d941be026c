package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// slow is a source that the engine's compiler takes half a second for, or more.
var slow = strings.Repeat("1+", 12_000) + "1"

// looks is how often a test looks whether something goes on: to look stops all goroutines.
const looks = 5 * time.Millisecond

// compiling reports whether some goroutine compiles a source.
func compiling() bool {
	stacks := make([]byte, 16<<20) // of all goroutines
	return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "gojavm.tryCompile(")
}

func TestDeadlineEndsACompilation(t *testing.T) {
	for name, run := range map[string]func(context.Context) error{
		"RunScript": func(ctx context.Context) error {
			return gojaloop.New(eventloop.New()).RunScript(ctx, "slow.js", slow)
		},
		"Eval": func(ctx context.Context) error {
			loop := eventloop.New()
			ended := make(chan error)
			go func() { ended <- loop.Run(context.Background()) }()
			_, err := gojaloop.New(loop).Eval(ctx, slow)
			_ = loop.Close()
			<-ended
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			defer cancel()
			for !compiling() {
				time.Sleep(looks)
			}
		}()
		err := run(ctx)
		var interrupt *gojaloop.InterruptError
		if !errors.As(err, &interrupt) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s ended with %v", name, err)
		}
		if !compiling() {
			t.Errorf("%s has waited for the compiler", name)
		}
		for deadline := time.Now().Add(childDeadline); compiling(); time.Sleep(looks) {
			if time.Now().After(deadline) {
				t.Fatal("the compiler does not come to its end")
			}
		}
	}
}

func TestLongSourcesRun(t *testing.T) {
	var src strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&src, "function f%d(a, b = (c) => c) { if (a) { return b(a) } else if (b) { return `${a}` + /[/]x/.source } }\n", i)
	}
	src.WriteString("console.log(f19999('y', (d) => d + '<!--'))")
	expect(t, src.String(), "y<!--\n")
}

func TestSourceMapsAreNotReadFromFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.js.map")
	const sourceMap = `{"version":3,"sources":["mapped.js"],"names":[],"mappings":"AAAA"}`
	if err := os.WriteFile(path, []byte(sourceMap), 0o600); err != nil {
		t.Fatal(err)
	}
	src := "throw new Error('x')\n//# sourceMappingURL=file://" + filepath.ToSlash(path)
	for _, src := range []string{src, fmt.Sprintf("eval(%q)", src), fmt.Sprintf("new Function(%q)()", src)} {
		_, err := run(t, src)
		var uncaught *gojaloop.UncaughtError
		if !errors.As(err, &uncaught) || strings.Contains(uncaught.Detail, "mapped.js") {
			t.Errorf("%s: ended with %v, %s", src, err, uncaught.Detail)
		}
	}
}
