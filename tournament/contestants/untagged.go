//go:build !libuv

package contestants

import "github.com/eventloop-go/eventloop/tournament/contestant"

// tagged returns the contestants that a build tag adds.
func tagged() []contestant.Contestant { return nil }
