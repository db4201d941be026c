module github.com/eventloop-go/eventloop/scripts/modulezip

go 1.25.0

require golang.org/x/mod v0.27.0
