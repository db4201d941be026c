// The chat server in Node: members of one room talk to each other, until a SIGTERM. The first line of a member is its name.
const net = require("node:net");
const readline = require("node:readline");
const backlog = 64 * 1024; // bytes that wait for a member; who has more is disconnected
const members = new Map();

function say(from, text) {
	for (const [name, conn] of members) {
		if (name === from) continue;
		conn.write(text + "\n");
		if (conn.writableLength > backlog) conn.destroy();
	}
}

const server = net.createServer(async (conn) => {
	conn.on("error", () => {});
	let name;
	for await (const line of readline.createInterface({ input: conn })) {
		if (name !== undefined) {
			say(name, `${name}: ${line}`);
		} else if (members.has(line)) {
			conn.write("this name is taken\n");
			conn.destroySoon();
			return;
		} else {
			name = line;
			members.set(name, conn);
			conn.write("welcome\n");
			say(name, `${name} joins`);
		}
	}
	members.delete(name);
	say(name, `${name} leaves`);
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(server.address().port));
process.on("SIGTERM", () => {
	server.close();
	for (const conn of members.values()) {
		conn.write("goodbye\n");
		conn.destroySoon();
	}
});
