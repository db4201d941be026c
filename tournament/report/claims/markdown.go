package claims

import (
	"fmt"
	"strings"
)

// Markdown writes an outcome as a sentence and a table with a line for each fault.
func Markdown(o Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d statements agree with the tables, %d are contradicted, and for %d the tables lack the rows.\n\n| page | fault |\n|---|---|\n", o.Agree, o.Contradicted, o.Untestable)
	for _, f := range o.Findings {
		fmt.Fprintf(&b, "| %s | %s |\n", f.Subject, strings.ReplaceAll(strings.TrimPrefix(f.Text, f.Subject+": "), "*", `\*`))
	}
	return b.String()
}
