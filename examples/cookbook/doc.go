// Package cookbook has the recipes of docs/cookbook.md, the tests of docs/testing.md and the code of docs/faq.md. All
// of it is in test files, and runs with go test. After a change, go test . -update writes the code into the documents.
package cookbook
