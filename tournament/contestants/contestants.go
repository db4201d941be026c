// Package contestants lists the event loops that take part in a tournament.
package contestants

import (
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants/channel"
	"github.com/eventloop-go/eventloop/tournament/contestants/gojanodejs"
	"github.com/eventloop-go/eventloop/tournament/contestants/product"
)

// All returns every contestant, in the order of the tables.
func All() []contestant.Contestant {
	return []contestant.Contestant{
		product.Contestant,
		gojanodejs.Contestant,
		channel.Contestant,
	}
}
