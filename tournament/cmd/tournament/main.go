// Command tournament compares event loops: see "tournament help".
package main

import (
	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestants"
)

func main() { command.Run(contestants.All()...) }
