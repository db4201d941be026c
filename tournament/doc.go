// Package tournament is the root of the tournament module: rival event loops and promises, the workloads that compare
// them, and the command that runs the comparison.
//
//   - package contestant defines a contestant, and contestants holds the ones that take part;
//   - package promises/design defines a promise design, and promises holds the ones that take part;
//   - package workload defines the categories of both;
//   - package check holds the correctness suites, and guard the rules for every benchmark;
//   - package runner measures them, and result keeps the figures;
//   - package command is the command line, for this module's contestants and for yours, as in the module example.
//
// The benchmarks of this directory are the same categories for "go test -bench".
package tournament
