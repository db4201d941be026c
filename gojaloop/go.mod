module github.com/eventloop-go/eventloop/gojaloop

go 1.25.0

require (
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/eventloop-go/eventloop v0.0.0
)

require (
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	github.com/google/pprof v0.0.0-20240727154555-813a5fbdbec8 // indirect
	golang.org/x/text v0.16.0 // indirect
)

replace github.com/eventloop-go/eventloop => ../
