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

// Define gives these scripts what they build on.
func Define(e engine.Engine) {
	e.Define("digest", func(a engine.Args) any {
		hash := map[string]crypto.Hash{"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}[a.Text(0)].New()
		b, _ := a.Bytes(1)
		_, _ = hash.Write(b) // it never fails
		return base64.RawStdEncoding.EncodeToString(hash.Sum(nil))
	})
	e.Define("random", func(a engine.Args) any {
		b := make(engine.Bytes, a.Integer(0))
		_, _ = rand.Read(b) // it never fails
		return b
	})
}
