package contracts_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/dop251/goja"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// Runtimes share compiled code. They do not share a file with different texts, a file that only one of them has, or
// the exports of a module.
func TestRuntimesDoNotSeeEachOthersModules(t *testing.T) {
	value := func(files map[string]string, src string) string {
		rt := gojaloop.New(core.New(), gojaloop.WithModules(func(path string) ([]byte, error) {
			if src, ok := files[path]; ok {
				return []byte(src), nil
			}
			return nil, fs.ErrNotExist
		}))
		var got string
		err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
			v, err := vm.RunScript("/app/main.js", src)
			if err == nil {
				got = v.String()
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", src, err)
		}
		return got
	}
	counter := map[string]string{"/app/m.js": `exports.n = (exports.n || 0) + 1`}
	const count = `require('./m').n++; require('./m').n`
	if a, b := value(counter, count), value(counter, count); a != "2" || b != "2" {
		t.Errorf("two runtimes count to %s and %s, want 2 and 2", a, b)
	}
	if got := value(map[string]string{"/app/m.js": `exports.n = 7`}, `require('./m').n`); got != "7" {
		t.Errorf("a file with another text gives %s, want 7", got)
	}
	if got := value(nil, `try { require('./m'); 'there' } catch (e) { e.code }`); got != "MODULE_NOT_FOUND" {
		t.Errorf("a file that is not there gives %s", got)
	}
}
