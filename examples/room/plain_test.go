package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"sync"
)

// A plainRoom is the room in plain Go. Each client has a reading goroutine, a writing goroutine and a buffer. The
// clients share a lock, and their backlog is bounded. Messages that wait together leave together, as far as they fit
// into the buffer.
type plainRoom struct {
	mu      sync.Mutex
	members map[*plainMember]bool
	all     sync.WaitGroup
	backlog int // how many messages wait for a client, at most
}

type plainMember struct {
	conn net.Conn
	out  chan []byte
}

// servePlain returns the function that is serve in plain Go.
func servePlain(backlog int) func(ctx context.Context, l net.Listener, config *tls.Config) error {
	return func(ctx context.Context, l net.Listener, config *tls.Config) error {
		if config != nil {
			l = tls.NewListener(l, config)
		}
		return (&plainRoom{members: map[*plainMember]bool{}, backlog: backlog}).serve(ctx, l)
	}
}

func (r *plainRoom) serve(ctx context.Context, l net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			r.end()
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		m := &plainMember{conn, make(chan []byte, r.backlog)}
		r.mu.Lock()
		r.members[m] = true
		r.mu.Unlock()
		r.all.Go(m.write)
		go r.read(m)
	}
}

func (r *plainRoom) read(m *plainMember) {
	in := bufio.NewScanner(m.conn)
	for in.Scan() {
		r.say(m, append(append([]byte(nil), in.Bytes()...), '\n'))
	}
	r.mu.Lock()
	r.leave(m)
	r.mu.Unlock()
}

// leave has the writer of a client end. The lock is held.
func (r *plainRoom) leave(m *plainMember) {
	if r.members[m] {
		delete(r.members, m)
		close(m.out)
	}
}

func (r *plainRoom) say(from *plainMember, message []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for m := range r.members {
		if m == from {
			continue
		}
		select {
		case m.out <- message:
		default: // it does not keep up
			_ = m.conn.Close()
			r.leave(m)
		}
	}
}

func (r *plainRoom) end() {
	r.mu.Lock()
	for m := range r.members {
		select {
		case m.out <- []byte("the room closes\n"):
		default:
		}
		r.leave(m)
	}
	r.mu.Unlock()
	r.all.Wait()
}

func (m *plainMember) write() {
	defer m.conn.Close()
	out := bufio.NewWriter(m.conn)
	for message := range m.out {
		_, _ = out.Write(message)
		for range len(m.out) {
			_, _ = out.Write(<-m.out)
		}
		if out.Flush() != nil {
			return
		}
	}
}
