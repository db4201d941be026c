package netpoll

import (
	"errors"
	"io"
)

// Unsupported are the calls of a system without sets of descriptors.
var Unsupported Calls = unsupported{}

type unsupported struct{}

func (unsupported) Create() (int, error)                 { return 0, errors.ErrUnsupported }
func (unsupported) Nest(int, func()) (io.Closer, error)  { return nil, errors.ErrUnsupported }
func (unsupported) Control(int, Change) error            { return errors.ErrUnsupported }
func (unsupported) Wait(int, []Event) (n int, err error) { return 0, errors.ErrUnsupported }
