// Package crypto is Node's module crypto, over Go's.
package crypto

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	_ "crypto/md5" // registers its hash, as those below do
	"crypto/pbkdf2"
	"crypto/rand"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"crypto/subtle"
	"encoding"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

var hashes = map[string]crypto.Hash{
	"md5": crypto.MD5, "sha1": crypto.SHA1, "sha224": crypto.SHA224, "sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512,
	"sha512-224": crypto.SHA512_224, "sha512-256": crypto.SHA512_256,
	"sha3-224": crypto.SHA3_224, "sha3-256": crypto.SHA3_256, "sha3-384": crypto.SHA3_384, "sha3-512": crypto.SHA3_512,
}

// hashOf finds a hash by a name as OpenSSL has it.
func hashOf(name string) (crypto.Hash, bool) {
	name = strings.TrimPrefix(strings.ToLower(name), "rsa-")
	if plain, ok := strings.CutPrefix(name, "sha-"); ok {
		name = "sha" + plain
	}
	h, ok := hashes[name]
	return h, ok
}

// Define defines the natives of crypto's scripts. A native that fails returns its message as a string.
func Define(e engine.Engine) {
	e.Define("hashNames", func(engine.Args) any {
		var names []string
		for name := range hashes {
			names = append(names, name)
		}
		slices.Sort(names)
		list := engine.Array{}
		for _, name := range names {
			list = append(list, name)
		}
		return list
	})
	e.Define("newHash", func(a engine.Args) any {
		h, ok := hashOf(a.Text(0))
		if !ok {
			return nil
		}
		if a.Defined(1) {
			key, _ := a.View(1)
			return engine.Held{Value: state{hmac.New(h.New, slices.Clone(key))}}
		}
		return engine.Held{Value: state{h.New()}}
	})
	e.Define("updateHash", func(a engine.Args) any {
		if h, ok := engine.HeldBy[state](a, 0); ok {
			b, _ := a.View(1)
			_, _ = h.Write(b)
		}
		return nil
	})
	e.Define("sumHash", func(a engine.Args) any {
		h, _ := engine.HeldBy[state](a, 0)
		return engine.Bytes(h.Sum(nil))
	})
	e.Define("copyHash", func(a engine.Args) any {
		h, _ := engine.HeldBy[state](a, 0)
		fresh, _ := hashOf(a.Text(1))
		copied := fresh.New()
		if text, err := h.Hash.(encoding.BinaryMarshaler).MarshalBinary(); err != nil || copied.(encoding.BinaryUnmarshaler).UnmarshalBinary(text) != nil {
			return nil
		}
		return engine.Held{Value: state{copied}}
	})
	e.Define("secureBytes", func(a engine.Args) any {
		b := make([]byte, a.Integer(0))
		_, _ = rand.Read(b) // it never fails
		return engine.Bytes(b)
	})
	e.Define("equalBytes", func(a engine.Args) any {
		x, _ := a.View(0)
		y, _ := a.View(1)
		return subtle.ConstantTimeCompare(x, y) == 1
	})
	e.Define("deriveKey", func(a engine.Args) any { return derive(e, a) })
	e.Define("crypt", func(a engine.Args) any { return outcome(crypt(a)) })
	defineKeys(e)
}

// A state is what a Hash or an Hmac of a script holds.
type state struct{ hash.Hash }

func outcome(b []byte, err error) any {
	if err != nil {
		return err.Error()
	}
	return engine.Bytes(b)
}

// mostIterations bounds what a script has derived in the callback in progress, which nothing interrupts.
const mostIterations = 10_000_000

// derive is deriveKey(kind, hash, secret, salt, info or iterations, length, now): it returns the key, or a promise.
func derive(e engine.Engine, a engine.Args) any {
	h, ok := hashOf(a.Text(1))
	if !ok {
		return "Invalid digest: " + a.Text(1)
	}
	secret, _ := a.View(2)
	salt, _ := a.View(3)
	secret, salt = slices.Clone(secret), slices.Clone(salt)
	length := int(a.Integer(5))
	make := func() ([]byte, error) { return nil, errors.New("there is no such derivation") }
	switch a.Text(0) {
	case "pbkdf2":
		iterations := a.Integer(4)
		if iterations > mostIterations {
			return fmt.Sprintf("The value of \"iterations\" must be at most %d", mostIterations)
		}
		make = func() ([]byte, error) { return pbkdf2.Key(h.New, string(secret), salt, int(iterations), length) }
	case "hkdf":
		info, _ := a.View(4)
		text := string(info)
		make = func() ([]byte, error) { return hkdf.Key(h.New, secret, salt, text, length) }
	}
	if a.True(6) {
		return outcome(make())
	}
	op := e.Begin()
	promise := op.Promise()
	go func() {
		b, err := make()
		op.Finish(func() (any, error) {
			if err != nil {
				return nil, err
			}
			return engine.Bytes(b), nil
		})
	}()
	return promise
}

// crypt is crypt(mode, encrypt, key, iv, data, additional, tag length): a whole message at once.
func crypt(a engine.Args) ([]byte, error) {
	key, _ := a.View(2)
	iv, _ := a.View(3)
	data, _ := a.View(4)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, errors.New("Invalid key length")
	}
	encrypt := a.True(1)
	switch a.Text(0) {
	case "gcm":
		additional, _ := a.View(5)
		return gcm(block, encrypt, iv, data, additional, int(a.Integer(6)))
	case "cbc", "ctr":
		if len(iv) != aes.BlockSize {
			return nil, errors.New("Invalid initialization vector")
		}
	}
	out := make([]byte, len(data))
	switch a.Text(0) {
	case "ctr":
		cipher.NewCTR(block, iv).XORKeyStream(out, data)
		return out, nil
	case "cbc":
		if len(data)%aes.BlockSize != 0 {
			return nil, errors.New("wrong final block length")
		}
		if encrypt {
			cipher.NewCBCEncrypter(block, iv).CryptBlocks(out, data)
		} else {
			cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, data)
		}
		return out, nil
	case "ecb":
		if len(data)%aes.BlockSize != 0 {
			return nil, errors.New("wrong final block length")
		}
		for i := 0; i < len(data); i += aes.BlockSize {
			if encrypt {
				block.Encrypt(out[i:], data[i:])
			} else {
				block.Decrypt(out[i:], data[i:])
			}
		}
		return out, nil
	}
	return nil, errors.New("Unknown cipher")
}

func gcm(block cipher.Block, encrypt bool, iv, data, additional []byte, tag int) ([]byte, error) {
	var mode cipher.AEAD
	var err error
	switch {
	case len(iv) == 0:
		return nil, errors.New("Invalid initialization vector")
	case len(iv) != 12:
		mode, err = cipher.NewGCMWithNonceSize(block, len(iv))
	default:
		mode, err = cipher.NewGCMWithTagSize(block, tag)
	}
	if err != nil {
		return nil, err
	}
	if encrypt {
		return mode.Seal(nil, iv, data, additional), nil
	}
	out, err := mode.Open(nil, iv, data, additional)
	if err != nil {
		return nil, errors.New("Unsupported state or unable to authenticate data")
	}
	return out, nil
}
