package measure_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }
