// Package programs counts the lines of the programs in its folders, which README.md shows.
package programs
