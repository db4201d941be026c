package web_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/node"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web"
)

// A descriptor with a prototype would take a script's properties of Object.prototype for its own.
func TestDescriptorsOfTheLibraryHaveNoPrototype(t *testing.T) {
	literal := regexp.MustCompile(`defineProperty\([^;]*?\{\s*([^\s])[^\n]*`)
	for _, fsys := range []fs.FS{web.Scripts, node.Scripts} {
		paths, _ := fs.Glob(fsys, "*/*.js")
		if len(paths) == 0 {
			t.Fatal("there are no scripts")
		}
		for _, p := range paths {
			src, err := fs.ReadFile(fsys, p)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(p, "webstreams.js") || strings.HasSuffix(p, "descriptors.js") {
				continue // its Object is the one of descriptors.js
			}
			if strings.HasSuffix(p, "readable-stream.js") {
				continue // made elsewhere: what a script does to Object.prototype harms the script's own streams
			}
			for _, found := range literal.FindAllString(string(src), -1) {
				if !strings.Contains(found, "__proto__: null") {
					t.Errorf("%s: %s", p, found)
				}
			}
		}
	}
}
