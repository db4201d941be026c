let depth = 0;

function nest() {
  const set = now();
  setTimeout(() => {
    const waited = now() - set;
    if (waited < 1) throw new Error(`a timeout of 1 ms fired after ${waited} ms`);
    if (++depth < 50) {
      nest();
    } else {
      done(`${depth} deep`);
    }
  }, 1);
}

nest();
