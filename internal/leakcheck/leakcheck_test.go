package leakcheck

import (
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) { Main(m) }

func TestGoroutineThatBlocksIsReportedWithItsStack(t *testing.T) {
	release := make(chan struct{})
	started, ended := make(chan struct{}), make(chan struct{})
	go blockHere(started, release, ended)
	<-started
	left := Left(0)
	close(release)
	<-ended
	for _, s := range left {
		if strings.Contains(s, "blockHere") {
			return
		}
	}
	t.Errorf("a blocked goroutine was not reported; got %q", left)
}

func TestGoroutineThatIsAbandonedIsNotReported(t *testing.T) {
	release := make(chan struct{})
	started, ended := make(chan struct{}), make(chan struct{})
	go blockHere(started, release, ended)
	<-started
	left := Left(0, "leakcheck.blockHere")
	close(release)
	<-ended
	for _, s := range left {
		if strings.Contains(s, "blockHere") {
			t.Errorf("an abandoned goroutine was reported: %q", s)
		}
	}
}

func blockHere(started, release, ended chan struct{}) {
	close(started)
	<-release
	close(ended)
}

func TestGoroutineThatIsAboutToEndIsWaitedFor(t *testing.T) {
	release := make(chan struct{})
	go func() { <-release }()
	time.AfterFunc(time.Millisecond, func() { close(release) })
	if left := Left(patience); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
