package cookbook

import "github.com/eventloop-go/eventloop"

// check stands for a program's handling of unexpected errors.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// schedule is check for calls that return a timer.
func schedule(timer eventloop.Timer, err error) eventloop.Timer {
	check(err)
	return timer
}
