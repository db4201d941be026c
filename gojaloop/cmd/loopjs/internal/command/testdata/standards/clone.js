// structuredClone where Node 20 departs from HTML 2.7, and what files it cannot clone.
const attempt = (name, fn) => { try { console.log(name, fn()); } catch (e) { console.log(name, e.name); } };
const file = new File(['content'], 'name.txt', { type: 'text/plain', lastModified: 42 }), blob = new Blob(['a', 'b'], { type: 'x/y' });
const copy = structuredClone({ file, blob, again: blob });
console.log(copy.file instanceof File, copy.file !== file, copy.file.name, copy.file.type, copy.file.lastModified, copy.file.size, copy.blob instanceof File, copy.blob.type, copy.again === copy.blob);
copy.file.text().then((text) => console.log(text)); copy.blob.text().then((text) => console.log(text));
for (const v of [Object, {}, [], new Map(), new Uint8Array(1), blob]) attempt('transfer', () => structuredClone(1, { transfer: [v] }));
const b = new ArrayBuffer(2), view = new Uint8Array(b); attempt('detached on the way', () => structuredClone({ get x() { structuredClone(b, { transfer: [b] }); return 1; } }, { transfer: [b] }));
attempt('detached', () => structuredClone(b)); attempt('transferred twice', () => structuredClone(1, { transfer: [b] })); attempt('view', () => structuredClone(view));
const re = /x/gs; Object.defineProperty(re, 'flags', { get() { throw new Error('not asked'); } }); console.log(structuredClone(re).flags);
const set = new Set([{ a: [1] }]), map = new Map([[1, 2]]);
Map.prototype.set = Set.prototype.add = () => { throw new Error('patched'); };
console.log(structuredClone(set).size, structuredClone(map).get(1));
