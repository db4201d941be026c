// Package console is console, with Node's formatting.
package console

import (
	"bytes"
	"io"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// A Console writes the output of console and of the streams of process.
type Console struct {
	stdout, stderr io.Writer
	line           []byte // that console.log has written last, to write the next into
	indent         string // of console.group
	object         engine.Value
}

// Init sets where it writes.
func (c *Console) Init(stdout, stderr io.Writer) { c.stdout, c.stderr = stdout, stderr }

// methods are the object's methods, in Node's order. The printing ones are in Go throughout for lines of only
// strings, numbers and plain objects, which most are. The reason is that passing arguments on takes a script longer
// than printing them. The others are in console.js.
var methods = [...]struct {
	name string
	fd   int64 // of those that print
}{
	{"log", 1}, {"warn", 2}, {name: "dir"}, {name: "time"}, {name: "timeEnd"}, {name: "timeLog"}, {name: "trace"}, {name: "assert"},
	{name: "clear"}, {name: "count"}, {name: "countReset"}, {name: "group"}, {name: "groupEnd"}, {name: "table"},
	{"debug", 1}, {"info", 1}, {"dirxml", 1}, {"error", 2}, {name: "groupCollapsed"},
}

// Object is the script's console. No script of the library runs until one of its methods needs it, because running
// console.js takes several times as long as the rest of a short program.
func (c *Console) Object(e engine.Engine) engine.Value {
	if c.object == nil {
		var functions [len(methods)]engine.Function
		for i, m := range methods {
			functions[i].Name = m.name
			if m.fd != 0 {
				functions[i].Native = c.printer(e, c.output(m.fd))
			} else {
				functions[i].Native = library(e, m.name)
			}
		}
		c.object = e.Make(engine.Namespace{Name: "console", Functions: functions[:]})
	}
	return c.object
}

func library(e engine.Engine, method string) engine.Native {
	return func(a engine.Args) any { return called(e, e.Library("console", method), a) }
}

func called(e engine.Engine, function engine.Value, a engine.Args) engine.Value {
	v, err := e.Call(function, nil, a.Rest(0)...)
	if err != nil {
		panic(err)
	}
	return v
}

func (c *Console) printer(e engine.Engine, w io.Writer) engine.Native {
	return func(a engine.Args) any {
		line, plain := a.AppendPlain(c.line[:0])
		if !plain {
			line = append(line[:0], called(e, e.Library("format", "format"), a).String()...)
		}
		c.print(w, line)
		return nil
	}
}

// Define defines the natives of these scripts. warn is process.emitWarning.
func (c *Console) Define(e engine.Engine, warn func(name, message string)) {
	e.Define("write", func(a engine.Args) any {
		_, err := io.WriteString(c.output(a.Integer(0)), a.Text(1))
		return err == nil
	})
	e.Define("print", func(a engine.Args) any {
		c.print(c.output(a.Integer(0)), []byte(a.Text(1)))
		return nil
	})
	e.Define("indent", func(a engine.Args) any {
		c.indent = a.Text(0)
		return nil
	})
	e.Define("warn", func(a engine.Args) any {
		warn(a.Text(0), a.Text(1))
		return nil
	})
}

// output is the writer behind a descriptor.
func (c *Console) output(fd int64) io.Writer {
	if fd == 2 {
		return c.stderr
	}
	return c.stdout
}

const longLine = 4096 // a longer one is not kept to write the next line into

// print writes a line, or several, with the indentation of the groups that are open.
func (c *Console) print(w io.Writer, line []byte) {
	if c.indent != "" {
		line = append([]byte(c.indent), bytes.ReplaceAll(line, []byte("\n"), []byte("\n"+c.indent))...)
	}
	line = append(line, '\n')
	if cap(line) <= longLine {
		c.line = line
	}
	_, _ = w.Write(line)
}
