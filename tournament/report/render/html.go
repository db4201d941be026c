package render

import "io"

func writeHTML(w io.Writer, r *Report) error { return nil }
