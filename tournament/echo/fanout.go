package echo

import (
	"bufio"
	"context"
	"net"
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
)

// bound is how many bytes a server keeps for a connection that reads slowly. Messages beyond that are not sent to it.
const bound = 64 << 10

// messageSize is the size of a message of the fan-out.
const messageSize = 512

// rooms are servers that send data from a connection to all others.
var rooms = []server{
	{"LoopRoom", serveLoopRoom},
	{"GoroutinesRoom", serveGoroutineRoom},
}

func serveLoopRoom(started func(string)) error {
	loop := eventloop.New()
	members := make(map[*loopnet.Conn]bool) // only callbacks touch it
	l, err := loopnet.Listen(loop, "tcp", "127.0.0.1:0", func(c *loopnet.Conn) {
		members[c] = true
		c.OnClose(func(error) { delete(members, c) })
		c.OnData(func(p []byte) {
			for m := range members {
				if m != c && m.Buffered() <= bound-len(p) {
					m.Write(p)
				}
			}
		})
	})
	if err != nil {
		return err
	}
	started(l.Addr().String())
	return loop.Run(context.Background())
}

// serveGoroutineRoom has two goroutines for each connection: one reads, and one sends through a bufio.Writer, which it
// flushes when nothing waits.
func serveGoroutineRoom(started func(string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	started(l.Addr().String())
	var mu sync.Mutex
	members := make(map[net.Conn]chan []byte)
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		waiting := make(chan []byte, bound/messageSize)
		mu.Lock()
		members[c] = waiting
		mu.Unlock()
		go func() {
			w := bufio.NewWriter(c)
			for p := range waiting {
				_, err := w.Write(p)
				if err == nil && len(waiting) == 0 {
					err = w.Flush()
				}
				if err != nil {
					c.Close()
				}
			}
		}()
		go func() {
			defer c.Close()
			buf := make([]byte, 16*messageSize)
			for {
				n, err := c.Read(buf)
				mu.Lock()
				if err != nil {
					delete(members, c)
					close(waiting)
					mu.Unlock()
					return
				}
				p := append([]byte(nil), buf[:n]...)
				for m, to := range members {
					if m == c {
						continue
					}
					select {
					case to <- p:
					default: // it reads slowly
					}
				}
				mu.Unlock()
			}
		}()
	}
}
