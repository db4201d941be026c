package crypto

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"math/big"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// A key is an asymmetric one that a KeyObject of a script holds: private is nil for a public key.
type key struct {
	public  crypto.PublicKey
	private crypto.Signer
}

func (k key) kind() string {
	switch k.public.(type) {
	case *rsa.PublicKey:
		return "rsa"
	case *ecdsa.PublicKey:
		return "ec"
	case ed25519.PublicKey:
		return "ed25519"
	}
	return "unknown"
}

func defineKeys(e engine.Engine) {
	e.Define("parseKey", func(a engine.Args) any { // (bytes, format, private)
		b, _ := a.View(0)
		k, err := parseKey(b, a.Text(1), a.True(2))
		if err != nil {
			return err.Error()
		}
		return engine.Object{"held", engine.Held{Value: k}, "kind", k.kind()}
	})
	e.Define("exportKey", func(a engine.Args) any { // (key, private, type) as DER
		k, _ := engine.HeldBy[key](a, 0)
		return outcome(exportKey(k, a.True(1), a.Text(2)))
	})
	e.Define("generateKey", func(a engine.Args) any { // (kind, bits or curve)
		k, err := generate(a.Text(0), a)
		if err != nil {
			return err.Error()
		}
		return engine.Object{"held", engine.Held{Value: k}, "kind", k.kind()}
	})
	e.Define("signBytes", func(a engine.Args) any { // (key, hash or undefined, data, pss, salt length, ieee)
		k, _ := engine.HeldBy[key](a, 0)
		return outcome(sign(k, a))
	})
	e.Define("verifyBytes", func(a engine.Args) any { // the same, and the signature
		k, _ := engine.HeldBy[key](a, 0)
		ok, err := verify(k, a)
		if err != nil {
			return err.Error()
		}
		return ok
	})
}

var errKey = errors.New("error:1E08010C:DECODER routines::unsupported")

func parseKey(b []byte, format string, private bool) (key, error) {
	if format == "pem" {
		block, _ := pem.Decode(b)
		if block == nil {
			return key{}, errKey
		}
		b = block.Bytes
	}
	if k, err := x509.ParsePKCS8PrivateKey(b); err == nil {
		return signer(k)
	}
	if k, err := x509.ParsePKCS1PrivateKey(b); err == nil {
		return signer(k)
	}
	if k, err := x509.ParseECPrivateKey(b); err == nil {
		return signer(k)
	}
	if private {
		return key{}, errKey
	}
	if k, err := x509.ParsePKIXPublicKey(b); err == nil {
		return key{public: k}, nil
	}
	if k, err := x509.ParsePKCS1PublicKey(b); err == nil {
		return key{public: k}, nil
	}
	if c, err := x509.ParseCertificate(b); err == nil {
		return key{public: c.PublicKey}, nil
	}
	return key{}, errKey
}

func signer(k any) (key, error) {
	s, ok := k.(crypto.Signer)
	if !ok {
		return key{}, errors.New("the key does not sign")
	}
	return key{s.Public(), s}, nil
}

func exportKey(k key, private bool, kind string) ([]byte, error) {
	if private {
		switch p := k.private.(type) {
		case *rsa.PrivateKey:
			if kind == "pkcs1" {
				return x509.MarshalPKCS1PrivateKey(p), nil
			}
		case *ecdsa.PrivateKey:
			if kind == "sec1" {
				return x509.MarshalECPrivateKey(p)
			}
		}
		return x509.MarshalPKCS8PrivateKey(k.private)
	}
	if p, ok := k.public.(*rsa.PublicKey); ok && kind == "pkcs1" {
		return x509.MarshalPKCS1PublicKey(p), nil
	}
	return x509.MarshalPKIXPublicKey(k.public)
}

var curves = map[string]elliptic.Curve{
	"prime256v1": elliptic.P256(), "P-256": elliptic.P256(), "secp384r1": elliptic.P384(), "P-384": elliptic.P384(),
	"secp521r1": elliptic.P521(), "P-521": elliptic.P521(), "secp224r1": elliptic.P224(),
}

// mostBits bounds the keys that a script has generated: the time grows with the fourth power.
const mostBits = 8192

func generate(kind string, a engine.Args) (key, error) {
	switch kind {
	case "rsa":
		bits := a.Integer(1)
		if bits < 1024 || bits > mostBits {
			return key{}, errors.New("modulusLength must be between 1024 and 8192")
		}
		k, err := rsa.GenerateKey(rand.Reader, int(bits))
		if err != nil {
			return key{}, err
		}
		return signer(k)
	case "ec":
		curve, ok := curves[a.Text(1)]
		if !ok {
			return key{}, errors.New("Invalid EC curve name")
		}
		k, err := ecdsa.GenerateKey(curve, rand.Reader)
		if err != nil {
			return key{}, err
		}
		return signer(k)
	case "ed25519":
		_, k, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return key{}, err
		}
		return signer(k)
	}
	return key{}, errors.New("Unknown key type")
}

func digest(a engine.Args) (crypto.Hash, []byte, error) {
	h, ok := hashOf(a.Text(1))
	if !ok {
		return 0, nil, errors.New("Invalid digest: " + a.Text(1))
	}
	data, _ := a.View(2)
	sum := h.New()
	_, _ = sum.Write(data)
	return h, sum.Sum(nil), nil
}

func sign(k key, a engine.Args) ([]byte, error) {
	if k.private == nil {
		return nil, errors.New("the key is not private")
	}
	if p, ok := k.private.(ed25519.PrivateKey); ok {
		data, _ := a.View(2)
		return ed25519.Sign(p, data), nil
	}
	h, sum, err := digest(a)
	if err != nil {
		return nil, err
	}
	switch p := k.private.(type) {
	case *rsa.PrivateKey:
		if a.True(3) {
			return rsa.SignPSS(rand.Reader, p, h, sum, &rsa.PSSOptions{SaltLength: saltLength(a, h)})
		}
		return rsa.SignPKCS1v15(rand.Reader, p, h, sum)
	case *ecdsa.PrivateKey:
		if !a.True(5) {
			return ecdsa.SignASN1(rand.Reader, p, sum)
		}
		r, s, err := ecdsa.Sign(rand.Reader, p, sum)
		if err != nil {
			return nil, err
		}
		size := (p.Curve.Params().BitSize + 7) / 8
		out := make([]byte, 2*size)
		r.FillBytes(out[:size])
		s.FillBytes(out[size:])
		return out, nil
	}
	return nil, errors.New("the key does not sign")
}

// saltLength is Node's: undefined and -2 are as long as may be, -1 as long as the hash.
func saltLength(a engine.Args, h crypto.Hash) int {
	switch {
	case !a.Defined(4), a.Integer(4) == -2:
		return rsa.PSSSaltLengthAuto
	case a.Integer(4) == -1:
		return h.Size()
	}
	return int(a.Integer(4))
}

func verify(k key, a engine.Args) (bool, error) {
	signature, _ := a.View(6)
	if p, ok := k.public.(ed25519.PublicKey); ok {
		data, _ := a.View(2)
		return ed25519.Verify(p, data, signature), nil
	}
	h, sum, err := digest(a)
	if err != nil {
		return false, err
	}
	switch p := k.public.(type) {
	case *rsa.PublicKey:
		if a.True(3) {
			return rsa.VerifyPSS(p, h, sum, signature, &rsa.PSSOptions{SaltLength: saltLength(a, h)}) == nil, nil
		}
		return rsa.VerifyPKCS1v15(p, h, sum, signature) == nil, nil
	case *ecdsa.PublicKey:
		if a.True(5) {
			half := len(signature) / 2
			der, err := asn1.Marshal(struct{ R, S *big.Int }{new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])})
			return err == nil && ecdsa.VerifyASN1(p, sum, der), nil
		}
		return ecdsa.VerifyASN1(p, sum, signature), nil
	}
	return false, errors.New("the key does not verify")
}
