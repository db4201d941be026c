const jobs = 100;
let steps = 0, finished = 0, inside = false;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const immediate = () => new Promise((resolve) => setImmediate(resolve));
const microtask = () => new Promise((resolve) => queueMicrotask(resolve));

function step() {
  if (inside) throw new Error("two callbacks run at once");
  inside = true;
  steps++;
  inside = false;
}

// Within one job the order is JavaScript's: synchronous code, promise jobs and microtasks as queued, then the loop.
async function order() {
  const log = [];
  const onLoop = immediate().then(() => log.push("loop"));
  const first = Promise.resolve().then(() => log.push("promise"));
  queueMicrotask(() => log.push("microtask"));
  log.push("sync");
  await first;
  await onLoop;
  if (log.join() !== "sync,promise,microtask,loop") throw new Error(`ran in the order ${log}`);
}

async function job(i) {
  step();
  await order();
  step();
  await sleep(i % 5);
  step();
  await microtask();
  step();
  await Promise.all([immediate(), sleep(1), microtask()]);
  step();
  try {
    await Promise.any([sleep(2).then(() => { throw new RangeError("deliberate") })]);
    throw new Error("a rejection was lost");
  } catch (e) {
    if (!(e instanceof AggregateError)) throw e;
    step();
  }
  let slow;
  const which = await Promise.race([new Promise((resolve) => { slow = setTimeout(resolve, 1e6, "slow"); }), immediate().then(() => "fast")]);
  clearTimeout(slow);
  if (which !== "fast") throw new Error("an immediate came after a very long timeout");
  step();
  await null;
  step();
  if (++finished === jobs) done(`${jobs} jobs, ${steps} steps`);
}

for (let i = 0; i < jobs; i++) job(i);
