package loopsim

import (
	"fmt"
	"time"
)

// A kind is what an event of the trace is.
type kind uint8

const (
	kindBoot kind = iota + 1
	kindCrash
	kindEnd
	kindTurn
	kindCallback
	kindCallbackEnds
	kindTask
	kindSend
	kindDeliver
	kindConn
	kindDisk
	kindFault
	kindStep
	kindLog
	kindProperty
	kindRandom
)

var kindNames = [...]string{
	kindBoot: "boots", kindCrash: "crashes", kindEnd: "ends", kindTurn: "turn", kindCallback: "callback", kindCallbackEnds: "callback ends",
	kindTask: "blocking call", kindSend: "sends", kindDeliver: "receives", kindConn: "connection", kindDisk: "disk", kindFault: "fault",
	kindStep: "step", kindLog: "log", kindProperty: "property", kindRandom: "random",
}

// An entry is an event of a trace that is recorded.
type entry struct {
	at   int64
	took int64
	kind kind
	host int // -1 for the world
	peer int // of a message; -1 for none
	id   int // of a message
	text string
}

// String is a line of the trace.
func (e *entry) line(w *World) string {
	host := "world"
	if e.host >= 0 {
		host = w.machines[e.host].name
	}
	return fmt.Sprintf("%13s  %-10s %-10s %s", time.Duration(e.at), host, kindNames[e.kind], e.text)
}

const (
	hashStart = 0xcbf29ce484222325
	hashPrime = 0x100000001b3
)

func mix(hash, x uint64) uint64 {
	hash = (hash ^ x) * hashPrime
	return hash ^ hash>>29
}

// note adds an event to the trace's hash. Every event of the world goes through here.
func (w *World) note(k kind, host int, at int64, a, b uint64) {
	h := mix(w.hash, uint64(at))
	h = mix(h, uint64(k)<<32|uint64(uint32(host)))
	h = mix(h, a)
	w.hash = mix(h, b)
	w.notes++
	if w.hashes != nil {
		w.hashes = append(w.hashes, w.hash)
	}
}

// record adds a line to the trace, if that is recorded. The text is not part of the hash.
func (w *World) record(e entry, format string, args ...any) {
	if w.recording {
		e.text = fmt.Sprintf(format, args...)
		w.entries = append(w.entries, e)
	}
}

// hashBytes is a number for data.
func hashBytes(p []byte) uint64 {
	h := uint64(hashStart)
	for len(p) >= 8 {
		h = mix(h, uint64(p[0])|uint64(p[1])<<8|uint64(p[2])<<16|uint64(p[3])<<24|uint64(p[4])<<32|uint64(p[5])<<40|uint64(p[6])<<48|uint64(p[7])<<56)
		p = p[8:]
	}
	for _, b := range p {
		h = mix(h, uint64(b))
	}
	return mix(h, uint64(len(p)))
}

func hashString(s string) uint64 {
	h := uint64(hashStart)
	for i := range len(s) {
		h = mix(h, uint64(s[i]))
	}
	return h
}
