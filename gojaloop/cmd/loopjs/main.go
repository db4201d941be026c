// Command loopjs runs JavaScript and TypeScript files on the event loop. Run it with -h for its flags.
package main

import (
	"os"

	"github.com/eventloop-go/eventloop/gojaloop/cmd/loopjs/internal/command"
	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

func main() {
	sandbox.Init() // so that programs can run sandboxes with loopjs; see sandbox.WithExecutable
	os.Exit(command.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
