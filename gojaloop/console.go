package gojaloop

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// consoleNatives are what console.js builds on. Formatting is in inspect.js; lines of nothing but strings and
// integers, which most are, are put together here.
func (rt *Runtime) consoleNatives(o *goja.Object) {
	rt.set(o, "write", func(call goja.FunctionCall) goja.Value {
		_, err := io.WriteString(rt.output(call.Argument(0)), call.Argument(1).String())
		return rt.vm.ToValue(err == nil)
	})
	rt.set(o, "print", func(call goja.FunctionCall) goja.Value {
		rt.printLine(rt.output(call.Argument(0)), []byte(call.Argument(1).String()))
		return goja.Undefined()
	})
	rt.set(o, "indent", func(call goja.FunctionCall) goja.Value {
		rt.indent = call.Argument(0).String()
		return goja.Undefined()
	})
	// printer makes console.log and its like. They are in Go all the way: to pass arguments on takes a script longer than
	// to print them.
	rt.set(o, "printer", func(call goja.FunctionCall) goja.Value {
		w := rt.output(call.Argument(1))
		format, _ := goja.AssertFunction(call.Argument(2))
		return rt.function(call.Argument(0).String(), 0, func(call goja.FunctionCall) goja.Value {
			line, plain := appendPlain(rt.line[:0], call.Arguments)
			if !plain {
				text, err := format(goja.Undefined(), call.Arguments...)
				if err != nil {
					panic(err)
				}
				line = append(line[:0], text.String()...)
			}
			rt.printLine(w, line)
			return goja.Undefined()
		})
	})
	rt.set(o, "warn", func(call goja.FunctionCall) goja.Value {
		rt.warn(call.Argument(0).String(), call.Argument(1).String())
		return goja.Undefined()
	})
	rt.set(o, "promiseState", func(call goja.FunctionCall) goja.Value {
		p, ok := gojavm.HostValue[*goja.Promise](call.Argument(0))
		if !ok {
			return goja.Null()
		}
		state := map[goja.PromiseState]string{goja.PromiseStatePending: "pending", goja.PromiseStateFulfilled: "fulfilled", goja.PromiseStateRejected: "rejected"}
		return rt.vm.NewArray(state[p.State()], p.Result())
	})
	rt.set(o, "proxyTarget", func(call goja.FunctionCall) goja.Value {
		if p, ok := gojavm.HostValue[goja.Proxy](call.Argument(0)); ok {
			if t := p.Target(); t != nil {
				return t
			}
			return goja.Null()
		}
		return goja.Undefined()
	})
	rt.set(o, "proxyHandler", func(call goja.FunctionCall) goja.Value {
		if p, ok := gojavm.HostValue[goja.Proxy](call.Argument(0)); ok {
			return gojavm.ScriptHandler(p)
		}
		return goja.Undefined()
	})
	rt.set(o, "className", func(call goja.FunctionCall) goja.Value {
		if obj, ok := call.Argument(0).(*goja.Object); ok {
			return rt.vm.ToValue(gojavm.KindOf(obj))
		}
		return goja.Undefined()
	})
	rt.set(o, "cleanStack", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(gojavm.ScriptFrames(call.Argument(0)))
	})
	rt.set(o, "stackHere", func(goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(gojavm.Frames(rt.vm.CaptureCallStack(0, nil)))
	})
}

// output is the writer behind a descriptor.
func (rt *Runtime) output(fd goja.Value) io.Writer {
	if fd.ToInteger() == 2 {
		return rt.opts.stderr
	}
	return rt.opts.stdout
}

const longLine = 4096 // a longer one is not kept to write the next line into

// printLine writes a line, or several, with the indentation of the groups that are open.
func (rt *Runtime) printLine(w io.Writer, line []byte) {
	if rt.indent != "" {
		line = append([]byte(rt.indent), bytes.ReplaceAll(line, []byte("\n"), []byte("\n"+rt.indent))...)
	}
	line = append(line, '\n')
	if cap(line) <= longLine {
		rt.line = line
	}
	_, _ = w.Write(line)
}

// appendPlain joins values that need no formatting, or reports false if there are others.
func appendPlain(line []byte, args []goja.Value) ([]byte, bool) {
	for i, a := range args {
		if i > 0 {
			line = append(line, ' ')
		}
		switch v := a.(type) {
		case goja.String:
			s := v.String()
			if i == 0 && len(args) > 1 && strings.Contains(s, "%") {
				return line, false
			}
			line = append(line, s...)
		default:
			if !goja.IsNumber(a) {
				return line, false
			}
			n, ok := a.Export().(int64)
			if !ok || n == 0 { // which may be -0
				return line, false
			}
			line = strconv.AppendInt(line, n, 10)
		}
	}
	return line, true
}

// inspect shows a value as console.log would.
func (rt *Runtime) inspect(v goja.Value) string { return rt.inspectWith(v, nil) }

func (rt *Runtime) inspectWith(v goja.Value, options map[string]any) string {
	s, err := rt.exported("inspect", "inspect")(goja.Undefined(), v, rt.vm.ToValue(options))
	if err != nil {
		return plainString(v)
	}
	return s.String()
}
