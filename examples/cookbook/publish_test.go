package cookbook

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
)

// A broker hands messages to the functions that have subscribed to their topic. All of it happens on the loop.
type broker struct {
	subscribers map[string]map[int]func(string)
	next        int
}

func (b *broker) subscribe(topic string, fn func(string)) (unsubscribe func()) {
	b.next++
	id := b.next
	if b.subscribers[topic] == nil {
		b.subscribers[topic] = map[int]func(string){}
	}
	b.subscribers[topic][id] = fn
	return func() { delete(b.subscribers[topic], id) }
}

func (b *broker) publish(topic, message string) {
	for _, fn := range b.subscribers[topic] {
		fn(message) // it may subscribe and unsubscribe: no lock is held
	}
}

func Example_publish() {
	loop := eventloop.New(eventloop.WithAutoExit())
	b := &broker{subscribers: map[string]map[int]func(string){}}
	check(loop.Submit(func() {
		var unsubscribe func()
		unsubscribe = b.subscribe("news", func(message string) {
			fmt.Println("once:", message)
			unsubscribe()
		})
	}))
	for _, message := range []string{"hello", "again"} { // from any goroutine
		check(loop.Submit(func() { b.publish("news", message) }))
	}
	check(loop.Run(context.Background()))
	// Output: once: hello
}
