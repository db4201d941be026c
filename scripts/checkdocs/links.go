package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"unicode"
)

var (
	target   = regexp.MustCompile(`\]\(<?([^)>\s]+)>?(?: "[^"]*")?\)|\b(?:src|srcset|href)="([^"]+)"`)
	heading  = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```")
	mention  = regexp.MustCompile(`\bdocs/[A-Za-z0-9_./-]+\.(?:md|txt|svg)\b`)
	anchorID = regexp.MustCompile(`\bid="([^"]+)"`)
)

// checkLinks checks that every relative link of a page leads to a file, and its fragment to a heading. Comments and scripts that
// name a page have to name one that exists.
func checkLinks(files []string) error {
	var errs []error
	for _, name := range pages(files) {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		prose := codeSpan.ReplaceAllString(fenced.ReplaceAllString(string(text), ""), "")
		for _, m := range target.FindAllStringSubmatch(prose, -1) {
			if err := resolve(name, m[1]+m[2]); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	for _, name := range files {
		ext := path.Ext(name)
		if generated(name) || strings.HasPrefix(name, "scripts/checkdocs/") || ext != ".go" && !strings.HasPrefix(name, ".ci/") && !strings.HasPrefix(name, "scripts/") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, page := range mention.FindAllString(string(text), -1) {
			if strings.HasPrefix(page, "docs/results/") || strings.HasPrefix(page, "docs/reports/") {
				continue // programs and tests write these
			}
			if _, err := os.Stat(page); err != nil {
				errs = append(errs, fmt.Errorf("%s names %s, which does not exist", name, page))
			}
		}
	}
	return errors.Join(errs...)
}

func resolve(page, to string) error {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return nil
	}
	file, fragment, _ := strings.Cut(to, "#")
	if file = path.Join(path.Dir(page), file); to[0] == '#' {
		file = page
	}
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("the link %s leads nowhere", to)
	}
	if fragment == "" || info.IsDir() || path.Ext(file) != ".md" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !anchors(string(text))[fragment] {
		return fmt.Errorf("the link %s leads to no heading of %s", to, file)
	}
	return nil
}

// anchors returns the fragments of a page, made of its headings as GitHub does.
func anchors(text string) map[string]bool {
	found := make(map[string]bool)
	text = fenced.ReplaceAllString(text, "")
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		id := slug(m[1])
		for n, first := 1, id; found[id]; n++ {
			id = fmt.Sprintf("%s-%d", first, n)
		}
		found[id] = true
	}
	for _, m := range anchorID.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	return found
}

func slug(title string) string {
	title = link.ReplaceAllString(title, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}
