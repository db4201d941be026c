package main

import (
	"context"
	"strings"
	"testing"
)

func TestBalancesAreThoseOfAllMessages(t *testing.T) {
	var out strings.Builder
	if err := alone(t.Context(), t.TempDir(), &out); err != nil || out.String() != "ann 45\nbob 45\ncid 45\ndee 45\neve 45\ngus 45\n" {
		t.Errorf("%v: %s", err, &out)
	}
}

// lines passes each written line on.
type lines struct{ text chan string }

func (l *lines) Write(b []byte) (int, error) {
	l.text <- string(b)
	return len(b), nil
}

func TestAMemberBooksWhatTheServerHas(t *testing.T) {
	s, js, err := start(t.Context(), t.TempDir(), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	defer js.Conn().Close()
	ctx, cancel := context.WithCancel(t.Context())
	l := &lines{text: make(chan string, len(accounts))}
	result := make(chan error, 1)
	go func() { result <- member(ctx, s.ClientURL(), "one", l) }()
	if err := pay(t.Context(), js, 10); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for range accounts {
		got[<-l.text] = true
	}
	cancel()
	if err := <-result; err != nil || len(got) != len(accounts) || !got["one books bob 10\n"] {
		t.Errorf("%v: %v", err, got)
	}
}
