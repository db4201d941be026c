package gojavm_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web"
)

// A function that the list lacks would be looked for when the library first needs it: a script may have replaced it by then.
func TestTheListOfPrimordialsIsThatOfTheScripts(t *testing.T) {
	want := gojavm.NewLibrary(web.Scripts, node.Scripts).Primordials()
	src, err := os.ReadFile("primordialnames.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(src), "strings.Fields(`")
	list, _, _ = strings.Cut(list, "`")
	got := strings.Fields(list)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		var text strings.Builder
		for i := 0; i < len(want); i += 6 {
			text.WriteString("\t" + strings.Join(want[i:min(i+6, len(want))], " ") + "\n")
		}
		t.Errorf("the list is\n%s", text.String())
	}
}
