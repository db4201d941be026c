// Package contestants lists the event loops that take part in a tournament.
package contestants

import (
	"slices"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants/arena"
	"github.com/eventloop-go/eventloop/tournament/contestants/channel"
	"github.com/eventloop-go/eventloop/tournament/contestants/coarselock"
	"github.com/eventloop-go/eventloop/tournament/contestants/gojanodejs"
	"github.com/eventloop-go/eventloop/tournament/contestants/poller"
	"github.com/eventloop-go/eventloop/tournament/contestants/product"
)

// All returns every contestant, in the order of the tables: the designs, then the variants that explain them.
func All() []contestant.Contestant { return append(Designs(), Variants()...) }

// Designs returns the contestants that are designs of their own. One that needs a C library is among them if the
// program was built with its tag.
func Designs() []contestant.Contestant {
	return append([]contestant.Contestant{
		product.Contestant,
		coarselock.Contestant,
		arena.Contestant,
		poller.Contestant,
		gojanodejs.Contestant,
		channel.Contestant,
	}, tagged()...)
}

// Variants returns the contestants that differ from a design in one thing only.
func Variants() []contestant.Contestant { return slices.Concat(product.Variants, poller.Variants) }
