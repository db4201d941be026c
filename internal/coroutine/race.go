//go:build race

package coroutine

const exact = true
