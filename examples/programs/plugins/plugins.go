// Package plugins says what plug-ins get and give, for both ways to run them.
package plugins

import "context"

// An Order is what a plug-in's function apply gets and returns, a promise of one as well.
type Order struct {
	Item  string  `json:"item"`
	Price float64 `json:"price"`
}

// Stock tells how many of an item are left. It may block. Scripts call it as stock(item), and get a promise.
type Stock func(ctx context.Context, item string) (int, error)
