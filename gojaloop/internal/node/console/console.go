// Package console is console, with Node's formatting.
package console

import (
	"bytes"
	"io"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// A printer writes what console and the streams of process are given.
type printer struct {
	stdout, stderr io.Writer
	line           []byte // that console.log has written last, to write the next into
	indent         string // of console.group
}

// Define gives console.js what it builds on. Formatting is in inspect.js; lines of nothing but strings and integers, which
// most are, are put together here. warn is process.emitWarning.
func Define(e engine.Engine, stdout, stderr io.Writer, warn func(name, message string)) {
	p := &printer{stdout: stdout, stderr: stderr}
	e.Define("write", func(a engine.Args) any {
		_, err := io.WriteString(p.output(a.Integer(0)), a.Text(1))
		return err == nil
	})
	e.Define("print", func(a engine.Args) any {
		p.print(p.output(a.Integer(0)), []byte(a.Text(1)))
		return nil
	})
	e.Define("indent", func(a engine.Args) any {
		p.indent = a.Text(0)
		return nil
	})
	// printer makes console.log and its like. They are in Go all the way: to pass arguments on takes a script longer than
	// to print them.
	e.Define("printer", func(a engine.Args) any {
		w, format := p.output(a.Integer(1)), a.Value(2)
		return engine.Function{Name: a.Text(0), Native: func(a engine.Args) any {
			line, plain := a.AppendPlain(p.line[:0])
			if !plain {
				text, err := e.Call(format, nil, a.Rest(0)...)
				if err != nil {
					panic(err)
				}
				line = append(line[:0], text.String()...)
			}
			p.print(w, line)
			return nil
		}}
	})
	e.Define("warn", func(a engine.Args) any {
		warn(a.Text(0), a.Text(1))
		return nil
	})
}

// output is the writer behind a descriptor.
func (p *printer) output(fd int64) io.Writer {
	if fd == 2 {
		return p.stderr
	}
	return p.stdout
}

const longLine = 4096 // a longer one is not kept to write the next line into

// print writes a line, or several, with the indentation of the groups that are open.
func (p *printer) print(w io.Writer, line []byte) {
	if p.indent != "" {
		line = append([]byte(p.indent), bytes.ReplaceAll(line, []byte("\n"), []byte("\n"+p.indent))...)
	}
	line = append(line, '\n')
	if cap(line) <= longLine {
		p.line = line
	}
	_, _ = w.Write(line)
}
