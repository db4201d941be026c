// Package plain is the chat server with goroutines, channels and a mutex.
package plain

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

const backlog = 64 // lines that wait for a member; who has more is disconnected

type member struct {
	conn net.Conn
	out  chan string
}

type room struct {
	mu      sync.Mutex
	members map[string]*member
}

// Serve has members of one room talk to each other, until ctx ends. The first line of a member is its name.
func Serve(ctx context.Context, l net.Listener) error {
	r := &room{members: map[string]*member{}}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	var sessions sync.WaitGroup
	defer sessions.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		sessions.Go(func() { r.session(ctx, conn) })
	}
}

func (r *room) session(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Now()) }) // ends Scan
	defer stop()
	if !in.Scan() {
		return
	}
	name := in.Text()
	m := &member{conn: conn, out: make(chan string, backlog)}
	if !r.join(name, m) {
		fmt.Fprintln(conn, "this name is taken")
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		m.write()
	}()
	defer func() {
		r.leave(ctx, name, m)
		<-written
	}()
	for in.Scan() {
		r.say(name, name+": "+in.Text())
	}
}

func (m *member) write() {
	for text := range m.out {
		m.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
		if _, err := fmt.Fprintln(m.conn, text); err != nil {
			m.conn.Close() // ends Scan
		}
	}
}

func (r *room) join(name string, m *member) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.members[name] != nil {
		return false
	}
	r.members[name] = m
	r.send(m, "welcome")
	r.sayLocked(name, name+" joins")
	return true
}

func (r *room) leave(ctx context.Context, name string, m *member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, name)
	r.sayLocked(name, name+" leaves")
	if ctx.Err() != nil {
		r.send(m, "goodbye")
	}
	close(m.out) // under the lock, or say could send to it
}

func (r *room) say(from, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sayLocked(from, text)
}

func (r *room) sayLocked(from, text string) {
	for name, m := range r.members {
		if name != from {
			r.send(m, text)
		}
	}
}

func (r *room) send(m *member, text string) {
	select {
	case m.out <- text:
	default:
		m.conn.Close() // it does not keep up
	}
}
