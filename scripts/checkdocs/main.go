// Checkdocs checks the repository's prose: sentences that are hard to read, links, and Go code in pages.
//
//	go run ./scripts/checkdocs           in the root folder of the repository
//	go run ./scripts/checkdocs -list N   also lists the N hardest sentences
//	go run ./scripts/checkdocs -lower    writes smaller limits where prose has become better
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
)

const limitsFile = "scripts/checkdocs/limits.txt"

func main() {
	list := flag.Int("list", 0, "list so many of the hardest sentences")
	lower := flag.Bool("lower", false, "lower the limits of "+limitsFile+" to what is there")
	flag.Parse()
	if err := run(os.Stdout, *list, *lower); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, list int, lower bool) error {
	files, err := tracked()
	if err != nil {
		return err
	}
	return errors.Join(checkProse(out, files, list, lower), checkLinks(files), checkCode(pages(files)))
}

// tracked returns the files that git tracks, or will track: generated reports and test data are not prose of ours.
func tracked() ([]string, error) {
	text, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w; run this in the repository", err)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		if _, err := os.Stat(name); err == nil { // it may be deleted and not yet committed
			files = append(files, name)
		}
	}
	return files, nil
}

// generated reports whether a file is written by a program or is test data.
func generated(name string) bool {
	return strings.HasPrefix(name, "docs/reports/") || strings.HasPrefix(name, "docs/results/") || strings.Contains("/"+name, "/testdata/")
}

// pages returns the Markdown pages that people write.
func pages(files []string) (pages []string) {
	for _, name := range files {
		if path.Ext(name) == ".md" && !generated(name) {
			pages = append(pages, name)
		}
	}
	return pages
}
