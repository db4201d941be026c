// Command soak runs a mixed load on event loops for a long time, and says whether anything was lost or is growing.
//
//	soak [-for 60m] [-loops 3] [-o FILE]
//
// The load is tasks in every lane from many goroutines, timers that are stopped, reset and refreshed, and repeating
// timers. It also has promises with races and time-outs, coroutines, connections and pipes. Scripts run in runtimes
// that are taken and given back, and loops are started and shut down. One callback in a hundred panics or calls
// Goexit.
//
// Every minute the load pauses until all begun items have ended. Then the command prints a line with the rate, and
// with the resources that the idle process holds. At the end, or after an interrupt, comes the verdict. Exit code: 0
// if everything is good, 1 if not, 2 for invalid flags.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(stderr)
	duration := flags.Duration("for", time.Hour, "how long")
	loops := flags.Int("loops", 3, "how many loops live all the time")
	file := flags.String("o", "", "write the result to this file too: as JSON if its name ends in .json, otherwise as printed")
	if flags.Parse(args) != nil {
		return 2
	}
	if flags.NArg() > 0 || *duration <= 0 || *loops < 1 {
		fmt.Fprintln(stderr, "soak: no arguments, a time above zero and a loop at least, please; see -h")
		return 2
	}
	var text recorder
	result := soak(ctx, config{duration: *duration, loops: *loops}, io.MultiWriter(stdout, &text))
	if *file != "" {
		out := []byte(text)
		if filepath.Ext(*file) == ".json" {
			out, _ = json.MarshalIndent(result, "", "\t")
		}
		if err := os.WriteFile(*file, out, 0o644); err != nil {
			fmt.Fprintln(stderr, "soak:", err)
			return 1
		}
	}
	if !result.Good {
		return 1
	}
	return 0
}

// A recorder keeps the written bytes.
type recorder []byte

func (r *recorder) Write(p []byte) (int, error) {
	*r = append(*r, p...)
	return len(p), nil
}
