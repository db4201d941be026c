// An application in hono, for node and loopjs: node hono.mjs PORT FOLDER
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { stream } from 'hono/streaming';
import { readFile } from 'node:fs/promises';
const app = new Hono();
const notes = new Map();
app.use('/notes/*', cors());
app.get('/files/:name', async (c) => {
  try { return c.body(await readFile(`${process.argv[3]}/${c.req.param('name')}`), 200, { 'Content-Type': 'application/octet-stream' }); } catch { return c.notFound(); }
});
app.get('/notes', (c) => c.json([...notes]));
app.post('/notes', async (c) => {
  const id = notes.size + 1, note = await c.req.json();
  notes.set(id, note);
  return c.json({ id, ...note }, 201, { Location: `/notes/${id}` });
});
app.get('/notes/:id', (c) => (notes.has(+c.req.param('id')) ? c.json(notes.get(+c.req.param('id'))) : c.notFound()));
app.delete('/notes/:id', (c) => (notes.delete(+c.req.param('id')) ? c.body(null, 204) : c.notFound()));
app.get('/hello/:name', (c) => c.html(`<p>hello ${c.req.param('name')} ${c.req.query('q') ?? ''}`));
app.get('/text', (c) => c.text('plain ☃'));
app.get('/bytes', (c) => c.body(new Uint8Array([0, 1, 254, 255])));
app.get('/redirect', (c) => c.redirect('/hello/again'));
app.get('/cookie', (c) => { setCookie(c, 'a', 'b c', { httpOnly: true }); setCookie(c, 'd', 'e'); return c.text('set'); });
app.get('/stream', (c) => stream(c, async (s) => { await s.write('one '); await s.sleep(5); await s.write('two '); await s.write('three'); }));
app.get('/head', (c) => c.body(null, 202, { 'X-One': '1' }));
app.get('/throws', () => { throw new Error('broken'); });
app.get('/later', async () => { await null; throw new HTTPException(418, { message: 'teapot' }); });
app.post('/form', async (c) => c.json(await c.req.parseBody()));
app.all('/echo', (c) => c.json({ method: c.req.method, url: new URL(c.req.url).pathname, path: c.req.path, type: c.req.header('content-type') ?? null }));
app.onError((err, c) => (err instanceof HTTPException ? err.getResponse() : c.json({ error: err.name === 'SyntaxError' ? 'bad json' : err.message }, 500)));
serve({ fetch: app.fetch, port: +process.argv[2], hostname: '127.0.0.1' }, () => console.log('listening'));
