module github.com/eventloop-go/eventloop/scripts/checkdocs

go 1.25.0
