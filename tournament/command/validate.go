package command

import (
	"fmt"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// validate says all that is wrong with those who were entered. Loops and promise designs have their names in one list.
func (t *Tournament) validate() error {
	var faults []string
	seen := make(map[string]string)
	enter := func(name string, err error) {
		if err != nil {
			faults = append(faults, err.Error())
		}
		key := strings.ToLower(name)
		switch before, twice := seen[key]; {
		case name == "":
		case twice && before == name:
			faults = append(faults, fmt.Sprintf("two contestants are named %s: rename one, or enter it once", name))
		case twice:
			faults = append(faults, fmt.Sprintf("contestants %s and %s differ in capital letters only, which -contestants does not tell apart: rename one", before, name))
		default:
			seen[key] = name
		}
	}
	for _, c := range t.Contestants {
		enter(c.Name, c.Validate())
	}
	for _, d := range t.Designs {
		err := contestant.CheckName(d.Name)
		if err == nil && d.New == nil {
			err = fmt.Errorf("promise design %s has no New: set it to a function that makes an engine", d.Name)
		}
		enter(d.Name, err)
	}
	if faults != nil {
		return misuse("%s", strings.Join(faults, "\n  "))
	}
	return nil
}
