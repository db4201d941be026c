module github.com/eventloop-go/eventloop/tournament

go 1.25.0

require golang.org/x/perf v0.0.0-20250214215153-c95ad7d5b636

require github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
