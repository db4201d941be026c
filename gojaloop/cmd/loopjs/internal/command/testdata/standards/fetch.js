// Where Node 20's Headers, Request, Response, Blob, File, FormData and streams depart from the standards.
const log = [];
const noting = (...keys) => { const o = {}; for (const k of keys) Object.defineProperty(o, k, { get() { log.push(k); return undefined; }, enumerable: true }); return o; };
const text = (name) => ({ toString() { log.push(name); return name; } });
const flush = () => console.log(log.splice(0).join());
new Response(text('body'), noting('statusText', 'status', 'headers')); flush();
new Request('http://h/', noting('window', 'signal', 'referrerPolicy', 'referrer', 'redirect', 'priority', 'mode', 'method', 'keepalive', 'integrity', 'headers', 'duplex', 'credentials', 'cache', 'body')); flush();
new File([text('bits')], text('name'), noting('type', 'lastModified', 'endings')); flush();
try { new Headers().append({ toString() { log.push('name'); return 'a b'; } }, text('value')); } catch (e) { log.push(e.name); } flush();
for (const v of [undefined, 'x', null]) try { console.log(new File(v, 'n').size); } catch (e) { console.log(e.name); }
console.log(new File([], 'n', { lastModified: 12.9 }).lastModified, new File([], 'n', { lastModified: new Date(5) }).lastModified, FormData.length);
try { console.log(new Request('http://h/', { priority: 'x' }).url); } catch (e) { console.log(e.name); }
const f = new FormData(); f.append('d', new Blob(), undefined); console.log(f.get('d').name);
(async () => {
  console.log(await new Response('\ufeff\ufeffa').text() === '\ufeffa', await new Blob(['PASS']).slice(NaN, 3).text(), await new Blob(['PASS']).slice(1.5, 2.5).text());
  const w = new WritableStream().getWriter(); await w.close(); await w.write('x').catch((e) => console.log(e.name));
  console.log(JSON.stringify(await new Blob(['a\r\nb\rc\n', 'd\r', '\n'], { endings: 'native' }).text()));
  const part = (b, head) => `--${b}\r\n${head}\r\n\r\nv\r\n--${b}--\r\n`;
  for (const [b, type, head] of [['x y', 'multipart/form-data; boundary="x y"', 'content-disposition: form-data; name=a'], ['xX', 'Multipart/Form-Data;BOUNDARY=xX', 'CONTENT-DISPOSITION: form-data; name="a"']]) console.log([...await new Response(part(b, head), { headers: { 'content-type': type } }).formData()].join());
  console.log(JSON.stringify([...await new Response('\ufeffa=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData()]));
  for (const make of [() => new Int8Array([1]), () => new DataView(new ArrayBuffer(2)), () => new ArrayBuffer(3)]) {
    const chunk = make(), r = new Response(new ReadableStream({ start(c) { c.enqueue(chunk); c.close(); } })), twin = r.clone();
    const a = (await r.body.getReader().read()).value, b = (await twin.body.getReader().read()).value; console.log(a === chunk, b === chunk, b.constructor === chunk.constructor, b.byteLength);
  }
  for (const value of [{ done: false, value: new Uint8Array([66]) }, undefined, null]) { // a then that scripts give all objects is not asked
    const r = new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([72])); c.close(); } }));
    Object.prototype.then = function (resolve) { delete Object.prototype.then; resolve(value); };
    const p = r.text(); const read = await p; delete Object.prototype.then; console.log(read);
  }
  const c = new AbortController(); let why; c.signal.addEventListener('abort', () => {}); const up = fetch('http://h.invalid/', { method: 'POST', duplex: 'half', signal: c.signal, body: new ReadableStream({ cancel(e) { why = e; } }) }); c.abort('stop'); console.log(why); await up.catch((e) => console.log(e));
  console.log(Object.keys(new TransformStream()), ReadableStream.from('ab') instanceof ReadableStream, await new WritableStream().abort());
})();
