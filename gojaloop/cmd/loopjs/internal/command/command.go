// Package command is the command loopjs.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"golang.org/x/term"
)

const usage = `usage: loopjs [flags] FILE [arguments]
       loopjs [flags] -e CODE [arguments]
       loopjs [flags] - [arguments]          the script is read from standard input
       loopjs                                on a terminal: read, evaluate, print

FILE ends in .js, .cjs, .mjs, .ts or .mts. What follows it is the script's, in process.argv.

Exit codes are those of Node: 0, what process.exit was given, 1 after an exception that nobody caught, 7 if the
handler for that threw, 13 for a module that still awaits when nothing is left to do. Besides, 9 for wrong flags, and
124 when the time is over.

`

// exitTimeout is what timeout(1) ends with; Node has no such limit.
const (
	exitUsage   = 9
	exitTimeout = 124
)

type flags struct {
	code             string
	hasCode          bool
	timeout          time.Duration
	allowNet         bool
	allowListen      bool
	allowRead, stats bool
	noCodeGeneration bool
	node             []string // flags of Node's
	args             []string
}

// Main runs the command, and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "loopjs: %v; see loopjs -h\n", err)
		return exitUsage
	}
	s, err := f.source(stdin)
	if errors.Is(err, errNoFile) {
		if in, ok := stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
			return repl(f, in, stdout)
		}
		s, err = readScript("[stdin]", stdin)
	}
	if err != nil {
		fmt.Fprintf(stderr, "loopjs: %v\n", err)
		return 1
	}
	return f.run(s, stdout, stderr)
}

func parse(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := flag.NewFlagSet("loopjs", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Func("e", "run `CODE`", func(s string) error { f.code, f.hasCode = s, true; return nil })
	set.Func("timeout", "end the script after a `time` such as 500ms or 2s", func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return errors.New("it must be a time such as 500ms or 2s")
		}
		f.timeout = d
		return nil
	})
	set.BoolVar(&f.allowNet, "allow-net", false, "let the script fetch from the network")
	set.BoolVar(&f.allowListen, "allow-listen", false, "let the script be a server, at any address, with serve and node:http")
	set.BoolVar(&f.allowRead, "allow-read", false, "let the script read files, with import, require and fs")
	set.BoolVar(&f.noCodeGeneration, "disallow-code-generation-from-strings", false, "eval, Function and their like throw an EvalError")
	for _, name := range []string{"no-warnings", "no-deprecation", "throw-deprecation", "trace-deprecation", "trace-warnings"} {
		set.BoolFunc(name, "as in Node", func(string) error { f.node = append(f.node, "--"+name); return nil })
	}
	set.Func("unhandled-rejections", "as in Node: a `mode`, one of "+strings.Join(rejectionModes, ", "), func(mode string) error {
		if !slices.Contains(rejectionModes, mode) {
			return errors.New("it must be one of " + strings.Join(rejectionModes, ", "))
		}
		f.node = append(f.node, "--unhandled-rejections="+mode)
		return nil
	})
	set.BoolVar(&f.stats, "stats", false, "tell at the end what the loop has done, on standard error")
	err := set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stderr, usage)
		set.SetOutput(stderr)
		set.PrintDefaults()
	}
	f.args = set.Args()
	return f, err
}

var rejectionModes = []string{"throw", "strict", "warn", "warn-with-error-code", "none"}

var errNoFile = errors.New("no file")

// A script is source text with what it takes to run it.
type script struct {
	name, src string // the name is an absolute path, or one in brackets
	args      []string
}

// source finds the script that the arguments name.
func (f *flags) source(stdin io.Reader) (script, error) {
	switch {
	case f.hasCode:
		return script{name: "[eval]", src: f.code, args: f.args}, nil
	case len(f.args) == 0:
		return script{}, errNoFile
	case f.args[0] == "-":
		s, err := readScript("[stdin]", stdin)
		s.args = append([]string{"-"}, f.args[1:]...)
		return s, err
	}
	path, err := filepath.Abs(f.args[0])
	if err != nil {
		return script{}, err
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return script{}, fmt.Errorf("cannot read the script: %w", err)
	}
	return script{name: filepath.ToSlash(path), src: string(src), args: append([]string{path}, f.args[1:]...)}, nil
}

func readScript(name string, r io.Reader) (script, error) {
	src, err := io.ReadAll(r)
	return script{name: name, src: string(src)}, err
}

// run runs a script and returns the exit code.
func (f *flags) run(s script, stdout, stderr io.Writer) int {
	ctx := context.Background()
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
		limitRegexps()
	}
	began := time.Now()
	out := newBuffered(stdout)
	rt := f.runtime(s, out, &flushing{out, stderr})
	m := &module{script: s, reads: f.allowRead, rt: rt}
	err, ended := f.await(ctx, func() error { return rt.RunMain(ctx, m.main(ctx)) })
	out.flush()
	if !ended {
		fmt.Fprintln(stderr, "loopjs: the time is over, and the script does not stop: the process ends")
		return exitTimeout
	}
	code := s.report(err, stderr)
	if err == nil && m.pending() {
		fmt.Fprintln(stderr, "Warning: Detected unsettled top-level await")
		code = 13
	}
	if f.stats {
		printStats(stderr, rt.Stats(), time.Since(began))
	}
	return code
}

// grace is how long a script may take to stop when its time is over. One that runs a single long operation of the engine, which
// nothing can interrupt, takes longer.
const grace = 500 * time.Millisecond

// await waits for a script. It reports false for one that does not stop in time: it goes on running until the process ends.
func (f *flags) await(ctx context.Context, run func() error) (err error, ended bool) {
	if f.timeout <= 0 {
		return run(), true
	}
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err, true
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err, true
	case <-time.After(grace):
		return nil, false
	}
}

// limitRegexps keeps a regular expression from going on when the time is over.
var limitRegexps = sync.OnceFunc(func() { gojaloop.LimitRegexps(200 * time.Millisecond) })

// runtime makes a runtime with what the flags allow.
func (f *flags) runtime(s script, stdout, stderr io.Writer) *gojaloop.Runtime {
	exe, _ := os.Executable() // without one, argv[0] is empty
	opts := []gojaloop.Option{
		gojaloop.WithOutput(stdout, stderr),
		gojaloop.WithArguments(append([]string{exe}, s.args...)...),
		gojaloop.WithEnvironment(map[string]string{}),
		gojaloop.WithFiles(fileSystem{s.name, f.allowRead}),
		gojaloop.WithTransform(transform),
		gojaloop.WithNodeFlags(f.node...),
		gojaloop.WithHardening(),
	}
	if f.noCodeGeneration {
		opts = append(opts, gojaloop.Without(gojaloop.CodeGeneration))
	}
	client := http.DefaultClient
	if !f.allowNet {
		client = &http.Client{Transport: noNetwork{}}
	}
	opts = append(opts, gojaloop.WithFetch(client))
	if f.allowListen {
		opts = append(opts, gojaloop.WithListen(new(net.ListenConfig).Listen, gojaloop.HandlerConfig{MaxBody: -1}))
	}
	return gojaloop.New(eventloop.New(), opts...)
}

// errNoFiles is a permission error, which scripts see as EACCES.
var errNoFiles = fmt.Errorf("%w: the script has no access to files: run loopjs with --allow-read before the file", fs.ErrPermission)

// A fileSystem is the machine's. Without reads it has the main script only.
type fileSystem struct {
	main  string
	reads bool
}

func (s fileSystem) Open(name string) (fs.File, error) {
	path := name
	if filepath.VolumeName(name) == "" {
		path = "/" + name
	}
	if !s.reads && path != s.main {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFiles}
	}
	return os.Open(filepath.FromSlash(path))
}

// noNetwork is what fetch goes through without -allow-net. Its classes are of use without a network too.
type noNetwork struct{}

var errNoNetwork = errors.New("the script has no access to the network: run loopjs with --allow-net before the file")

func (noNetwork) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	return nil, errNoNetwork
}
