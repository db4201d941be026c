package kv

import "strings"

// A store has the values. Operations are "get KEY" and "append KEY TEXT".
type store struct {
	bug     Bug
	applied func(index int, id string)
	values  map[string]string
	done    map[string]string // results, by id of the request
}

func newStore(bug Bug, applied func(int, string)) *store {
	return &store{bug, applied, map[string]string{}, map[string]string{}}
}

// do does an operation, unless it was done before, and returns the value of the key then.
func (s *store) do(index int, e entry) string {
	s.applied(index, e.ID)
	verb, rest, _ := strings.Cut(e.Op, " ")
	key, text, _ := strings.Cut(rest, " ")
	if verb == "append" {
		if value, done := s.done[e.ID]; done && s.bug != RetryTwice {
			return value
		}
		s.values[key] += text
		s.done[e.ID] = s.values[key]
	}
	return s.values[key]
}

// readOf returns the key of an operation that reads.
func readOf(op string) (key string, read bool) { return strings.CutPrefix(op, "get ") }
