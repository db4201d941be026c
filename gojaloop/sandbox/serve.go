package sandbox

import (
	"encoding/json"
	"fmt"
)

// serve calls a function for a script. The script is notified in every case.
func (s *Sandbox) serve(m *message) {
	a := &message{Kind: result, ID: m.ID, Error: &ScriptError{Name: "Error", Message: "the function has ended its goroutine"}}
	defer func() {
		if p := recover(); p != nil {
			a.Error.Message = fmt.Sprintf("panic: %v", p) // which does not panic in its turn
		}
		s.requests.Add(-1) // before the script can know that the call has ended
		if !s.hold(len(a.Value)) {
			s.release(len(a.Value))
			a.Value, a.Error = nil, &ScriptError{Name: "Error", Message: "the results that wait for the script have too many bytes"}
		}
		if s.stream.send(a) != nil {
			s.expire()
		}
		s.release(len(m.Value) + len(a.Value))
	}()
	// Methods of the result and of the error are the program's code as well.
	if text, err := s.invoke(m); err != nil {
		a.Error.Message = err.Error()
	} else {
		a.Value, a.Error = text, nil
	}
}

// hold counts bytes of a call until release. It reports whether the budget allows them.
func (s *Sandbox) hold(n int) bool { return s.held.Add(int64(n)) <= s.config.held }

func (s *Sandbox) release(n int) { s.held.Add(-int64(n)) }

func (s *Sandbox) invoke(m *message) (result json.RawMessage, err error) {
	fn := s.config.functions[m.Name]
	if fn == nil {
		return nil, fmt.Errorf("%s is not a function", m.Name)
	}
	var args Arguments
	if err := json.Unmarshal(m.Value, &args); err != nil {
		return nil, err
	}
	value, err := fn(s.ctx, args)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	if err == nil && len(text) > s.config.messageSize {
		err = fmt.Errorf("the result has %d bytes, and %d are allowed", len(text), s.config.messageSize)
	}
	return text, err
}
