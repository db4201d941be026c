// Command chat is a chat server. Talk to it with nc localhost 7777.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"os"
	"os/signal"

	"github.com/eventloop-go/eventloop/examples/programs/chat/loop"
	"github.com/eventloop-go/eventloop/examples/programs/chat/plain"
)

var servers = map[string]func(context.Context, net.Listener) error{"plain": plain.Serve, "loop": loop.Serve}

func main() {
	way := flag.String("way", "loop", "plain or loop")
	address := flag.String("address", "localhost:7777", "where to listen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	l, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Print(servers[*way](ctx, l))
}
