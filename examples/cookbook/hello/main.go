package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/eventloop-go/eventloop"
)

func main() {
	loop := eventloop.New(eventloop.WithAutoExit()) // Run returns when nothing is left to do
	total := 0                                      // only callbacks use it: no lock
	_, err := loop.ScheduleTimer(10*time.Millisecond, func() { fmt.Println("total", total) })
	for i := 0; i < 4 && err == nil; i++ {
		err = loop.Submit(func() { total += i }) // from any goroutine
	}
	if err == nil {
		err = loop.Run(context.Background())
	}
	if err != nil {
		log.Fatal(err)
	}
}
