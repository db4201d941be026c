// An application in express, for node and loopjs: node express.cjs PORT FOLDER
const express = require('express');
const app = express();
app.use('/files', express.static(process.argv[3]));
app.use(express.json({ limit: 1000 }));
app.use(express.urlencoded({ extended: false }));
const notes = new Map();
const router = express.Router();
router.get('/', (req, res) => res.json([...notes]));
router.post('/', (req, res) => {
  const id = notes.size + 1;
  notes.set(id, req.body);
  res.status(201).location(`/notes/${id}`).json({ id, ...req.body });
});
router.get('/:id', (req, res, next) => {
  const note = notes.get(+req.params.id);
  if (!note) { next(); return; }
  res.json(note);
});
router.delete('/:id', (req, res) => { res.sendStatus(notes.delete(+req.params.id) ? 204 : 404); });
app.use('/notes', router);
app.get('/hello/:name', (req, res) => res.send(`<p>hello ${req.params.name} ${req.query.q ?? ''}`));
app.get('/text', (req, res) => res.type('text').send('plain ☃'));
app.get('/bytes', (req, res) => res.send(Buffer.from([0, 1, 254, 255])));
app.get('/redirect', (req, res) => res.redirect('/hello/again'));
app.get('/cookie', (req, res) => res.cookie('a', 'b c', { httpOnly: true }).cookie('d', 'e').end('set'));
app.get('/stream', (req, res) => { res.write('one '); setTimeout(() => { res.write('two '); res.end('three'); }, 5); });
app.get('/head', (req, res) => { res.writeHead(202, { 'X-One': '1' }); res.end(); });
app.get('/throws', () => { throw new Error('broken'); });
app.get('/later', (req, res, next) => setImmediate(next, Object.assign(new Error('teapot'), { status: 418 })));
app.post('/form', (req, res) => res.json(req.body));
app.all('/echo', (req, res) => res.json({ method: req.method, url: req.originalUrl, path: req.path, ip: req.ip, protocol: req.protocol, host: req.get('x-forwarded-host') ?? null, accepts: req.accepts(['html', 'json']) || null, is: req.is('json') }));
app.use((err, req, res, next) => { if (res.headersSent) { next(err); return; } res.status(err.status ?? 500).json({ error: err.type ?? err.message }); });
app.listen(+process.argv[2], '127.0.0.1', () => console.log('listening'));
