package inspect

import "testing"

func TestAPlaceOfCreationIsThatOfTheCallerOfTheModule(t *testing.T) {
	for function, want := range map[string]bool{
		module + ".(*Loop).Submit":                           true,
		module + "/promise.Then[...]":                        true,
		module + "/loopnet.(*Conn).Write":                    true,
		module + "/looptest.(*Loop).Advance":                 true,
		module + "/inspect.Observe":                          true,
		module + "/loopsource.(*Source[go.shape.int]).Send":  true,
		module + "/adapter.Hooks.Hold":                       true,
		module + "/gojaloop/internal/web/fetch.(*x).f.func1": true,
		module + "_test.TestX":                               false,
		module + "/loopnet_test.TestX":                       false,
		module + "/examples/echo.main.func1":                 false,
		module + "/tests/contracts.main":                     false,
		module + "/tournament/cmd/tournament.main":           false,
		module + "/gojaloop/cmd/loopjs.main":                 false,
		module + "s.main":                                    false,
		"main.main":                                          false,
		"example.org/fork/eventloop.New":                     false,
	} {
		if got := within(function); got != want {
			t.Errorf("within(%q) = %v", function, got)
		}
	}
}
