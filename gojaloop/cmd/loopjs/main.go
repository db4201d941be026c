// Command loopjs runs JavaScript and TypeScript files on the event loop. Run it with -h for its flags.
package main

import (
	"os"

	"github.com/eventloop-go/eventloop/gojaloop/internal/command"
)

func main() { os.Exit(command.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
