package promise_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A room of a chat server. Only code on the loop uses it, so it has no lock.
type room struct {
	members map[string]bool
}

func (r *room) say(text string) { fmt.Printf("to %d: %s\n", len(r.members), text) }

// session serves one member: a coroutine that reads like a goroutine.
func (r *room) session(c *promise.Coroutine, conn net.Conn) (err error) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	line := func() (string, error) {
		return promise.Await(c, promise.Promisify(c.Context(), c.Loop(), func(context.Context) (string, error) {
			if !in.Scan() { // blocks, on another goroutine
				return "", cmp.Or(in.Err(), io.EOF)
			}
			return in.Text(), nil
		}))
	}
	name, err := line()
	if err != nil {
		return err
	}
	r.members[name] = true
	defer delete(r.members, name)
	r.say(name + " joins")
	for {
		text, err := line()
		if err != nil {
			r.say(name + " leaves")
			return err
		}
		r.say(name + ": " + text)
	}
}

// The session of a chat server as a coroutine. It shares the room with all other sessions, without a lock.
func ExampleAwait_chat() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()
	r := &room{members: map[string]bool{}}

	server, client := net.Pipe()
	ends := promise.Spawn(ctx, loop, func(c *promise.Coroutine) (struct{}, error) {
		return struct{}{}, r.session(c, server)
	})
	fmt.Fprintln(client, "ann")
	fmt.Fprintln(client, "hello")
	client.Close()

	_, err := ends.Wait(ctx)
	fmt.Println("session:", err)
	check(loop.Shutdown(ctx))
	// Output:
	// to 1: ann joins
	// to 1: ann: hello
	// to 1: ann leaves
	// session: EOF
}

// get fetches a page on another goroutine.
func get(c *promise.Coroutine, client *http.Client, url string) *promise.Promise[string] {
	return promise.Promisify(c.Context(), c.Loop(), func(ctx context.Context) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return "", err
		}
		res, err := client.Do(req)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err == nil && res.StatusCode != http.StatusOK {
			err = errors.New(res.Status)
		}
		return string(body), err
	})
}

// A pipeline of HTTP calls: a list, with two retries, then its pages all at once, in the order of the list.
func ExampleAwait_pipeline() {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/list" {
			fmt.Fprint(w, strings.ToUpper(r.URL.Path[1:]))
		} else if calls++; calls < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		} else {
			fmt.Fprint(w, "a b c")
		}
	}))
	defer server.Close()

	run(func(loop *eventloop.Loop) {
		promise.Async(context.Background(), loop, func(c *promise.Coroutine) (struct{}, error) {
			list, err := promise.Await(c, get(c, server.Client(), server.URL+"/list"))
			for try := 1; err != nil && try <= 2; try++ {
				fmt.Println("again:", err)
				must(promise.Await(c, promise.Sleep(c.Context(), loop, time.Duration(try)*time.Millisecond)))
				list, err = promise.Await(c, get(c, server.Client(), server.URL+"/list"))
			}
			if err != nil {
				return struct{}{}, err
			}
			var pages []*promise.Promise[string]
			for name := range strings.FieldsSeq(list) {
				pages = append(pages, get(c, server.Client(), server.URL+"/"+name))
			}
			for _, p := range pages {
				fmt.Println(promise.Await(c, p))
			}
			return struct{}{}, nil
		})
	})
	// Output:
	// again: 503 Service Unavailable
	// again: 503 Service Unavailable
	// A <nil>
	// B <nil>
	// C <nil>
}

func ExampleAsync() {
	run(func(loop *eventloop.Loop) {
		show("sum", promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
			a, err := promise.Await(c, promise.Resolve(loop, 1))
			if err != nil {
				return 0, err
			}
			b, err := promise.Await(c, promise.Resolve(loop, 2))
			return a + b, err
		}))
		fmt.Println("the coroutine waits")
	})
	// Output:
	// the coroutine waits
	// sum fulfilled: 3
}
