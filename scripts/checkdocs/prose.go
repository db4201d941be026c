package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Hard sentences that a part of the repository may have, in 100.
const (
	share         = 3.0
	strictShare   = 1.5         // of README and exported comments
	exportedParts = " exported" // ends the name of a part that has the exported comments of a folder
)

type count struct{ hard, all int }

// within reports whether a part has few enough hard sentences. One is few in any part.
func (c count) within(part string) bool {
	limit := share
	if part == "README.md" || strings.HasSuffix(part, exportedParts) {
		limit = strictShare
	}
	return c.hard <= 1 || float64(100*c.hard) <= limit*float64(c.all)
}

type hard struct {
	place, sentence string
	faults          []string
}

// checkProse counts the hard sentences of each part. A part has at most the share above. One that has more today has a limit in
// limits.txt, the number of its hard sentences, which may only fall.
func checkProse(out io.Writer, files []string, list int, lower bool) error {
	parts, found, err := countProse(files)
	if err != nil {
		return err
	}
	limits, err := readLimits(limitsFile)
	if err != nil {
		return err
	}
	var errs []error
	rest := make(map[string]int) // the limits after this change
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		c := parts[part]
		limit, limited := limits[part]
		switch {
		case c.within(part):
		case limited && c.hard <= limit:
			rest[part] = c.hard
		default:
			errs = append(errs, fmt.Errorf("%s: %d of %d sentences are hard to read; go run ./scripts/checkdocs -list 50 shows them", part, c.hard, c.all))
			rest[part] = limit
		}
	}
	slices.SortStableFunc(found, func(a, b hard) int { return cmp.Compare(len(b.faults), len(a.faults)) })
	for _, h := range found[:min(list, len(found))] {
		fmt.Fprintf(out, "%s: %s\n\t%s\n", h.place, h.sentence, strings.Join(h.faults, "; "))
	}
	if lower {
		errs = append(errs, writeLimits(limitsFile, rest))
	}
	return errors.Join(errs...)
}

func countProse(files []string) (map[string]count, []hard, error) {
	parts := make(map[string]count)
	var found []hard
	for _, name := range files {
		if generated(name) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		var paragraphs []paragraph
		switch path.Ext(name) {
		case ".md":
			paragraphs = markdown(string(text))
		case ".go":
			if paragraphs, err = comments(name, text); err != nil {
				return nil, nil, err
			}
		}
		for _, p := range paragraphs {
			for _, s := range sentences(p.text) {
				faults := judge(s)
				if faults != nil {
					found = append(found, hard{fmt.Sprintf("%s:%d", name, p.line), s, faults})
				}
				for _, part := range partsOf(name, p.exported) {
					c := parts[part]
					c.all++
					if faults != nil {
						c.hard++
					}
					parts[part] = c
				}
			}
		}
	}
	return parts, found, nil
}

// partsOf returns the parts that a sentence counts for: its folder in the root, and the exported comments there.
func partsOf(name string, exported bool) []string {
	folder, _, nested := strings.Cut(name, "/")
	switch {
	case name == "README.md" || name == "CONTRIBUTING.md" || name == "CHANGELOG.md":
		return []string{name}
	case !nested:
		folder = "."
	}
	internal := strings.Contains("/"+name, "/internal/") || strings.HasSuffix(name, "_test.go")
	if exported && !internal {
		return []string{folder, folder + exportedParts}
	}
	return []string{folder}
}

// readLimits reads lines of a number and a part.
func readLimits(name string) (map[string]int, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	limits := make(map[string]int)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" && text[0] != '#' {
			number, part, _ := strings.Cut(text, " ")
			n, err := strconv.Atoi(number)
			if err != nil || part == "" {
				return nil, fmt.Errorf("%s: %q is not a number and a folder", name, text)
			}
			limits[strings.TrimSpace(part)] = n
		}
	}
	return limits, lines.Err()
}

func writeLimits(name string, limits map[string]int) error {
	var text strings.Builder
	text.WriteString("# Hard sentences of folders that have more than 3 in 100, or 1.5 in exported comments. The numbers may only fall:\n" +
		"# go run ./scripts/checkdocs -lower writes smaller ones.\n")
	for _, part := range slices.Sorted(maps.Keys(limits)) {
		fmt.Fprintf(&text, "%d %s\n", limits[part], part)
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}
