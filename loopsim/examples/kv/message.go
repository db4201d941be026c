package kv

import (
	"encoding/json"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
	"github.com/eventloop-go/eventloop/promise"
)

// A message is a question to a server.
type message struct {
	Kind string // "vote", "append", or "do" from a client
	Term int    `json:",omitempty"`
	From string `json:",omitempty"`

	Last    position // vote: of the candidate's log
	Prev    position // append: in front of Entries
	Entries []entry  `json:",omitempty"`
	Commit  int      `json:",omitempty"`
	Op      string   `json:",omitempty"` // do
	ID      string   `json:",omitempty"` // do: the same when it is sent again
}

// A position is that of an entry in a log.
type position struct{ Index, Term int }

// An answer is that to any message.
type answer struct {
	OK     bool
	Term   int    `json:",omitempty"`
	Match  int    `json:",omitempty"` // append: up to where the logs are equal, or may be
	Value  string `json:",omitempty"` // do
	Leader string `json:",omitempty"` // do: who to ask instead
}

const limit = 700 * time.Millisecond // for an answer

// ask sends a message, and calls then with the answer, if one comes.
func ask(to *rpc.Client, m message, then func(answer)) {
	question, _ := json.Marshal(m) // has only fields that can be encoded
	promise.ThenElse(to.Call(string(question), limit), func(text string) (int, error) {
		var a answer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return 0, err
		}
		then(a)
		return 0, nil
	}, func(error) (int, error) { return 0, nil }) // no answer: it is asked again with the next message
}

// listen has handle called with each message.
func listen(h *loopsim.Host, handle func(message, func(answer))) error {
	return rpc.Serve(h, 80, func(question string, reply func(string)) {
		var m message
		if json.Unmarshal([]byte(question), &m) == nil {
			handle(m, func(a answer) {
				text, _ := json.Marshal(a)
				reply(string(text))
			})
		}
	})
}
