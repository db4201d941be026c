// atob and btoa (HTML 8.3; Infra: forgiving-base64).
const { DOMException } = load('exception');
const { missing } = load('nodeerrors');
const { atob, btoa } = { // methods, which cannot be called with new
  btoa(data) {
    if (arguments.length === 0) throw missing('data');
    const encoded = native.base64Encode(`${data}`);
    if (encoded === undefined) throw new DOMException('Invalid character', 'InvalidCharacterError');
    return encoded;
  },
  atob(data) {
    if (arguments.length === 0) throw missing('data');
    const decoded = native.base64Decode(`${data}`);
    if (decoded === undefined) throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
    return decoded;
  },
};
return { atob, btoa };
