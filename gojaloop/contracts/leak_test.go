// Package contracts_test holds the runtime to what it promises, through what it exports.
package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }
