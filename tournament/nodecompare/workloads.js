"use strict";
// The same workloads as workloads.go and await.go. Usage: node workloads.js NAME OPERATIONS BATCH. Prints nanoseconds per
// operation, the median of five timed runs in one process after an untimed one, and the sum of what the handlers saw.
const BATCH = Number(process.argv[4]);
let sum = 0;
const addOne = (v) => v + 1;
const keep = (v) => { sum += v; };

// batches runs body n times, size in each macrotask, so that each batch is drained before the next.
function batches(n, body, size = BATCH) {
    return new Promise((done) => {
        (function batch() {
            for (let i = Math.min(n, size); i > 0; i--, n--) body();
            if (n > 0) setImmediate(batch); else setImmediate(done);
        })();
    });
}

const workloads = {
    "create-resolve-then-then": (n) => batches(n, () => {
        let resolve;
        const p = new Promise((r) => { resolve = r; });
        p.then(addOne).then(keep);
        resolve(1);
    }),
    "sequential-chain": (n) => {
        let left = n;
        return batches(Math.ceil(n / BATCH), () => {
            const links = Math.min(left, BATCH);
            left -= links;
            let resolve;
            let p = new Promise((r) => { resolve = r; });
            for (let i = 1; i < links; i++) p = p.then(addOne);
            p.then(keep);
            resolve(1);
        }, 1);
    },
    "await-loop": async (n) => {
        for (let i = 0; i < n; i++) keep(await Promise.resolve(1));
    },
    "await-settled": async (n) => {
        for (let i = 0; i < n; i++) keep(await Promise.resolve(1));
    },
    "await-pending": async (n) => {
        for (let i = 0; i < n; i++) {
            let resolve;
            const p = new Promise((r) => { resolve = r; });
            queueMicrotask(() => resolve(1));
            keep(await p);
        }
    },
    "call-async": async (n) => {
        const settled = async () => await Promise.resolve(1);
        for (let i = 0; i < n; i++) keep(await settled());
    },
    "all-of-ten": (n) => batches(n, () => {
        const ps = [], rs = [];
        for (let i = 0; i < 10; i++) ps.push(new Promise((r) => { rs.push(r); }));
        Promise.all(ps).then((vs) => keep(vs.length));
        for (let i = 0; i < 10; i++) rs[i](i);
    }),
};

(async () => {
    const run = workloads[process.argv[2]], n = Number(process.argv[3]);
    await run(n);
    const times = [];
    for (let i = 0; i < 5; i++) {
        sum = 0;
        const start = process.hrtime.bigint();
        await run(n);
        times.push(Number(process.hrtime.bigint() - start) / n);
    }
    times.sort((a, b) => a - b);
    console.log(times[2], sum);
})();
