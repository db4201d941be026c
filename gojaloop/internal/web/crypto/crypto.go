// Package crypto is crypto.randomUUID, crypto.getRandomValues (Web Cryptography) and the digests of fetch's integrity.
package crypto

import (
	"crypto"
	"crypto/rand"
	_ "crypto/sha256" // of digest
	_ "crypto/sha512"
	"encoding/base64"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

var hashes = map[string]crypto.Hash{"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	e.Define("digest", func(a engine.Args) any {
		kind, ok := hashes[a.Text(0)]
		if !ok {
			e.Throw("TypeError", "There is no such digest")
		}
		hash := kind.New()
		b, _ := a.Bytes(1)
		_, _ = hash.Write(b) // it never fails
		return base64.RawStdEncoding.EncodeToString(hash.Sum(nil))
	})
	// random fills a part of an ArrayBuffer: buffer, offset, length.
	e.Define("random", func(a engine.Args) any {
		b, _ := a.Bytes(0)
		from, n := a.Integer(1), a.Integer(2)
		if from < 0 || n < 0 || n > int64(len(b)) || from > int64(len(b))-n {
			e.Throw("RangeError", "The bytes to fill are not in the buffer")
		}
		_, _ = rand.Read(b[from : from+n]) // it never fails
		return nil
	})
}
