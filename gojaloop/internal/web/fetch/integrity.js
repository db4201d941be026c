// The check of fetch's option integrity (Subresource Integrity 3.3).
const strength = ['sha256', 'sha384', 'sha512'];

// parse gives the hashes of the strongest algorithm that integrity metadata names. What it does not know is left out.
function parse(metadata) {
  let algorithm = -1, hashes = [];
  for (const item of metadata.split(/[\t\n\f\r ]+/)) {
    const found = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+)={0,2}(\?[!-~]*)?$/i.exec(item);
    if (found === null) continue;
    const n = strength.indexOf(found[1].toLowerCase());
    if (n > algorithm) { algorithm = n; hashes = []; }
    if (n === algorithm) hashes.push(found[2].replace(/-/g, '+').replace(/_/g, '/'));
  }
  return { algorithm: strength[algorithm], hashes };
}
function matches(bytes, metadata) {
  const { algorithm, hashes } = parse(metadata);
  return hashes.length === 0 || hashes.includes(native.digest(algorithm, bytes.buffer));
}
return { matches };
