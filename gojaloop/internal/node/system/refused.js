// Modules of Node's that are here so that programs load, and whose functions refuse, with the reason.
const { coded } = load('nodeerrors');
const { EventEmitter } = load('eventsmodule');
function refusing(module, reason, names, rest = {}) {
  const all = { ...rest };
  for (const name of names) all[name] = { [name]: function () { throw coded(Error, 'ERR_ACCESS_DENIED', `${module}.${name} is not available here: ${reason}`); } }[name];
  return all;
}
const childProcess = refusing('child_process', 'a script starts no processes', ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork', 'ChildProcess']);
const workers = refusing('worker_threads', 'a runtime runs scripts on one loop; the embedder makes others with a pool', ['Worker', 'receiveMessageOnPort', 'moveMessagePortToContext', 'markAsUntransferable', 'getEnvironmentData', 'setEnvironmentData'], {
  isMainThread: true, parentPort: null, workerData: null, threadId: 0, resourceLimits: {}, SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
});
const vm = refusing('vm', 'a script has one global object; the embedder makes another runtime', ['Script', 'createContext', 'runInContext', 'runInNewContext', 'runInThisContext', 'compileFunction', 'measureMemory', 'SourceTextModule', 'SyntheticModule'], { isContext: () => false, constants: {} });
const cluster = Object.assign(new EventEmitter(), refusing('cluster', 'a script starts no processes', ['fork', 'disconnect', 'setupPrimary', 'setupMaster'], { isMaster: true, isPrimary: true, isWorker: false, workers: {}, settings: {}, SCHED_NONE: 1, SCHED_RR: 2 }));
const socket = 'a script opens no sockets; it reaches the network with fetch and http, if the embedder allows that';
function Socket() { throw coded(Error, 'ERR_ACCESS_DENIED', `net.Socket is not available here: ${socket}`); }
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
const isIPv4 = (s) => /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(s) && !/(^|\.)0\d/.test(s);
const isIPv6 = (s) => { if (typeof s !== 'string' || !s.includes(':')) return false; try { new (load('url').URL)(`http://[${s.replace(/%.*$/, '')}]/`); return true; } catch { return false; } };
const net = refusing('net', socket, ['connect', 'createConnection', 'createServer', 'Server'], { Socket, Stream: Socket, isIP: (s) => (isIPv4(s) ? 4 : isIPv6(s) ? 6 : 0), isIPv4, isIPv6, getDefaultAutoSelectFamily: () => true, setDefaultAutoSelectFamily() {} });
const tls = refusing('tls', socket, ['connect', 'createServer', 'createSecureContext', 'Server', 'TLSSocket', 'SecureContext'], { DEFAULT_MIN_VERSION: 'TLSv1.2', DEFAULT_MAX_VERSION: 'TLSv1.3', rootCertificates: [], getCiphers: () => [], checkServerIdentity() {} });
const names = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCname', 'resolveMx', 'resolveNs', 'resolveSrv', 'resolveTxt', 'reverse', 'Resolver', 'lookupService', 'setServers'];
const dns = refusing('dns', 'a script asks for no addresses', names, { getServers: () => [], promises: refusing('dns.promises', 'a script asks for no addresses', names), ADDRCONFIG: 1024, V4MAPPED: 2048, ALL: 256 });
const dgram = refusing('dgram', socket, ['createSocket', 'Socket']);
const http2 = refusing('http2', socket, ['connect', 'createServer', 'createSecureServer', 'Http2ServerRequest', 'Http2ServerResponse'], { constants: { HTTP2_HEADER_STATUS: ':status', HTTP2_HEADER_METHOD: ':method', HTTP2_HEADER_PATH: ':path', HTTP2_HEADER_SCHEME: ':scheme', HTTP2_HEADER_AUTHORITY: ':authority' }, sensitiveHeaders: Symbol('nodejs.http2.sensitiveHeaders') });
const v8 = refusing('v8', 'the engine is another', ['serialize', 'deserialize', 'getHeapSnapshot', 'writeHeapSnapshot', 'takeCoverage'], { setFlagsFromString() {}, cachedDataVersionTag: () => 0, getHeapStatistics: () => ({ total_heap_size: 0, used_heap_size: 0, heap_size_limit: 0 }), startupSnapshot: { isBuildingSnapshot: () => false } });
const inspector = refusing('inspector', 'the engine has no inspector', ['open', 'Session', 'waitForDebugger'], { url: () => undefined, close() {}, console: {} });
return { childProcess, workers, vm, cluster, net, tls, dns, dgram, http2, v8, inspector };
