// The HTTP pipeline in Node: node pipeline.js LIST PARALLEL LIMIT
const { setTimeout: sleep } = require("node:timers/promises");

async function get(url, limit, signal) {
	const res = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]) });
	if (!res.ok) throw new Error(`${res.status} ${res.statusText}`);
	return res.text();
}

async function getAgain(url, limit, signal) {
	for (let attempt = 1, delay = 1000; ; attempt++, delay *= 2) {
		try {
			return await get(url, limit, signal);
		} catch (err) {
			if (attempt === 3) throw err;
		}
		await sleep(delay, undefined, { signal });
	}
}

async function words(list, parallel, limit) {
	const failed = new AbortController();
	const addresses = (await getAgain(list, limit, failed.signal)).split(/\s+/).filter(Boolean);
	const counts = [];
	let next = 0;
	async function work() {
		while (next < addresses.length) {
			const i = next++;
			const page = await getAgain(addresses[i], limit, failed.signal);
			counts[i] = page.split(/\s+/).filter(Boolean).length;
		}
	}
	try {
		await Promise.all(Array.from({ length: parallel }, work));
	} finally {
		failed.abort();
	}
	return counts;
}

words(process.argv[2], Number(process.argv[3]), Number(process.argv[4])).then((counts) => console.log(JSON.stringify(counts)));
