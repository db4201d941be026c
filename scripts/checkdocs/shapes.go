package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A shape is a form of sentence that makes readers go back to its beginning.
type shape struct {
	name    string
	pattern *regexp.Regexp
}

// shapes are the forms that Checkdocs refuses. Each has an example and its cure in shapes_test.go.
var shapes = []shape{
	{"a clause is the subject: begin with the thing itself", regexp.MustCompile(`^(What|Who|Whoever|Whatever|Whichever)\b[^?]*$`)},
	{"a clause after a preposition: name the thing", regexp.MustCompile(`(?i)\b(of|to|from|by|with|for|at|in|on|than|as|but) (what|whoever|whatever)\b`)},
	{"nobody in particular: name who acts", regexp.MustCompile(`(?i)\b(whoever|whomever|one who|those who)\b`)},
	{"inverted: put the subject first", regexp.MustCompile(`^So (is|are|was|were|does|do|did|has|have|can|may)\b|^(Of|Hence|Thus|Nor|Neither|Never|Nothing of|None of)\b[^,]* (is|are|was|were|does|do|did|has|have|can|may)\b`)},
	{"telling without a teller: say who reports it", regexp.MustCompile(`(?i)\b(is|are|was|were|be|being) told\b|\btells? (of|apart)\b|\bhears? of\b`)},
	{"none as a predicate: use not or no", regexp.MustCompile(`(?i)\b(is|are|was|were|has|have|had) none\b( |$|[.,;])`)},
	{"for as because: make two sentences", regexp.MustCompile(`, for (it|they|he|she|this|that|there|the|a|an|no|each|every)\b[^.]*\b(is|are|was|were|has|have|can|may|would|does|do|goes|takes)\b`)},
	{"old words", regexp.MustCompile(`(?i)\b(anew|nought|aught|lest|whereby|thereof|therein|wherein|thereby|hitherto|henceforth|nor|upon which|so to speak)\b`)},
}

// hints are words that begin a clause within a sentence.
var hints = regexp.MustCompile(`(?i)\b(that|which|who|whose|whom|what|where)\b`)

const (
	maxWords     = 30 // words of a sentence
	maxClauses   = 3  // words of hints in a sentence, at which it is refused
	maxSemicolon = 3  // semicolons of a sentence, at which it is refused
)

// judge returns what makes a sentence hard to read, nothing for a plain one.
func judge(sentence string) (faults []string) {
	for _, s := range shapes {
		if s.pattern.MatchString(sentence) {
			faults = append(faults, s.name)
		}
	}
	if n := len(strings.Fields(sentence)); n > maxWords {
		faults = append(faults, fmt.Sprintf("%d words: make two sentences", n))
	}
	if n := len(hints.FindAllString(sentence, -1)); n >= maxClauses {
		faults = append(faults, fmt.Sprintf("%d clauses within a sentence", n))
	}
	if n := strings.Count(sentence, ";"); n >= maxSemicolon {
		faults = append(faults, fmt.Sprintf("%d semicolons: make a list or several sentences", n))
	}
	return faults
}
