package command

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The differential test runs random programs here and in Node and compares their logs. One script holds many
// programs, which run one after the other: starting Node for each would take most of the time.
const (
	differentialPrograms = 2000
	quickFactor          = 10 // fewer programs unless tests run at their full size
	programsPerScript    = 200
	differentialSeed     = 20260901
)

// preamble makes the tools of a program. Timers are made due by keeping the loop busy, so that neither engine has to
// wait for them, and the order does not depend on its speed.
const preamble = `
const lines = [], l = (...a) => lines.push(a.join(' '));
const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
process.on('uncaughtException', (e) => { l('UE', e && e.message || e); process.nextTick(() => l('UE tick')); });
process.on('unhandledRejection', (r) => { l('UR', r); queueMicrotask(() => l('UR micro')); });
process.on('rejectionHandled', () => l('RH'));
const programs = [];
`

// postamble runs the programs: the next one when the one before has logged nothing for some turns of the loop. Nothing
// in a program waits longer than a turn.
const postamble = `
let at = 0, seen = 0, quiet = 0;
(function look() {
  if (lines.length !== seen) { seen = lines.length; quiet = 0; }
  if (++quiet > 5) {
    if (at === programs.length) { console.log(lines.join('\n')); return; }
    quiet = 0;
    l('program', at);
    programs[at++]();
  }
  setImmediate(look);
})();
`

func TestRandomProgramsLogWhatTheyLogInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, and there is nothing to compare with")
	}
	total := differentialPrograms
	if !testkit.Full() {
		total /= quickFactor
	}
	for first := 0; first < total; first += programsPerScript {
		seeds := make([]int, 0, programsPerScript)
		for i := first; i < min(first+programsPerScript, total); i++ {
			seeds = append(seeds, i)
		}
		ours, theirs := logs(t, node, seeds)
		for _, seed := range seeds {
			// A machine that stops one engine in the middle of a program can reorder timers; the difference must
			// persist to count.
			for attempt := 0; !slices.Equal(ours[seed], theirs[seed]); attempt++ {
				if attempt == 3 {
					t.Fatalf("program %d:\n%s\nwe log\n%s\nNode logs\n%s", seed, randomProgram(seed),
						strings.Join(ours[seed], "\n"), strings.Join(theirs[seed], "\n"))
				}
				one, other := logs(t, node, []int{seed})
				ours[seed], theirs[seed] = one[seed], other[seed]
			}
		}
	}
}

// logs runs the programs of some seeds in both engines, and returns the log of each.
func logs(t *testing.T, node string, seeds []int) (ours, theirs map[int][]string) {
	t.Helper()
	var src strings.Builder
	src.WriteString(preamble)
	for _, seed := range seeds {
		fmt.Fprintf(&src, "programs.push(() => {%s});\n", randomProgram(seed))
	}
	src.WriteString(postamble)
	path := file(t, "programs.js", src.String())
	var out []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, err = exec.Command(node, "--no-warnings", path).Output()
	}()
	mine, errs, code := loopjs(t, "", path)
	<-done
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	return split(mine, seeds), split(string(out), seeds)
}

func split(out string, seeds []int) map[int][]string {
	result := make(map[int][]string)
	at := -1
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if strings.HasPrefix(line, "program ") {
			at++
			continue
		}
		result[seeds[at]] = append(result[seeds[at]], line)
	}
	return result
}

// A generator writes one program.
type generator struct {
	*rand.Rand
	b          strings.Builder
	labels     int
	budget     int  // statements left to write
	tickThrows bool // a tick does
}

func randomProgram(seed int) string {
	g := &generator{Rand: rand.New(rand.NewPCG(differentialSeed, uint64(seed))), budget: 14}
	g.block(0)
	return g.b.String()
}

func (g *generator) label() string {
	g.labels++
	return fmt.Sprint(g.labels)
}

// block writes statements.
func (g *generator) block(depth int) {
	fmt.Fprintf(&g.b, "l(%s);", g.label())
	for range 1 + g.IntN(4) {
		if depth < 4 && g.budget > 0 {
			g.budget--
			g.statement(depth)
		}
	}
}

func (g *generator) callback(depth int) {
	g.b.WriteString("() => {")
	g.block(depth + 1)
	if g.IntN(9) == 0 {
		fmt.Fprintf(&g.b, "throw %s", g.label())
	}
	g.b.WriteString("}")
}

func (g *generator) around(before string, depth int, after string) {
	g.b.WriteString(before)
	g.callback(depth)
	g.b.WriteString(after)
}

func (g *generator) statement(depth int) {
	name := "v" + g.label()
	switch g.IntN(13) {
	case 0, 1:
		g.around("setTimeout(", depth, ", "+[]string{"0", "1"}[g.IntN(2)]+");busy(2.2);")
	case 2:
		g.around("setImmediate(", depth, ");")
	case 3, 4:
		g.tick(depth)
	case 5:
		g.around("queueMicrotask(", depth, ");")
	case 6:
		g.around("Promise.resolve().then(", depth, fmt.Sprintf(").then(() => l(%s), (e) => l('caught', e));", g.label()))
	case 7:
		fmt.Fprintf(&g.b, "(async () => {l(%s);await %s;", g.label(), []string{"null", "{then(r){l('thenable');r()}}", "Promise.resolve(1)", "(async () => {})()"}[g.IntN(4)])
		g.block(depth + 1)
		fmt.Fprintf(&g.b, "})().finally(() => l(%s));", g.label())
	case 8:
		fmt.Fprintf(&g.b, "const %s = Promise.reject(%s);", name, g.label())
		switch g.IntN(4) {
		case 0:
			fmt.Fprintf(&g.b, "process.nextTick(() => %s.catch((e) => l('c', e)));", name)
		case 1:
			fmt.Fprintf(&g.b, "queueMicrotask(() => %s.catch((e) => l('c', e)));", name)
		case 2:
			fmt.Fprintf(&g.b, "setImmediate(() => %s.catch((e) => l('c', e)));", name)
		}
	case 9:
		g.around(fmt.Sprintf("const %s = setTimeout(", name), depth, fmt.Sprintf(", 1);busy(2.2);process.nextTick(() => clearTimeout(%s));", name))
	case 10:
		g.around(fmt.Sprintf("const %s = setImmediate(", name), depth, fmt.Sprintf(");setImmediate(() => {l('clear');clearImmediate(%s)});", name))
	case 11:
		fmt.Fprintf(&g.b, "let %s = 0;const i%s = setInterval(() => {l('i', ++%s);if (%s === 2) clearInterval(i%s);busy(2.2)}, 1);busy(2.2);", name, name, name, name, name)
	default:
		fmt.Fprintf(&g.b, "new Promise((r) => r(Promise.resolve(%s))).then(l);", g.label())
	}
}

// tick writes a nextTick. At most one in a program throws. The reason is that Node may come back to the remaining
// ticks once or twice before the next check phase, depending on messages of its own threads. So after a second one
// that throws, more than one order is right.
func (g *generator) tick(depth int) {
	g.b.WriteString("process.nextTick(() => {")
	g.block(depth + 1)
	if !g.tickThrows && g.IntN(6) == 0 {
		g.tickThrows = true
		fmt.Fprintf(&g.b, "throw %s", g.label())
	}
	g.b.WriteString("});")
}
