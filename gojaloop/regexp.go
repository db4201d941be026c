package gojaloop

import (
	"time"

	"github.com/dlclark/regexp2/v2"
)

// LimitRegexps limits the time of a match by a regular expression with a look-around, a back-reference or another part for
// which the engine tries one way after the other: such a match can take for ever, and nothing else stops it. The engine
// takes a match that is given up for none. Other expressions take time in proportion to the text.
//
// The limit is the whole process's, for expressions that are compiled later, also by other users of the package regexp2. It
// must be set before any script is compiled, best when the program starts. By default there is none.
func LimitRegexps(limit time.Duration) { regexp2.DefaultMatchTimeout = limit }
