const total = 1000, fired = new Array(total).fill(0), ids = [];
let count = 0, ticks = 0;

for (let i = 0; i < total; i++) {
  const delay = 1 + (i * 7) % 20, set = now();
  ids.push(setTimeout((n) => {
    const waited = now() - set;
    if (waited < delay) throw new Error(`a timeout of ${delay} ms fired after ${waited} ms`);
    if (n % 10 === 3) throw new Error(`timeout ${n} was cleared and fired`);
    if (++fired[n] > 1) throw new Error(`timeout ${n} fired twice`);
    count++;
  }, delay, i));
}
for (let i = 3; i < total; i += 10) clearTimeout(ids[i]);

const interval = setInterval(() => {
  if (++ticks === 5) clearInterval(interval);
  if (ticks > 5) throw new Error("an interval that was cleared goes on");
}, 2);

function finish() {
  if (count < 900 || ticks < 5) {
    setTimeout(finish, 5);
    return;
  }
  // What must not fire is given as long again. By now nothing else keeps the loop from firing too early.
  const set = now();
  setTimeout(() => {
    const waited = now() - set;
    if (waited < 25) throw new Error(`a timeout of 25 ms fired after ${waited} ms`);
    done(`${count} fired, ${total - count} cleared, ${ticks} ticks`);
  }, 25);
}
setTimeout(finish, 25);
