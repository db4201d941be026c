// Package natstest tests package natsloop with a NATS server. It is a module of its own so that nobody who uses natsloop gets
// the server's dependencies.
package natstest
