// Package echo compares servers that send back what they get: connections on the loop (package loopnet), a goroutine for
// each connection, and libuv, in programs built with the tag libuv.
//
// Each server is a process of its own, and the client another: one goroutine with an epoll set, which has one message under
// way on every connection.
//
//	go test -tags libuv -run '^$' -bench . ./tournament/echo
package echo
