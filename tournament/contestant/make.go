package contestant

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// patience is how long New may take, and the end of a loop that was not used.
const patience = 5 * time.Second

// CheckName returns an error that describes the fault of a contestant's name, and its remedy.
func CheckName(name string) error {
	unfit := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' || r == ',' }
	switch {
	case name == "":
		return errors.New("a contestant has no name: set its Name")
	case strings.ContainsFunc(name, unfit):
		return fmt.Errorf("contestant %q: tables, benchmark names and -contestants need a name without spaces, slashes and commas; rename it", name)
	case strings.EqualFold(name, "all"):
		return fmt.Errorf("contestant %q: -contestants all means all of them; rename it", name)
	}
	return nil
}

// Validate returns an error that describes a fault of the description, and its remedy. It makes no loop.
func (c *Contestant) Validate() error {
	if err := CheckName(c.Name); err != nil {
		return err
	}
	if c.New == nil && c.Unavailable == "" {
		return fmt.Errorf("contestant %s has no New: set it to a function that makes a loop", c.Name)
	}
	return nil
}

// Make returns a new loop, as New does. Where New does not give one, whichever way, the error says so. A New that does not
// return within a few seconds is left behind.
func (c *Contestant) Make() (Loop, error) {
	if c.New == nil {
		return nil, errors.New("there is no New; set it to a function that makes a loop")
	}
	var loop Loop
	err := within(patience, "New", func() (err error) {
		loop, err = c.New()
		return err
	})
	if err != nil {
		return nil, err
	}
	if v := reflect.ValueOf(loop); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nil and no error from New; return a loop, or an error that says why there is none")
	}
	return loop, nil
}

// Discard ends a loop that was never run: with Shutdown, and a Run whose context has ended. If that takes more than a
// few seconds, the loop is left behind and the error says so.
func Discard(loop Loop) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := within(patience, "Shutdown or Run", func() error {
		_ = loop.Shutdown(ctx) // not running, or ctx has ended: either way it is asked to end
		_ = loop.Run(ctx)
		return nil
	})
	if err != nil {
		return fmt.Errorf("a loop that was never run does not end when its context has: %w", err)
	}
	return nil
}

// within calls fn, which runs a contestant's methods, and makes an error of all that they may do instead of returning.
func within(limit time.Duration, methods string, fn func() error) error {
	outcome := make(chan error, 1)
	go func() {
		err := fmt.Errorf("%s ends the goroutine instead of returning", methods)
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("%s panics: %v", methods, v)
			}
			outcome <- err
		}()
		err = fn()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-outcome:
		return err
	case <-timer.C:
		return fmt.Errorf("%s does not return within %v", methods, limit)
	}
}
