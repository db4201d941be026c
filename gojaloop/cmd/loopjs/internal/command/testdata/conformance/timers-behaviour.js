// Clearing, refreshing and referencing (Node's test/parallel/test-timers-*).
const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
const steps = [
  (done) => { let n = 0; const i = setInterval(() => { n++; if (n === 3) { clearInterval(i); setTimeout(() => { console.log('interval ran', n); done(); }, 10); } }, 1); },
  (done) => { // an interval that clears itself and throws nothing away
    const i = setInterval(() => { clearTimeout(i); setImmediate(done); console.log('once'); }, 1); },
  (done) => { // a timer that another of the same list clears
    const a = setTimeout(() => { clearTimeout(b); console.log('a'); }, 1);
    const b = setTimeout(() => console.log('never b'), 1);
    setTimeout(done, 5); },
  (done) => { // refresh inside its own callback runs it again
    let n = 0; const t = setTimeout(() => { console.log('refreshed', ++n); if (n < 3) t.refresh(); else done(); }, 1); },
  (done) => { // refresh after clearing does nothing
    const t = setTimeout(() => console.log('never refreshed'), 1); clearTimeout(t); t.refresh(); setTimeout(done, 5); },
  (done) => { // immediates cleared in the immediate phase
    const a = setImmediate(() => { console.log('first'); clearImmediate(b); clearImmediate(a); });
    const b = setImmediate(() => console.log('never second'));
    setImmediate(() => { console.log('third'); setImmediate(() => { console.log('next turn'); done(); }); }); },
  (done) => { // a timer set in an immediate, an immediate set in a timer
    setTimeout(() => { setImmediate(() => { console.log('immediate first'); }); setTimeout(() => { console.log('then timeout'); done(); }, 0); busy(3); }, 0); },
  (done) => { process.nextTick(() => setTimeout(() => { console.log('timer of a tick'); done(); }, 1)); },
  (done) => { // unreferenced ones run while others keep the program
    const u = setTimeout(() => console.log('unref ran'), 1); u.unref(); setTimeout(done, 8); },
  (done) => { const i = setInterval(() => {}, 1); i.unref(); console.log(i.hasRef()); i.ref(); console.log(i.hasRef()); clearInterval(i); console.log(i.hasRef()); done(); },
  (done) => { const im = setImmediate(() => console.log('unref immediate')); im.unref(); setImmediate(() => setTimeout(done, 2)); },
  (done) => { // a timer cleared in a microtask of the one before
    setTimeout(() => { Promise.resolve().then(() => clearTimeout(b)); console.log('x'); }, 1);
    const b = setTimeout(() => console.log('never y'), 1); busy(3); setTimeout(done, 4); },
  (done) => { const t = setTimeout(() => { console.log(t._destroyed); setImmediate(() => { console.log(t._destroyed); done(); }); }, 1); console.log(t._destroyed, t._repeat); },
  (done) => { // nested timers of delay 0 fire in turns
    const log = []; let n = 0; (function f() { log.push(n); if (++n < 4) setTimeout(f, 0); else { console.log(log.join()); done(); } })(); },
  (done) => { // close() from inside
    const i = setInterval(function () { console.log(this.close() === this); setTimeout(done, 5); }, 1); },
  (done) => { // disposal and properties
    const t = setTimeout(() => console.log('never disposed'), 1);
    t.mine = 1; console.log(t.mine, 'mine' in t, '_repeat' in t, Object.keys(t).includes('mine'), delete t.mine, t.mine);
    console.log(typeof t[Symbol.dispose], t[Symbol.dispose](), t._destroyed);
    const i = setImmediate(() => console.log('never disposed')); i[Symbol.dispose](); console.log(i._destroyed); done(); },
  (done) => { const t = setTimeout(() => console.log('never, id'), 1); const id = +t; clearTimeout({ valueOf: () => id }); clearTimeout([id]); clearTimeout(String(id)); setTimeout(done, 5); },
];
(function next() { const s = steps.shift(); if (s) s(() => setImmediate(next)); else console.log('end'); })();
