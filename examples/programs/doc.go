// Package programs counts the lines of the programs in its folders, which docs/programs.md shows.
package programs
