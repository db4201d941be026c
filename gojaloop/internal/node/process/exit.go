package process

import "github.com/eventloop-go/eventloop/gojaloop/internal/engine"

// A Process is the script's process object as the runtime uses it. It is made when the script first asks for it:
// before that it cannot have listeners.
type Process struct {
	e             engine.Engine
	object        engine.Value // nil until it is made
	emit, listens engine.Value
	exitCode      engine.Value // process.exitCode; nil until set
	exiting       bool         // the exit event has been emitted
}

// Init makes it ready.
func (p *Process) Init(e engine.Engine) { p.e = e }

// Object returns process.
func (p *Process) Object() engine.Value {
	if p.object == nil {
		p.emit, p.listens = p.e.Library("process", "emit"), p.e.Library("process", "listens")
		p.object = p.e.Library("process", "process")
	}
	return p.object
}

// Made reports whether anybody has asked for it.
func (p *Process) Made() bool { return p.object != nil }

// Emit emits an event, and reports whether anybody listened.
func (p *Process) Emit(event string, args ...any) (had bool, err error) {
	if !p.Made() {
		return false, nil
	}
	v, err := p.e.Call(p.emit, p.object, append([]any{event}, args...)...)
	return err == nil && v.ToBoolean(), err
}

// Listens reports whether anybody listens for an event.
func (p *Process) Listens(event string) bool {
	if !p.Made() {
		return false
	}
	v, err := p.e.Call(p.listens, nil, event)
	return err == nil && v.ToBoolean()
}

// Warn is process.emitWarning. It needs no script that has asked for process.
func (p *Process) Warn(args ...any) error {
	p.Object()
	_, err := p.e.Call(p.e.Library("process", "warn"), nil, args...)
	return err
}

func (p *Process) hasCode() bool { return p.exitCode != nil && p.exitCode.Export() != nil }

// Code is the exit code as the script has set it.
func (p *Process) Code() int {
	if !p.hasCode() {
		return 0
	}
	return int(int32(p.exitCode.ToInteger()))
}

// SetCode sets process.exitCode.
func (p *Process) SetCode(code int) { p.exitCode = p.e.Make(code) }

// EmitExit emits exit, once in the life of a program, and returns the resulting code. An exception of a listener is
// uncaught like any other, but it does not change the code.
func (p *Process) EmitExit(code int, uncaught func(error)) int {
	if !p.Made() || p.exiting {
		return code
	}
	p.exiting = true
	if _, err := p.Emit("exit", code); err != nil {
		uncaught(err)
	}
	return p.Code()
}

// Failing emits exit because of an exception, and returns the resulting code. Exceptions of its listeners are lost,
// because the program already has an exception to report.
func (p *Process) Failing(code int) int {
	switch {
	case !p.Made():
		return code
	case !p.exiting:
		p.exiting = true
		p.SetCode(code)
		_, _ = p.Emit("exit", code)
	case !p.hasCode():
		return code
	}
	return p.Code()
}

// Define defines the natives of process.js for the program's end. exit is process.reallyExit: no statement behind it
// runs.
func (p *Process) Define(exit func(code int), warn func(args ...any)) {
	p.e.Define("exit", func(a engine.Args) any {
		exit(int(int32(a.Integer(0))))
		return nil
	})
	p.e.Define("getExitCode", func(engine.Args) any {
		if p.exitCode == nil {
			return nil
		}
		return p.exitCode
	})
	p.e.Define("setExitCode", func(a engine.Args) any {
		p.exitCode = a.Value(0)
		return nil
	})
	p.e.Define("getExiting", func(engine.Args) any { return p.exiting })
	p.e.Define("setExiting", func(a engine.Args) any {
		p.exiting = a.True(0)
		return nil
	})
	p.e.Define("emitWarning", func(a engine.Args) any {
		warn(a.Rest(0)...)
		return nil
	})
}
