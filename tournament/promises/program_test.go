package promises_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// All designs spend microtasks as ECMA-262 says, so a program has one log whichever runs it. The product's promise is
// compared with a model of its own elsewhere; here the others are compared with it.
func TestRandomProgramsRunAlikeOnAllDesigns(t *testing.T) {
	programs := uint64(2000)
	if testing.Short() {
		programs = 200
	}
	for seed := range programs {
		var want []string
		for _, d := range promises.All() {
			p := &program{rand: rand.New(rand.NewPCG(seed, 1))}
			drain(t, d, func(_ *eventloop.Loop, e design.Engine) {
				p.e = e
				for range 3 {
					p.create()
				}
				p.steps(10)
			})
			if want == nil {
				want = p.log
			}
			if !slices.Equal(p.log, want) {
				t.Fatalf("program %d on %s:\n%v\nwant\n%v", seed, d.Name, p.log, want)
			}
		}
	}
}

// A program makes, settles and attaches to promises at random, in its handlers too.
type program struct {
	e         design.Engine
	rand      *rand.Rand
	promises  []design.Promise
	resolvers []design.Resolver
	handlers  int
	log       []string
}

const mostHandlers = 60

func (p *program) create() {
	q, r := p.e.Pending()
	p.promises, p.resolvers = append(p.promises, q), append(p.resolvers, r)
}

func (p *program) any() design.Promise { return p.promises[p.rand.IntN(len(p.promises))] }

func (p *program) steps(n int) {
	for range n {
		switch p.rand.IntN(8) {
		case 0:
			p.create()
		case 1:
			p.note("resolve", p.resolver().Resolve(p.rand.IntN(100)))
		case 2:
			p.note("reject", p.resolver().Reject(errOops))
		case 3:
			p.note("follow", p.resolver().Resolve(p.any()))
		default:
			p.then()
		}
	}
}

func (p *program) resolver() design.Resolver { return p.resolvers[p.rand.IntN(len(p.resolvers))] }

func (p *program) note(what string, v any) { p.log = append(p.log, fmt.Sprint(what, " ", v)) }

// then attaches handlers that note their arguments.
func (p *program) then() {
	if p.handlers == mostHandlers {
		return
	}
	p.handlers++
	id := p.handlers
	var onValue design.Handler
	var onReason design.ErrorHandler
	kinds := p.rand.IntN(4)
	if kinds != 1 {
		onValue = func(v any) (any, error) { p.note(fmt.Sprint(id), v); return p.react() }
	}
	if kinds != 2 {
		onReason = func(err error) (any, error) { p.note(fmt.Sprint(id), kindOf(err)); return p.react() }
	}
	p.promises = append(p.promises, p.e.Then(p.any(), onValue, onReason))
}

// react does some steps and ends in one of the ways in which a handler can.
func (p *program) react() (any, error) {
	p.steps(p.rand.IntN(3))
	switch p.rand.IntN(5) {
	case 0:
		return nil, errOops
	case 1:
		return p.any(), nil
	case 2:
		panic("at the disco")
	default:
		return p.rand.IntN(100), nil
	}
}

// kindOf classifies errors as far as designs agree on them.
func kindOf(err error) string {
	if err == errOops {
		return "oops"
	}
	if _, ok := err.(*eventloop.PanicError); ok {
		return "panic"
	}
	return "self"
}
