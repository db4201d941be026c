// Package contracts_test holds the loop to its contracts, through its public API. Each contract has a test, with
// detailed tests beside it. Random programs are compared with a model of the loop.
package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m, "contracts_test.leftBehind(") }
