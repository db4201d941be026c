// Package promises lists the promise designs that take part in a tournament: the product's, and four rivals with a
// mechanism each.
package promises

import (
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/promises/lockinline"
	"github.com/eventloop-go/eventloop/tournament/promises/product"
	"github.com/eventloop-go/eventloop/tournament/promises/reactionslice"
	"github.com/eventloop-go/eventloop/tournament/promises/reactionstack"
	"github.com/eventloop-go/eventloop/tournament/promises/registry"
)

// All returns every design, in the order of the tables.
func All() []design.Design {
	return []design.Design{
		product.Design,
		lockinline.Design,
		reactionstack.Design,
		reactionslice.Design,
		registry.Design,
	}
}
