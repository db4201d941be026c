package gojaloop_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// A script answers the requests of a server in Go. Each request has a runtime of a pool for itself.
func ExamplePool_Handler() {
	ctx := context.Background()
	script := gojaloop.MustCompile("server.js", `const server = {
		async fetch(request) {
			const { name } = await request.json();
			return Response.json({ hello: name });
		},
	}`)
	pool, err := gojaloop.NewPool(ctx, gojaloop.PoolConfig{Program: script, Size: 4, MaxUses: 1000})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(pool.Handler("server.fetch", gojaloop.HandlerConfig{Timeout: 10 * time.Second, MaxBody: 1 << 20}))

	resp, err := http.Post(server.URL, "application/json", strings.NewReader(`{"name": "world"}`))
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	fmt.Println(resp.Status, string(body), err)

	_ = resp.Body.Close()
	server.Close()
	fmt.Println(pool.Shutdown(ctx))
	// Output:
	// 200 OK {"hello":"world"} <nil>
	// <nil>
}

// A script may be a server itself, at the addresses that the program allows.
func ExampleWithListen() {
	listen := func(ctx context.Context, network, address string) (net.Listener, error) {
		if address != "127.0.0.1:0" {
			return nil, errors.New("this address is not allowed")
		}
		return new(net.ListenConfig).Listen(ctx, network, address)
	}
	rt := gojaloop.New(eventloop.New(), gojaloop.WithFetch(http.DefaultClient),
		gojaloop.WithListen(listen, gojaloop.HandlerConfig{Timeout: 10 * time.Second}))
	err := rt.Run(context.Background(), `
		const server = serve({ hostname: '127.0.0.1', port: 0 }, (request) => new Response('you sent ' + request.method));
		fetch('http://127.0.0.1:' + server.addr.port).then(async (response) => {
			console.log(response.status, await response.text());
			await server.shutdown();
			try { serve({ hostname: '0.0.0.0' }, () => {}) } catch (e) { console.log(e.message) }
		})`)
	fmt.Println(err)
	// Output:
	// 200 you sent GET
	// this address is not allowed
	// <nil>
}
