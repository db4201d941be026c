// Package loop is the chat server with a coroutine for each member.
package loop

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

const backlog = 64 // lines that wait for a member; who has more is disconnected

type member struct {
	conn net.Conn
	out  chan string
}

type room struct{ members map[string]*member } // the loop's

// Serve has members of one room talk to each other, until ctx ends. The first line of a member is its name.
func Serve(ctx context.Context, l net.Listener) error {
	r := &room{members: map[string]*member{}}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	loop := eventloop.New(promise.WithBlockingLimit(1 << 20)) // two functions for each member
	failed := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				failed <- err
				loop.Shutdown(ctx)
				return
			}
			promise.Spawn(ctx, loop, func(c *promise.Coroutine) (struct{}, error) {
				r.session(c, conn)
				return struct{}{}, nil
			})
		}
	}()
	loop.Run(ctx) // until every session has ended
	return cmp.Or(ctx.Err(), <-failed)
}

func (r *room) session(c *promise.Coroutine, conn net.Conn) {
	in := bufio.NewScanner(conn)
	name, err := line(c, in)
	if err != nil || r.members[name] != nil {
		fmt.Fprintln(conn, "this name is taken")
		conn.Close()
		return
	}
	m := &member{conn: conn, out: make(chan string, backlog)}
	promise.Promisify(c.Context(), c.Loop(), m.write)
	r.members[name] = m
	m.send("welcome")
	r.say(name, name+" joins")
	for err == nil {
		var text string
		if text, err = line(c, in); err == nil {
			r.say(name, name+": "+text)
		}
	}
	delete(r.members, name)
	r.say(name, name+" leaves")
	if c.Context().Err() != nil {
		m.send("goodbye")
	}
	close(m.out)
}

// line reads the next line. The loop goes on meanwhile.
func line(c *promise.Coroutine, in *bufio.Scanner) (string, error) {
	return promise.Await(c, promise.Promisify(c.Context(), c.Loop(), func(context.Context) (string, error) {
		if !in.Scan() {
			return "", cmp.Or(in.Err(), io.EOF)
		}
		return in.Text(), nil
	}))
}

func (m *member) write(context.Context) (int, error) {
	defer m.conn.Close() // ends Scan
	for text := range m.out {
		m.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
		if _, err := fmt.Fprintln(m.conn, text); err != nil {
			return 0, nil
		}
	}
	return 0, nil
}

func (r *room) say(from, text string) {
	for name, m := range r.members {
		if name != from {
			m.send(text)
		}
	}
}

func (m *member) send(text string) {
	select {
	case m.out <- text:
	default:
		m.conn.Close() // it does not keep up
	}
}
