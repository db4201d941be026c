// Command example is the tournament with one contestant more: the loop in mine.go.
//
//	go run . run -contestants Main,Mine
//	go run . check -contestants Mine
package main

import (
	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
)

var mine = contestant.Contestant{
	Name:   "Mine",
	About:  "a slice under a mutex, taken whole; a channel of one to sleep on",
	Panics: "nobody recovers what a task does",
	New:    func() (contestant.Loop, error) { return newLoop(), nil },
}

func main() { command.Run(append(contestants.Designs(), mine)...) }
