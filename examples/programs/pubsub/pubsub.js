// The publish/subscribe server in Node. POST /topic publishes, GET /topic subscribes.
const http = require("node:http");
const backlog = 64 * 1024; // bytes that wait for a subscriber; what comes then is dropped
const keep = 3600_000; // how long a topic without subscribers keeps its last message
const topics = new Map();

function topic(name) {
	let t = topics.get(name);
	if (!t) {
		t = { subscribers: new Set() };
		topics.set(name, t);
	}
	idle(name, t);
	return t;
}

function idle(name, t) {
	clearTimeout(t.forget);
	if (t.subscribers.size === 0) t.forget = setTimeout(() => topics.delete(name), keep).unref();
}

const send = (res, text) => {
	if (res.writableLength < backlog) res.write(`data: ${text}\n\n`);
};

const server = http.createServer(async (req, res) => {
	if (req.method === "POST") {
		const chunks = await req.toArray();
		const t = topic(req.url);
		t.last = Buffer.concat(chunks).toString();
		for (const subscriber of t.subscribers) send(subscriber, t.last);
		res.end();
		return;
	}
	const t = topic(req.url);
	t.subscribers.add(res);
	clearTimeout(t.forget);
	res.writeHead(200, { "Content-Type": "text/event-stream" });
	res.flushHeaders();
	if (t.last !== undefined) send(res, t.last);
	res.on("close", () => {
		t.subscribers.delete(res);
		idle(req.url, t);
	});
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(server.address().port));
process.on("SIGTERM", () => {
	server.close();
	server.closeAllConnections();
});
