// Package contracts_test holds the runtime to its promises, through its public API.
package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }
