package contracts_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

// properties writes which of some characters each property has: what Node 20 writes.
const properties = `const all = ['a', 'Z', 'é', 'ß', '5', '٣', 'Ⅷ', '_', '-', ' ', '\u00a0', '\n', '中', 'я', 'Ω', '😀', '€', '+', '\u0301', '\u200d', 'ǅ', '\u{10400}', '\u{10ffff}', '%', ']', '^', '\\'];
const write = (name, re) => console.log(name, all.map((c) => (re.test(c) ? '1' : '0')).join(''));
write('L', /^\p{L}$/u); write('not L', /^\P{L}$/u); write('Letter', /^\p{Letter}$/u); write('Lu', /^\p{Lu}$/u); write('gc', /^\p{General_Category=Nd}$/u); write('N', /^\p{N}$/u);
write('P', /^\p{P}$/u); write('S', /^\p{S}$/u); write('Sc', /^\p{Currency_Symbol}$/u); write('Z', /^\p{Z}$/u); write('M', /^\p{M}$/u); write('Cf', /^\p{Cf}$/u);
write('in a class', /^[\p{L}\d_]$/u); write('not in a class', /^[^\p{L}\d_]$/u); write('two', /^[\p{Lu}\p{Nd}-]$/u); write('complement in a class', /^[\P{L}a]$/u);
write('Script', /^\p{Script=Greek}$/u); write('sc', /^\p{sc=Han}$/u); write('Cyrillic', /^[\p{Script=Cyrillic}\p{Script=Latin}]$/u);
write('Alphabetic', /^\p{Alphabetic}$/u); write('White_Space', /^\p{White_Space}$/u); write('Uppercase', /^\p{Uppercase}$/u); write('ASCII', /^\p{ASCII}$/u);
write('Any', /^\p{Any}$/u); write('ID_Start', /^\p{ID_Start}$/u); write('LC', /^\p{LC}$/u); write('ignoring case', /^\p{Lu}$/iu);
console.log('Ünïcode wörds, 日本'.match(/\p{L}+/gu), 'a-b_c'.replace(/\P{L}/gu, '.'), /\p{L}/.test('p{L}'), /\\p{L}/.test('\\p{L}'), new RegExp('^\\p{L}$', 'u').test('é'), RegExp('\\P{L}', 'u').test('é'));`

func TestPropertiesOfUnicodeAreLowered(t *testing.T) {
	out, err := run(t, properties)
	if err != nil || strings.Count(out, "\n") != 28 {
		t.Fatalf("%s\n%v", out, err)
	}
	if node, err := exec.LookPath("node"); err == nil {
		want, err := exec.Command(node, "-e", properties).Output()
		if err != nil || out != string(want) {
			t.Errorf("wrote\n%s\nNode %s\n%v", out, want, err)
		}
	}
}

func TestAPropertyThatIsNotKnownIsASyntaxError(t *testing.T) {
	for _, property := range []string{`\p{Emoji}`, `\p{Script_Extensions=Greek}`, `\p{Nonsense}`, `\P{sc=Klingon}`, `[\p{}]`} {
		_, err := run(t, `/`+property+`/u.test('a')`)
		var uncaught *gojaloop.UncaughtError
		if !errors.As(err, &uncaught) || !strings.Contains(uncaught.Message, "is not supported") {
			t.Errorf("%s: ended with %v", property, err)
		}
	}
}
