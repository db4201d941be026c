// Node's module os. A script learns the kind of the machine, and nothing that tells one from another.
const { process } = load('process');
const fixed = (value) => Object.assign(() => value, { [Symbol.toPrimitive]: () => value });
const signals = { __proto__: null, SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGIOT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGCHLD: 17, SIGCONT: 18, SIGSTOP: 19, SIGTSTP: 20, SIGTTIN: 21, SIGTTOU: 22, SIGURG: 23, SIGXCPU: 24, SIGXFSZ: 25, SIGVTALRM: 26, SIGPROF: 27, SIGWINCH: 28, SIGIO: 29, SIGPWR: 30, SIGSYS: 31 };
const errno = { __proto__: null, EACCES: 13, EADDRINUSE: 98, EAGAIN: 11, EBADF: 9, ECONNREFUSED: 111, ECONNRESET: 104, EEXIST: 17, EINVAL: 22, EIO: 5, EISDIR: 21, EMFILE: 24, ENOENT: 2, ENOMEM: 12, ENOTDIR: 20, ENOTEMPTY: 39, EPERM: 1, EPIPE: 32, ETIMEDOUT: 110 };
const windows = process.platform === 'win32';
return {
  arch: fixed(process.arch), platform: fixed(process.platform), type: fixed(windows ? 'Windows_NT' : process.platform === 'darwin' ? 'Darwin' : 'Linux'),
  release: fixed('0.0.0'), version: fixed(''), machine: fixed(process.arch === 'x64' ? 'x86_64' : process.arch), hostname: fixed('localhost'), endianness: fixed('LE'),
  homedir: fixed(process.env.HOME || '/'), tmpdir: fixed('/tmp'), uptime: () => process.uptime(), loadavg: () => [0, 0, 0], totalmem: fixed(1073741824), freemem: fixed(536870912),
  cpus: () => [{ model: 'unknown', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }], availableParallelism: fixed(1), networkInterfaces: () => ({}),
  userInfo: () => ({ uid: -1, gid: -1, username: 'user', homedir: '/', shell: null }), getPriority: () => 0, setPriority() {},
  EOL: windows ? '\r\n' : '\n', devNull: windows ? '\\\\.\\nul' : '/dev/null', constants: { UV_UDP_REUSEADDR: 4, dlopen: {}, errno, signals, priority: { PRIORITY_LOW: 19, PRIORITY_BELOW_NORMAL: 10, PRIORITY_NORMAL: 0, PRIORITY_ABOVE_NORMAL: -7, PRIORITY_HIGH: -14, PRIORITY_HIGHEST: -20 } },
};
