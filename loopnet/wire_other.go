//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package loopnet

import "net"

// A vector is not used here: a goroutine writes.
type vector struct{}

func adopt(c *Conn, n net.Conn) error { return adoptNet(c, n) }

// accept has a goroutine accept connections.
func (l *Listener) accept() error { return l.acceptNet() }
