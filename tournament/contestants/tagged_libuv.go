//go:build libuv

package contestants

import (
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants/libuv"
)

// tagged returns the contestants that a build tag adds.
func tagged() []contestant.Contestant { return []contestant.Contestant{libuv.Contestant} }
