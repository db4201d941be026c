package command

import (
	"os"
	"path/filepath"
	"strings"
)

// historyVariable names the environment variable with the file of a conversation's history; if it is there and empty,
// none is kept.
const historyVariable = "LOOPJS_REPL_HISTORY"

// historyLimit is how many lines are kept.
const historyLimit = 1000

// history has the lines typed in this conversation and in earlier ones. It is for the line editor: see
// [term.History]. Each line is appended to a file at once, so that simultaneous conversations lose nothing. A file
// that cannot be written does not end a conversation.
type history struct {
	lines []string // the oldest first
	path  string   // empty if no file is kept
}

// historyPath is the file of the history, or empty.
func historyPath() string {
	if path, ok := os.LookupEnv(historyVariable); ok {
		return path
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "loopjs", "history")
}

func openHistory(path string) *history {
	h := &history{path: path}
	data, err := os.ReadFile(path)
	if err != nil {
		return h
	}
	for line := range strings.Lines(string(data)) {
		h.lines = append(h.lines, strings.TrimRight(line, "\r\n"))
	}
	if extra := len(h.lines) - historyLimit; extra > 0 {
		h.lines = h.lines[extra:]
		_ = os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), historyMode)
	}
	return h
}

// historyMode keeps a user's input private.
const historyMode = 0o600

// Add is called for each line that was typed.
func (h *history) Add(line string) {
	if strings.TrimSpace(line) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	if h.path == "" {
		return
	}
	_ = os.MkdirAll(filepath.Dir(h.path), 0o700)
	file, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, historyMode)
	if err != nil {
		return
	}
	_, _ = file.WriteString(line + "\n")
	_ = file.Close()
}

// Len returns the number of lines.
func (h *history) Len() int { return len(h.lines) }

// At returns a line; 0 is the newest.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
