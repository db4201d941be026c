// Package echo compares servers on the loop (package loopnet), with a goroutine or two for each connection, and on
// libuv, in programs built with the tag libuv. Some are echo servers; others, the rooms, send each message to all
// other connections.
//
// Each server is a process of its own, and the client another: one goroutine with an epoll set. With an echo server,
// every connection has one message in flight.
//
//	go test -tags libuv -run '^$' -bench . ./tournament/echo
package echo
