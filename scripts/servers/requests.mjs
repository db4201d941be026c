// Sends 50 requests of an application's list, one after the other, and writes the answers: node requests.mjs PORT
import { request } from 'node:http';
const port = process.argv[2];
const json = { 'content-type': 'application/json' }, form = { 'content-type': 'application/x-www-form-urlencoded' };
const list = [
  ['GET', '/notes'], ['POST', '/notes', json, '{"text":"first"}'], ['POST', '/notes', json, '{"text":"☃","n":[1,2.5,null]}'], ['GET', '/notes'], ['GET', '/notes/1'],
  ['GET', '/notes/2'], ['GET', '/notes/3'], ['HEAD', '/notes/1'], ['DELETE', '/notes/1'], ['DELETE', '/notes/1'],
  ['GET', '/notes/1'], ['POST', '/notes', json, '{"text":'], ['POST', '/notes', json, ''], ['GET', '/notes/'], ['PUT', '/notes'],
  ['GET', '/hello/you'], ['GET', '/hello/you?q=1&q=2'], ['GET', '/hello/a%20b%E2%98%83'], ['GET', '/hello/%25'], ['HEAD', '/hello/you'],
  ['GET', '/text'], ['GET', '/bytes'], ['GET', '/redirect'], ['GET', '/cookie'], ['GET', '/stream'],
  ['HEAD', '/stream'], ['GET', '/head'], ['GET', '/throws'], ['GET', '/later'], ['POST', '/form', form, 'a=1&b=x+y&a=2'],
  ['POST', '/form', form, ''], ['GET', '/echo'], ['POST', '/echo', json, '{"a":1}'], ['GET', '/echo?x=1#f', { accept: 'application/json' }], ['GET', '/echo', { 'x-forwarded-host': 'h', accept: 'text/*' }],
  ['GET', '/missing'], ['POST', '/missing', json, '{}'], ['GET', '//double'], ['GET', '/../up'], ['OPTIONS', '/notes', { origin: 'http://o', 'access-control-request-method': 'POST' }],
  ['GET', '/files/style.css'], ['HEAD', '/files/style.css'], ['GET', '/files/data.csv', { range: 'bytes=2-4' }], ['GET', '/files/data.csv', { range: 'bytes=90-' }], ['GET', '/files/'],
  ['GET', '/files'], ['GET', '/files/none.txt'], ['GET', '/files/..%2fexpress.cjs'], ['GET', '/files/style.css', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }], ['GET', '/text', { connection: 'close' }],
];
// show writes an answer, byte for byte but for what has no meaning in HTTP: names of headers are in lower case and sorted, because package http of Go
// canonicalizes and sorts them. The reason of a status is left out, because package http has its own. The Date is the time of the answer.
const show = (method, path, res, body) => {
  const headers = Object.entries(res.headers).filter(([name]) => name !== 'date').sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}: ${value}`);
  const dated = 'date' in res.headers ? 'date' : 'no date';
  console.log([`> ${method} ${path}`, `${res.httpVersion} ${res.statusCode}`, dated, ...headers, '', body.toString('latin1'), ''].join('\n'));
};
for (const [method, path, headers = {}, body] of list) {
  await new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const req = request({ port, host: '127.0.0.1', method, path, headers: { connection: 'keep-alive', ...headers, ...length } }, (res) => {
      const parts = [];
      res.on('data', (p) => parts.push(p)).on('end', () => { show(method, path, res, Buffer.concat(parts)); resolve(); }).on('error', reject);
    });
    req.on('error', reject).end(body);
  });
}
