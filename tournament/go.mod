module github.com/eventloop-go/eventloop/tournament

go 1.25.0
