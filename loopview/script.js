"use strict";
// The page asks for what is new twice a second, and draws it. Everything that comes is put in as text.

const $ = id => document.getElementById(id);
const PHASES = ["timers", "internal", "external", "poll", "check", "close"];
const QUEUES = [[0, "external", 2], [1, "internal", 1], [2, "immediates", 4], [3, "closing", 5], [5, "jobs", 0]];
const PHASE = 0, CALLBACK = 1, CHECKPOINT = 2, SLEEP = 3, UNSEEN = 4;
const COLUMNS = 240, KEEP = 6000, EVERY = 500, GROUPS = 100;
const LEFT = 46;      // of the time axis, which all diagrams of a loop share; the labels stand before it
const SHORT = 10000;  // what the diagrams of samples show at least: one sample is of half a second
const loops = new Map(); // by id
const slow = new Map(), rejections = new Map(); // groups of equal reports, by what they have in common; the latest last
let boot = 0, since = 0, bounds = [], now = 0, paused = false, pan = 0;

function element(name, className, text) {
	const e = document.createElement(name);
	if (className) e.className = className;
	if (text !== undefined) e.textContent = text;
	return e;
}

function duration(ns) {
	const a = Math.abs(ns);
	const [unit, size] = a < 1e3 ? ["ns", 1] : a < 1e6 ? ["µs", 1e3] : a < 1e9 ? ["ms", 1e6] : a < 6e10 ? ["s", 1e9] : a < 3.6e12 ? ["min", 6e10] : ["h", 3.6e12];
	const n = ns / size;
	return `${Math.abs(n) >= 100 || size === 1 ? Math.round(n) : n.toPrecision(2)} ${unit}`;
}

function count(n) {
	return n >= 1e6 ? `${(n / 1e6).toPrecision(3)} M` : n >= 1e4 ? `${(n / 1e3).toPrecision(3)} k` : `${Math.round(n)}`;
}

// brief leaves out the folders of a name, or of the first call of a place such as "a/b.f /c/d.go:1 < …".
function brief(text) {
	return text.split(" < ")[0].split(" ").map(word => word.slice(word.lastIndexOf("/") + 1)).join(" ");
}

// calls is a place in full, one call in a line, or nothing if it is as brief anyway.
const calls = text => brief(text) === text ? "" : text.split(" < ").join("\n");

// card makes the part of the page that shows a loop.
function card(id) {
	const root = element("article", "loop");
	const title = element("h2");
	const facts = element("dl", "facts");
	const values = {};
	for (const name of ["state", "callbacks/s", "utilization", "queued", "timers", "run p99", "run max", "delay p99"]) {
		const div = element("div");
		values[name] = element("dd");
		div.append(element("dt", "", name), values[name]);
		facts.append(div);
	}
	root.append(title, facts);
	const canvas = (heading, className) => {
		const h = element("h3", "", heading), c = element("canvas", className);
		c.setAttribute("role", "img");
		root.append(h, c);
		return c;
	};
	const time = canvas("Turns, phases and callbacks", "time");
	time.tabIndex = 0;
	const hint = element("p", "hint");
	root.append(hint);
	const queue = canvas("Queued", "queue"), run = canvas("Run time of callbacks", "heat"), delay = canvas("Delay in the queue", "heat");
	root.append(element("h3", "", "What keeps it alive"));
	const resources = element("div", "list");
	root.append(resources);
	$("loops").append(root);
	const l = {root, title, values, time, hint, queue, run, delay, resources, samples: [], spans: [], state: null, pointer: null, listed: ""};
	time.addEventListener("pointermove", e => { l.pointer = e.offsetX; if (l.grip !== undefined && paused) { pan += (e.offsetX - l.grip) / (time.clientWidth - LEFT) * width(); l.grip = e.offsetX; drawAll(); } else explain(l); });
	time.addEventListener("pointerdown", e => { l.grip = e.offsetX; if (paused) time.setPointerCapture(e.pointerId); });
	for (const end of ["pointerup", "pointercancel"]) time.addEventListener(end, () => { l.grip = undefined; });
	time.addEventListener("pointerleave", () => { l.pointer = null; explain(l); });
	time.addEventListener("keydown", e => {
		const steps = {ArrowLeft: 0.2, ArrowRight: -0.2};
		if (paused && steps[e.key]) { pan += steps[e.key] * width(); drawAll(); e.preventDefault(); }
	});
	loops.set(id, l);
	return l;
}

const width = () => Number($("span").value); // of the time line, in milliseconds

function receive(s) {
	const fresh = s.boot !== boot;
	if (fresh) {
		for (const l of loops.values()) l.root.remove();
		loops.clear();
		slow.clear();
		rejections.clear();
		boot = s.boot;
	}
	[since, bounds, now] = [s.tick, s.bounds, s.now];
	const there = new Set();
	for (const one of s.loops) {
		there.add(one.id);
		const l = loops.get(one.id) || card(one.id);
		l.state = one;
		l.samples.push(...one.samples || []);
		l.samples.splice(0, l.samples.length - COLUMNS);
		for (const [kind, phase, at, took, jobs, name, made] of one.spans || []) {
			l.spans.push({kind, phase, at: one.made + at / 1e6, took: took / 1e6, jobs, name: one.names[name], made: one.names[made]});
		}
		l.spans.splice(0, l.spans.length - KEEP);
	}
	for (const [id, l] of loops) if (!there.has(id)) { l.root.remove(); loops.delete(id); }
	$("none").hidden = loops.size > 0;
	for (const l of loops.values()) tell(l);
	if (fresh || s.slow) {
		for (const one of s.slow || []) group(slow, [one.loop, one.phase, one.function, one.submitted, one.running], one, g => { g.took = Math.max(g.took || 0, one.took); });
		listSlow();
	}
	if (fresh || s.rejections) {
		for (const one of s.rejections || []) group(rejections, [one.loop, one.error], one);
		listRejections();
	}
	if (!paused) { pan = 0; drawAll(); }
}

// tell writes a loop's figures.
function tell(l) {
	const s = l.state, last = l.samples[l.samples.length - 1], v = l.values;
	l.title.textContent = s.name || `loop ${s.id}`;
	l.root.classList.toggle("over", s.ended);
	const stuck = s.running > 1e8;
	v.state.textContent = s.ended ? "ended" : stuck ? `${brief(s.function) || "a callback"} runs for ${duration(s.running)}` : s.asleep ? "asleep" : "running";
	v.state.className = stuck && !s.ended ? "alarm" : "";
	const set = (name, text) => { v[name].textContent = last ? text(last) : "–"; };
	set("callbacks/s", x => count(x.n));
	set("utilization", x => `${(x.u * 100).toFixed(x.u < 0.1 ? 1 : 0)} %`);
	set("queued", x => count(x.q[0] + x.q[1] + x.q[2] + x.q[3] + x.q[5]));
	set("timers", x => count(x.q[4]));
	set("run p99", x => duration(x.p[1]));
	set("run max", x => duration(x.p[2]));
	set("delay p99", x => duration(x.p[4]));
	const key = JSON.stringify(s.resources) + s.ended;
	if (key === l.listed) return;
	l.listed = key;
	const rows = (s.resources.list || []).map(r => keyed(r.kind + r.fd + r.made, [["t", r.kind + (r.kind === "descriptor" ? ` ${r.fd}` : "")], ["n", count(r.count)], ["n", r.age ? duration(r.age) : "–"],
		["n", r.kind === "timer" ? (r.due > 9e18 ? "–" : duration(r.due)) : "–"], ["t", brief(r.made) || "–", calls(r.made)]]));
	const note = s.resources.note || (s.ended ? "It has ended." : s.resources.more ? `${s.resources.more} more` : rows.length ? "" : "Nothing.");
	fill(l.resources, ["kind", "number", "age", "due in", "made at"], rows, note);
}

const keyed = (key, cells) => Object.assign(cells, {key: String(key)});

// fill makes a table of rows of cells: class, text and a longer text to unfold. What is unfolded stays so in rows of the same key.
function fill(to, head, rows, note) {
	const open = new Set(Array.from(to.querySelectorAll("details[open]"), d => d.dataset.key));
	to.replaceChildren();
	if (rows.length) {
		const table = element("table"), thead = table.createTHead().insertRow(), body = table.createTBody();
		for (const h of head) thead.append(element("th", "", h));
		for (const cells of rows) {
			const tr = body.insertRow();
			for (const [i, [className, text, more]] of cells.entries()) {
				const td = element("td", className);
				td.dataset.head = head[i];
				if (more) {
					const d = element("details");
					d.dataset.key = `${i} ${cells.key}`;
					d.open = open.has(d.dataset.key);
					d.append(element("summary", "", text), element("pre", "", more));
					td.append(d);
				} else td.textContent = text;
				tr.append(td);
			}
		}
		to.append(table);
	}
	if (note) to.append(element("p", "empty", note));
}

const clock = ms => new Date(ms).toLocaleTimeString([], {hour12: false});

// group counts a report among those that are equal to it, and forgets the oldest groups.
function group(groups, key, one, more) {
	key = JSON.stringify(key);
	const g = groups.get(key) || {key, number: 0};
	groups.delete(key);
	groups.set(key, g);
	g.number++;
	g.last = one;
	if (more) more(g);
	if (groups.size > GROUPS) groups.delete(groups.keys().next().value);
}

const latest = groups => Array.from(groups.values()).reverse();

function listSlow() {
	fill($("slow"), ["number", "last at", "loop", "longest", "phase", "callback", "submitted at"], latest(slow).map(({key, number, took, last: s}) =>
		keyed(key, [["n", count(number)], ["n", clock(s.t)], ["t", s.loop || "–"], ["n", s.running ? `over ${duration(took)}, ran on` : duration(took)], ["n", s.phase],
			["t", brief(s.function) || "–", s.stack || calls(s.function)], ["t", brief(s.submitted) || "–", calls(s.submitted)]])), slow.size ? "" : "None.");
}

function listRejections() {
	fill($("rejections"), ["number", "last at", "loop", "error"], latest(rejections).map(({key, number, last: r}) =>
		keyed(key, [["n", count(number)], ["n", clock(r.t)], ["t", r.loop || "–"], ["t", r.error, r.stack]])), rejections.size ? "" : "None.");
}

let colours;
function readColours() {
	const style = getComputedStyle(document.documentElement), get = n => style.getPropertyValue(n).trim();
	colours = {phases: PHASES.map((_, i) => get(`--p${i}`))};
	for (const n of ["ground", "ink", "soft", "line", "heat", "asleep", "unseen", "alarm"]) colours[n] = get(`--${n}`);
}

// begin clears a canvas, at the screen's resolution.
function begin(canvas) {
	const scale = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
	canvas.width = Math.round(w * scale);
	canvas.height = Math.round(h * scale);
	const c = canvas.getContext("2d");
	c.scale(scale, scale);
	c.fillStyle = colours.ground;
	c.fillRect(0, 0, w, h);
	c.font = "11px system-ui, sans-serif";
	c.textBaseline = "middle";
	return [c, w, h];
}

const ROWS = {turn: [4, 8], phase: [16, 18], callback: [38, 26]}; // top and height

// view is the stretch of time that a loop's time line shows. Short ones end where the last thing happened.
function view(l) {
	const w = width(), last = l.spans[l.spans.length - 1];
	let end = now;
	if (w < 2000 && last) {
		const awake = l.spans.findLast(s => s.kind === PHASE) || last;
		end = Math.min(now, awake.at + awake.took + w / 10);
	}
	if (paused) end = l.end === undefined ? end : l.end;
	l.end = end;
	return [end - w - pan, end - pan];
}

// A density collects bars that are narrower than a pixel, which would make a solid band one beside the other. Each column of
// pixels then shows how much of its time they took, as a height, and of which colours.
class Density {
	constructor(row) { this.row = row; this.columns = new Map(); }

	add(left, right, colour) {
		for (let x = Math.floor(left); x < right; x++) {
			const share = Math.min(right, x + 1) - Math.max(left, x);
			if (!this.columns.has(x)) this.columns.set(x, new Map());
			const of = this.columns.get(x);
			of.set(colour, (of.get(colour) || 0) + share);
		}
	}

	draw(c) {
		for (const [x, of] of this.columns) {
			let y = this.row[0] + this.row[1];
			for (const [colour, share] of of) {
				const tall = Math.max(Math.min(share, 1) * this.row[1], 1);
				c.fillStyle = colour;
				c.fillRect(x, y - tall, 1, tall);
				y -= tall;
			}
		}
	}
}

function drawTime(l) {
	const [c, w, h] = begin(l.time), [from, to] = view(l), x = t => LEFT + (t - from) / (to - from) * (w - LEFT);
	const dense = new Map(Object.values(ROWS).map(row => [row, new Density(row)]));
	const bar = (s, row, colour) => {
		const left = Math.max(x(s.at), LEFT), right = Math.min(x(s.at + s.took), w);
		if (right < LEFT || left > w) return;
		if (right - left < 1 && dense.has(row)) { dense.get(row).add(left, Math.max(right, left + 0.01), colour); return; }
		c.fillStyle = colour;
		c.fillRect(left, row[0], Math.max(right - left, 0.75), row[1]);
	};
	const asleep = l.state.asleep ? [{kind: SLEEP, at: l.state.made + l.state.slept / 1e6, took: now - l.state.made - l.state.slept / 1e6}] : [];
	let turns = 0, last = 6, began = 0, ended = 0;
	const turn = () => { if (ended > began) bar({at: began, took: ended - began}, ROWS.turn, turns % 2 ? colours.soft : colours.line); };
	const spans = l.spans.concat(asleep).sort((a, b) => a.at - b.at);
	for (const s of spans) {
		switch (s.kind) {
		case SLEEP:
			bar(s, [ROWS.phase[0] + 7, 4], colours.asleep);
			last = 6;
			break;
		case UNSEEN:
			drawUnseen(c, l, Math.max(x(s.at), LEFT), Math.min(x(s.at + s.took), w), s, h - 16);
			last = 6;
			break;
		case PHASE:
			if (s.phase <= last) { turn(); turns++; began = s.at; }
			last = s.phase;
			ended = s.at + s.took;
			bar(s, ROWS.phase, colours.phases[s.phase]);
			break;
		default:
			bar(s, ROWS.callback, colours.phases[s.phase]);
			if (x(s.at + s.took) - x(s.at) > 2) { c.fillStyle = colours.ground; c.fillRect(x(s.at + s.took) - 0.5, ROWS.callback[0], 0.5, ROWS.callback[1]); }
		}
	}
	turn();
	for (const d of dense.values()) d.draw(c);
	c.fillStyle = colours.soft;
	c.textAlign = "right";
	for (const [name, row] of Object.entries(ROWS)) c.fillText(LABELS[name], LEFT - 6, row[0] + row[1] / 2);
	c.textAlign = "left";
	c.fillText(`${duration((to - from) * 1e6)}`, LEFT + 4, h - 7);
	c.textAlign = "right";
	c.fillText(to > now - 1 ? "now" : `${duration((now - to) * 1e6)} ago`, w - 4, h - 7);
	l.time.setAttribute("aria-label", `Time line of ${l.title.textContent}: ${turns} turns, ${spans.filter(s => s.kind === CALLBACK).length} callbacks`);
	explain(l);
}

const LABELS = {turn: "turns", phase: "phases", callback: "calls"};

// drawUnseen draws a stretch that was not observed: hatched, and in the row of callbacks how busy the loop was by its metrics.
function drawUnseen(c, l, left, right, span, h) {
	hatch(c, left, right, h);
	if (right <= left) return;
	const per = (right - left) / span.took, [top, tall] = ROWS.callback;
	c.fillStyle = colours.heat;
	c.globalAlpha = 0.35;
	for (const s of l.samples) {
		const begins = Math.max(s.t - EVERY, span.at), ends = Math.min(s.t, span.at + span.took);
		if (ends > begins) c.fillRect(right - (span.at + span.took - begins) * per, top + tall * (1 - s.u), (ends - begins) * per, tall * s.u);
	}
	c.globalAlpha = 1;
}

function hatch(c, left, right, h) {
	if (right <= left) return;
	c.save();
	c.beginPath();
	c.rect(left, 0, right - left, h);
	c.clip();
	c.strokeStyle = colours.unseen;
	c.beginPath();
	for (let x = left - h - (left % 7); x < right; x += 7) { c.moveTo(x, h); c.lineTo(x + h, 0); }
	c.stroke();
	c.restore();
}

// explain says what is under the pointer.
function explain(l) {
	if (l.pointer === null) {
		l.hint.textContent = l.spans.length ? "" : "Nothing has been observed yet.";
		return;
	}
	const [from, to] = view(l), per = (to - from) / (l.time.clientWidth - LEFT), t = from + (l.pointer - LEFT) * per;
	const hit = k => l.spans.findLast(s => k(s.kind) && s.at - 2 * per <= t && s.at + s.took + 2 * per >= t);
	const s = hit(k => k === CALLBACK || k === CHECKPOINT) || hit(k => k === PHASE) || hit(() => true);
	if (!s) l.hint.textContent = "";
	else if (s.kind === SLEEP) l.hint.textContent = `sleeps for ${duration(s.took * 1e6)}`;
	else if (s.kind === UNSEEN) l.hint.textContent = `not observed for ${duration(s.took * 1e6)}: the loop is too busy to show all of it`;
	else if (s.kind === PHASE) l.hint.textContent = `phase ${PHASES[s.phase]}, ${duration(s.took * 1e6)}`;
	else l.hint.textContent = `${s.kind === CHECKPOINT ? "microtasks" : brief(s.name) || "callback"}, ${duration(s.took * 1e6)} in ${PHASES[s.phase]}` +
		(s.jobs ? `, with ${s.jobs} ticks and microtasks` : "") + (s.made ? `, submitted at ${brief(s.made)}` : "");
}

// columns calls draw for each sample, with the left edge and the width of its column. The time is that of the time line. If
// that shows less than ten seconds, the columns end where it ends, show ten seconds, and mark its stretch.
function columns(c, l, w, h, draw) {
	const [begins, to] = view(l), from = Math.min(begins, to - SHORT), x = t => LEFT + (t - from) / (to - from) * (w - LEFT);
	for (const s of l.samples) {
		const left = Math.max(x(s.t - EVERY), LEFT), right = Math.min(x(s.t), w);
		if (right > left) draw(s, left, right - left);
	}
	c.globalAlpha = 1;
	c.fillStyle = colours.soft;
	if (from < begins) c.fillRect(Math.min(x(begins), w - 2), 0, Math.max(x(to) - x(begins), 2), 3);
	c.textAlign = "left";
	c.fillText(duration((to - from) * 1e6), LEFT + 2, 9);
}

function without(c, w, h) {
	c.fillStyle = colours.soft;
	c.textAlign = "center";
	c.fillText("known of loops made with eventloop.WithMetrics", w / 2, h / 2);
}

function drawQueue(l) {
	const [c, w, h] = begin(l.queue);
	if (!l.state.metrics) return without(c, w, h);
	let top = 1;
	for (const s of l.samples) top = Math.max(top, QUEUES.reduce((n, [i]) => n + s.q[i], 0));
	columns(c, l, w, h, (s, x, wide) => {
		let y = h - 4;
		for (const [i, , colour] of QUEUES) {
			const tall = s.q[i] / top * (h - 10);
			c.fillStyle = colours.phases[colour];
			if (s.q[i]) c.fillRect(x, y - Math.max(tall, 1), wide + 0.3, Math.max(tall, 1));
			y -= tall;
		}
	});
	c.textAlign = "right";
	c.fillText(count(top), LEFT - 6, 9);
	c.fillText("0", LEFT - 6, h - 8);
	const last = l.samples[l.samples.length - 1];
	l.queue.setAttribute("aria-label", `Queued, at most ${top}` + (last ? "; now " + QUEUES.map(([i, n]) => `${n} ${last.q[i]}`).join(", ") : ""));
}

function drawHeat(canvas, l, key, name, at) {
	const [c, w, h] = begin(canvas);
	if (!l.state.metrics) return without(c, w, h);
	const rows = bounds.length + 1, tall = (h - 4) / rows;
	let most = 1;
	for (const s of l.samples) for (const n of s[key]) most = Math.max(most, n);
	c.fillStyle = colours.heat;
	columns(c, l, w, h, (s, x, wide) => {
		s[key].forEach((n, i) => {
			if (!n) return;
			c.globalAlpha = 0.15 + 0.85 * Math.log1p(n) / Math.log1p(most);
			c.fillRect(x, h - 2 - (i + 1) * tall, wide + 0.3, tall - 0.5);
		});
	});
	c.textAlign = "right";
	for (let i = 0; i < bounds.length; i += 4) c.fillText(duration(bounds[i]), LEFT - 6, h - 2 - (i + 1) * tall);
	const last = l.samples[l.samples.length - 1];
	canvas.setAttribute("aria-label", name + (last ? `; now p50 ${duration(last.p[at])}, p99 ${duration(last.p[at + 1])}, at most ${duration(last.p[at + 2])}` : ""));
}

function drawAll() {
	readColours();
	for (const l of loops.values()) {
		drawTime(l);
		drawQueue(l);
		drawHeat(l.run, l, "r", "Run time", 0);
		drawHeat(l.delay, l, "d", "Delay", 3);
	}
}

let timer = 0, asking = false;
async function poll() {
	clearTimeout(timer);
	if (asking || document.hidden || paused) return; // of a hidden page, nobody looks
	asking = true;
	try {
		const answer = await fetch(`state?since=${since}`, {cache: "no-store", signal: AbortSignal.timeout(10000)});
		if (!answer.ok) throw new Error(`the server says ${answer.status}`);
		const state = await answer.json();
		receive(state);
		$("status").textContent = paused ? "paused" : "live";
		$("status").className = "";
	} catch (e) {
		$("status").textContent = `no connection: ${e.message}`;
		$("status").className = "alarm";
	}
	asking = false;
	timer = setTimeout(poll, EVERY);
}

$("pause").addEventListener("click", () => {
	paused = !paused;
	$("pause").setAttribute("aria-pressed", String(paused));
	$("status").textContent = paused ? "paused" : "live";
	poll();
});
$("span").addEventListener("change", () => { pan = 0; for (const l of loops.values()) l.end = undefined; drawAll(); });
document.addEventListener("visibilitychange", poll);
addEventListener("resize", drawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
poll();
