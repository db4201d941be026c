package cookbook

import "github.com/eventloop-go/eventloop"

// check stands for what a program does with an error that it does not expect.
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
