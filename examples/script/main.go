// Command script runs plug-ins: JavaScript that a Go program calls, and that calls Go functions.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// A plug-in has a function for each event that it handles. It may await the results of Go functions.
var plugin = gojaloop.MustCompile("plugin.js", `
	async function onRequest({ path, user }) {
		const name = await lookUp(user);
		return { status: 200, body: "hello " + name + ", you asked for " + path };
	}`)

type request struct {
	Path string `json:"path"`
	User string `json:"user"`
}

type response struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

// prepare gives the plug-in's runtimes a Go function.
func prepare(ctx context.Context, rt *gojaloop.Runtime) error {
	lookUp := rt.Async(func(_ context.Context, args []any) (any, error) {
		return strings.ToUpper(fmt.Sprint(args...)), nil // may block: this is another goroutine
	})
	return rt.Do(ctx, func(vm *goja.Runtime) error { return vm.Set("lookUp", lookUp) })
}

func run(ctx context.Context) error {
	pool, err := gojaloop.NewPool(ctx, gojaloop.PoolConfig{Program: plugin, Prepare: prepare})
	if err != nil {
		return err
	}
	answer, err := gojaloop.Call[response](ctx, pool, "onRequest", request{Path: "/a", User: "ann"})
	if err != nil {
		return err
	}
	fmt.Println(answer.Status, answer.Body)
	return pool.Shutdown(ctx)
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Println(err)
		os.Exit(1)
	}
}
