package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestHistoryIsKeptBetweenConversationsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "history")
	first := openHistory(path)
	for _, line := range []string{"1 + 1", "1 + 1", " ", "x"} {
		first.Add(line)
	}
	second := openHistory(path)
	if second.Len() != 2 || second.At(0) != "x" || second.At(1) != "1 + 1" {
		t.Errorf("read %q", second.lines)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != historyMode {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h := openHistory(path)
	for i := range historyLimit + 5 {
		h.Add(fmt.Sprint(i))
	}
	openHistory(path) // cuts the file
	again := openHistory(path)
	if again.Len() != historyLimit || again.At(0) != fmt.Sprint(historyLimit+4) {
		t.Errorf("%d lines, the newest %q", again.Len(), again.At(0))
	}
}

func TestHistoryCanBeTurnedOff(t *testing.T) {
	t.Setenv(historyVariable, "")
	h := openHistory(historyPath())
	h.Add("secret")
	if h.path != "" || h.Len() != 1 {
		t.Errorf("path %q, %d lines", h.path, h.Len())
	}
}
