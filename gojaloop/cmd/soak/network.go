package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

// listen starts an echo server.
func (s *load) listen() (*loopnet.Listener, error) {
	return loopnet.Listen(s.loops[0], "tcp", "127.0.0.1:0", func(c *loopnet.Conn) {
		it := s.accepted.begin(&s.nothing)
		c.OnData(func(p []byte) {
			if !c.Write(p) {
				c.Pause()
			}
		})
		c.OnDrain(c.Resume)
		c.OnClose(func(err error) {
			s.accepted.check(err == nil, "the server's connection was closed: %v", err)
			it.end()
		})
	})
}

// connections send lines to the server, some of them long, and get the same back.
func (s *load) connections(k *ledger) {
	var ends sync.WaitGroup
	for range 3 {
		it := k.begin(&ends)
		l := s.loop()
		const lines = 5
		line := strings.Repeat("x", 1+rand.IntN(40<<10))
		promise.Then(loopnet.Dial(context.Background(), l, "tcp", s.listener.Addr().String()), func(c *loopnet.Conn) (struct{}, error) {
			got := 0
			c.OnLines(len(line), func(p []byte) {
				k.check(string(p) == line, "a line of %d bytes came back as one of %d", len(line), len(p))
				if got++; got == lines {
					c.End()
				}
			})
			c.OnClose(func(err error) {
				k.check(err == nil && got == lines, "closed after %d lines: %v", got, err)
				it.end()
				s.fault(l)
			})
			for range lines {
				c.Write([]byte(line + "\n"))
			}
			return struct{}{}, nil
		}).Catch(func(err error) (struct{}, error) {
			k.check(false, "Dial: %v", err)
			it.end()
			return struct{}{}, nil
		})
	}
	ends.Wait()
}

// pipes are watched while a goroutine writes into them.
func (s *load) pipes(k *ledger) {
	var ends sync.WaitGroup
	it := k.begin(&ends)
	reader, writer, err := os.Pipe()
	if err != nil {
		k.check(false, "Pipe: %v", err)
		it.end()
		return
	}
	size := 1 + rand.IntN(200<<10)
	go func() {
		defer writer.Close()
		_, err := writer.Write(make([]byte, size))
		k.check(err == nil, "Write: %v", err)
	}()
	got, buffer := 0, make([]byte, 16<<10)
	l := s.loop()
	err = l.Submit(func() {
		var watch *eventloop.Watch
		watch, err := l.Watch(reader, eventloop.EventRead, func(eventloop.IOEvents) {
			n, err := reader.Read(buffer)
			if got += n; err == nil {
				return
			}
			k.check(err == io.EOF && got == size, "%d bytes of %d, then %v", got, size, err)
			closing := watch.Close()
			k.check(closing == nil, "Watch.Close: %v", closing)
			_ = reader.Close()
			it.end()
			s.fault(l)
		})
		k.check(err == nil, "Watch: %v", err)
	})
	k.check(err == nil, "refused: %v", err)
	ends.Wait()
}
