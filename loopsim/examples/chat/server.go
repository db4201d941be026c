// Package chat is a chat whose sessions survive reconnects, as an example for package loopsim. A server keeps the messages in a log. Clients
// number their messages. So the server knows a message that is sent again. When they reconnect, they report the last message that they have.
package chat

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
)

// A Bug is a known fault that can be put into the program.
type Bug string

// The known faults.
const (
	None          Bug = ""
	AckBeforeSync Bug = "the server acknowledges a message before it is synced"
	TornLine      Bug = "the server appends behind a line that a crash has torn"
	SaysTwice     Bug = "the server says a message again that is sent again"
	NewNumbers    Bug = "a client numbers its messages again after a reconnect"
	ResumesAtEnd  Bug = "the server resumes a session behind the last message it has sent"
	KeepsOld      Bug = "the server goes on with the old connection of a session"
	ForgetsSent   Bug = "a client forgets what it has sent and was not acknowledged"
	NoLimit       Bug = "a client never asks whether a silent server is there"
)

// Bugs returns all known faults.
func Bugs() []Bug {
	return []Bug{AckBeforeSync, TornLine, SaysTwice, NewNumbers, ResumesAtEnd, KeepsOld, ForgetsSent, NoLimit}
}

const (
	logFile  = "log"
	lineMost = 1000
)

// A server has the messages, a line each: the client, the client's number for it, and the text.
type server struct {
	h        *loopsim.Host
	bug      Bug
	said     []string
	last     map[string]int // number of the last message, by who
	sessions []*session     // one for each who, in the order of their first connection
}

// A session is a client, with its connection.
type session struct {
	who  string
	conn *loopnet.Conn // or nil
	sent int           // messages that went out
}

// Serve runs the server.
func Serve(h *loopsim.Host, bug Bug) error {
	s := &server{h: h, bug: bug, last: map[string]int{}}
	lines, err := s.load()
	if err != nil {
		return err
	}
	for _, line := range lines {
		s.add(line)
	}
	_, err = h.Listen(80, s.accept)
	return err
}

func (s *server) load() ([]string, error) {
	if s.bug != TornLine {
		return rpc.ReadLog(s.h.Disk(), logFile)
	}
	data, _ := s.h.Disk().ReadFile(logFile)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

func (s *server) add(line string) {
	if fields := strings.Fields(line); len(fields) == 3 {
		n, _ := strconv.Atoi(fields[1])
		s.last[fields[0]] = n
		s.said = append(s.said, line)
	}
}

// accept waits for "hello WHO SEEN", and then for "say NUMBER TEXT" and "ping".
func (s *server) accept(c *loopnet.Conn) {
	var of *session
	c.OnLines(lineMost, func(line []byte) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 3 && fields[0] == "hello":
			of = s.resume(c, fields[1], fields[2])
		case of == nil || len(fields) == 0:
			c.Close()
		case fields[0] == "ping":
			c.Write([]byte("pong\n"))
		case len(fields) == 3:
			s.say(of, c, fields[1], fields[2])
		}
	})
}

// resume gives a session a connection, and sends what its client has not seen.
func (s *server) resume(c *loopnet.Conn, who, seen string) *session {
	n, _ := strconv.Atoi(seen)
	var of *session
	for _, x := range s.sessions {
		if x.who == who {
			of = x
		}
	}
	if of == nil {
		of = &session{who: who, sent: n}
		s.sessions = append(s.sessions, of)
	}
	if s.bug == KeepsOld && of.conn != nil {
		return of
	}
	if of.conn != nil {
		of.conn.Close()
	}
	of.conn = c
	if s.bug != ResumesAtEnd {
		of.sent = n
	}
	c.OnClose(func(error) {
		if of.conn == c {
			of.conn = nil
		}
	})
	s.send(of)
	return of
}

// send sends what was said since.
func (s *server) send(of *session) {
	for ; of.conn != nil && of.sent < len(s.said); of.sent++ {
		of.conn.Write(fmt.Appendf(nil, "said %d %s\n", of.sent+1, s.said[of.sent]))
	}
}

func (s *server) say(of *session, c *loopnet.Conn, number, text string) {
	n, _ := strconv.Atoi(number)
	if n > s.last[of.who] || s.bug == SaysTwice {
		line := fmt.Sprintf("%s %s %s", of.who, number, text)
		d := s.h.Disk()
		err := d.Append(logFile, []byte(line+"\n"))
		if err == nil && s.bug != AckBeforeSync {
			err = d.Sync(logFile)
		}
		if err != nil { // what is on the disk is not known: start again
			s.h.World().Inject(loopsim.Fault{Kind: loopsim.Kill, Host: s.h.Name()})
			return
		}
		s.add(line)
		for _, x := range s.sessions {
			s.send(x)
		}
	}
	c.Write([]byte("ack " + number + "\n"))
}
