const total = 1000, order = [];
let ids = [], links = 0;

function link() {
  if (++links < 100) {
    setImmediate(link);
  } else {
    done(`${order.length} of ${total}, chain of ${links}`);
  }
}

for (let i = 0; i < total; i++) {
  ids.push(setImmediate((n) => {
    order.push(n);
    // A microtask of one immediate runs before the next immediate.
    const length = order.length;
    queueMicrotask(() => {
      if (order.length !== length) throw new Error(`immediate ${n}: its microtask came after the next immediate`);
    });
  }, i));
}
for (let i = 5; i < total; i += 10) clearImmediate(ids[i]);

setImmediate(() => {
  for (let i = 0, n = 0; i < total; i++) {
    if (i % 10 === 5) continue;
    if (order[n++] !== i) throw new Error(`immediate ${order[n - 1]} ran instead of ${i}`);
  }
  link();
});
