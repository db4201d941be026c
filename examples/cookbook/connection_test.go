package cookbook

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A counter serves connections: each line is answered with the number of lines that all clients have sent.
type counter struct{ lines int }

func (n *counter) serve(c *promise.Coroutine, conn net.Conn) error {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	for {
		_, err := promise.Await(c, promise.Promisify(c.Context(), c.Loop(), func(context.Context) (string, error) {
			if !in.Scan() { // blocks, on another goroutine
				return "", cmp.Or(in.Err(), io.EOF)
			}
			return in.Text(), nil
		}))
		if err != nil {
			return err
		}
		n.lines++ // no lock: one coroutine runs at a time
		answer := fmt.Sprintln(n.lines)
		_, err = promise.Await(c, promise.Promisify(c.Context(), c.Loop(), func(context.Context) (int, error) {
			return io.WriteString(conn, answer)
		}))
		if err != nil {
			return err
		}
	}
}

func Example_connection() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	server, client := net.Pipe() // a real server: for each connection that Accept returns
	n := new(counter)
	ended := promise.Spawn(ctx, loop, func(c *promise.Coroutine) (struct{}, error) {
		return struct{}{}, n.serve(c, server)
	})
	answers := bufio.NewReader(client)
	for range 2 {
		fmt.Fprintln(client, "tick")
		line, err := answers.ReadString('\n')
		check(err)
		fmt.Print(line)
	}
	check(client.Close())
	_, err := ended.Wait(ctx)
	fmt.Println(errors.Is(err, io.EOF))
	check(loop.Shutdown(ctx))
	// Output:
	// 1
	// 2
	// true
}
