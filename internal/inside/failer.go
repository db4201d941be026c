package inside

// A Failer is a job that wants to know how it has failed. If its Run panics, or calls runtime.Goexit, JobFailed is called
// on the loop with an *eventloop.PanicError, before anything else runs, and a panic goes no further. So promise reactions
// reject without a deferred call each.
type Failer interface {
	JobFailed(err error)
}
