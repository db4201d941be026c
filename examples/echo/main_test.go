package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

func TestEveryByteComesBack(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	started, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, "127.0.0.1:0", func(address string) { started <- address }) }()
	address := <-started
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() { exchange(t, address) })
	}
	wait.Wait()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("serve: %v", err)
	}
}

// exchange sends random bytes, and compares the answer.
func exchange(t *testing.T, address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // nothing waits for it unless something hangs
	sent := make([]byte, 300_000)
	_, _ = rand.Read(sent)
	go func() {
		_, _ = c.Write(sent)
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d bytes came back, equal to the %d sent: %v; %v", len(got), len(sent), bytes.Equal(got, sent), err)
	}
}
