// What scripts of a sandbox call to reach Go, and Go to reach scripts. A script may break it: only its own sandbox suffers.
(function (names, most, request, succeed, fail) {
	'use strict';
	const { parse, stringify } = JSON;
	const pending = new Map();
	let last = 0;

	const text = (value) => { try { return String(value); } catch { return 'an exception that cannot be shown'; } };
	const failed = (id, e) => {
		if (e instanceof Error) fail(id, text(e.name), text(e.message), text(e.stack));
		else fail(id, '', text(e), '');
	};
	const late = async (id, value, dropped) => {
		let json;
		try {
			value = await value;
			if (!dropped) json = stringify(value);
		} catch (e) { return failed(id, e); }
		succeed(id, json);
	};
	// What is no promise is not awaited: that costs as much as the rest of a call.
	const settle = (id, value, dropped) => {
		let json;
		try {
			if (value !== null && typeof value === 'object' && typeof value.then === 'function') return void late(id, value, dropped);
			if (!dropped) json = stringify(value);
		} catch (e) { return failed(id, e); }
		succeed(id, json);
	};
	const find = (path) => {
		let owner = globalThis, value = globalThis[path];
		if (value === undefined && path.includes('.')) {
			const names = path.split('.');
			value = globalThis;
			for (let i = 0; i < names.length && value != null; i++) {
				owner = value;
				value = value[names[i]];
			}
		}
		// What let, const and class declare is no property of the global object.
		if (value === undefined) try { value = (0, eval)(path); } catch { /* there is nothing of that name */ }
		if (typeof value !== 'function') throw new TypeError(`${path} is not a function`);
		return [owner, value];
	};

	for (const name of names) {
		const value = (...args) => new Promise((resolve, reject) => {
			if (pending.size >= most) throw new RangeError(`at most ${most} calls of ${name} and its like can be under way`);
			pending.set(++last, { resolve, reject });
			request(last, name, stringify(args));
		});
		Object.defineProperty(value, 'name', { value: name });
		Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
	}

	return {
		fail: failed,
		settle,
		call(id, path, args) {
			let value;
			try {
				const [owner, f] = find(path);
				value = f.apply(owner === globalThis ? undefined : owner, parse(args));
			} catch (e) { return failed(id, e); }
			settle(id, value);
		},
		reply(id, json, error, value) {
			const { resolve, reject } = pending.get(id);
			pending.delete(id);
			if (error !== undefined) reject(new Error(error));
			else resolve(json === undefined ? value : parse(json));
		},
	};
})
