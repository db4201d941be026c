// Package contracts_test holds the loop to its contracts, through what it exports: a test for each contract, what goes into
// depth beside it, and a model of the loop that random programs are compared with.
package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }
