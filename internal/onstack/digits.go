package onstack

// One function for each digit: it calls the next, or fn after the highest. The stack shows which it was, and whether it was the
// last.
var digits [16]func(rest Mark, fn func())

func init() { // each leads back to the table
	digits = [...]func(Mark, func()){
		digit0, digit1, digit2, digit3, digit4, digit5, digit6, digit7,
		digit8, digit9, digit10, digit11, digit12, digit13, digit14, digit15,
	}
}

//go:noinline
func digit0(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit1(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit2(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit3(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit4(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit5(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit6(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit7(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit8(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit9(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit10(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit11(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit12(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit13(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit14(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}

//go:noinline
func digit15(rest Mark, fn func()) {
	if rest == 0 {
		fn()
	} else {
		digits[rest%16](rest/16, fn)
	}
}
