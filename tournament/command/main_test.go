package command_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestants"
)

func TestMain(m *testing.M) {
	check.Child(contestants.All()...)
	leakcheck.Main(m)
}
