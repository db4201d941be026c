//go:build !unix

package workload

import "errors"

// No loop watches descriptors here, so nothing below is called.

func openPipe() (own, peer int, err error) { return 0, 0, errors.ErrUnsupported }

func openSockets() (own, peer int, err error) { return 0, 0, errors.ErrUnsupported }

func readOne(int) bool { return false }

func writeOne(int) error { return errors.ErrUnsupported }

func sendBack(int) (int, error) { return 0, errors.ErrUnsupported }

func closeAll([]int) error { return nil }
