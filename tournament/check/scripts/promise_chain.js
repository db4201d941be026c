let crossings = 0, chain = Promise.resolve(0);

for (let i = 0; i < 100; i++) {
  chain = chain.then((value) => {
    if (value !== i) throw new Error(`link ${i} got ${value}`);
    if (i % 10 !== 9) return value + 1;
    crossings++;
    return new Promise((resolve) => setImmediate(resolve, value + 1));
  });
}

chain.then((value) => done(`${value} links, ${crossings} crossings`));
