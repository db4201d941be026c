// Package natstest tests package natsloop with a NATS server. It is a module of its own so that users of natsloop do
// not get the server's dependencies.
package natstest
