// Node's module module: each file gets a module and a require of its own (Modules: CommonJS modules; node:module API).
const { check, coded } = load('nodeerrors');
const { dirname } = load('path');
const { resolveModule, readModule, compileModule, builtinModule, builtinNames, modulePaths } = native;

const parents = new WeakMap();
let main;
function Module(id = '', parent) {
  this.id = id;
  this.path = dirname(id);
  Object.defineProperty(this, 'exports', { __proto__: null, value: {}, writable: true, enumerable: true, configurable: true });
  parents.set(this, parent);
  adopt(parent, this);
  this.filename = null;
  this.loaded = false;
  this.children = [];
}
function adopt(parent, child) {
  const children = parent && parent.children;
  if (children && !children.includes(child)) children.push(child);
}
Object.defineProperty(Module.prototype, 'parent', {
  __proto__: null, configurable: true, enumerable: false,
  get() { return parents.get(this); },
  set(value) { parents.set(this, value); },
});
Object.defineProperty(Module.prototype, 'isPreloading', { __proto__: null, configurable: true, enumerable: false, get: () => false });

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = {
  __proto__: null,
  '.js'(module, filename) { module._compile(readModule(filename), filename); },
  '.json'(module, filename) {
    const text = readModule(filename);
    try { module.exports = JSON.parse(text); } catch (e) { e.message = `${filename}: ${e.message}`; throw e; }
  },
  '.node'(module, filename) { throw coded(Error, 'ERR_DLOPEN_FAILED', `Cannot load ${filename}: there are no native addons here`); },
};
Module.globalPaths = [];
Module.builtinModules = builtinNames();
Module.Module = Module;

function extensionOf(filename) {
  const base = filename.slice(filename.lastIndexOf('/') + 1);
  for (let at = base.indexOf('.', 1); at >= 0; at = base.indexOf('.', at + 1)) {
    const extension = base.slice(at);
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

Module._nodeModulePaths = (from) => modulePaths(`${from}`);
Module._resolveLookupPaths = (request, parent) => (/^\.\.?(\/|$)/.test(request) ? [parent && parent.filename ? dirname(parent.filename) : '.'] : modulePaths(parent && parent.filename ? dirname(parent.filename) : '.'));
Module._resolveFilename = function (request, parent, isMain, options) {
  const from = parent && parent.filename ? parent.filename : '[none]';
  if (options && options.paths !== undefined) {
    if (!Array.isArray(options.paths)) throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The property 'options.paths' is invalid. Received ${native.inspectShort(options.paths)}`);
    let failure;
    for (const path of options.paths) {
      try { return unprefixed(request, resolveModule(request, `${path}/noop.js`, false)); } catch (e) { failure ??= e; }
    }
    if (failure) throw failure;
  }
  try {
    return unprefixed(request, resolveModule(request, from, false));
  } catch (e) {
    if (e !== null && typeof e === 'object' && e.code === 'MODULE_NOT_FOUND' && !e.requireStack) requireStack(e, parent);
    throw e;
  }
};
const unprefixed = (request, found) => (found.startsWith('node:') && !`${request}`.startsWith('node:') ? found.slice(5) : found);
function requireStack(e, parent) {
  const stack = [];
  for (let p = parent; p && stack.length < 100; p = parents.get(p)) stack.push(p.filename || p.id);
  if (stack.length) e.message += `\nRequire stack:\n- ${stack.join('\n- ')}`;
  e.requireStack = stack;
}

const builtins = new Set(Module.builtinModules);
Module._load = function (request, parent, isMain) {
  const filename = Module._resolveFilename(request, parent, isMain);
  if (filename.startsWith('node:')) return builtinModule(filename.slice(5));
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    adopt(parent, cached);
    return cached.exports;
  }
  if (builtins.has(filename)) return builtinModule(filename);
  if (filename === 'empty:') return {}; // see browser in package.json
  const module = new Module(filename, parent);
  if (isMain) {
    main = module;
    module.id = '.';
  }
  Module._cache[filename] = module;
  let loaded = false;
  try {
    module.load(filename);
    loaded = true;
  } finally {
    if (!loaded) {
      delete Module._cache[filename];
      const children = parent && parent.children, at = children ? children.indexOf(module) : -1;
      if (at >= 0) children.splice(at, 1);
    }
  }
  return module.exports;
};
Module.prototype.load = function (filename) {
  this.filename = filename;
  this.paths = modulePaths(dirname(filename));
  Module._extensions[extensionOf(filename)](this, filename);
  this.loaded = true;
};
Module.prototype.require = function (id) {
  check.string(id, 'id');
  if (id === '') throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', "The argument 'id' must be a non-empty string. Received ''");
  return Module._load(id, this, false);
};
const fromES = new WeakSet(); // modules that were written as ES modules
Module.prototype._compile = function (content, filename) {
  const fn = compileModule(`${filename}`, `${content}`);
  return Reflect.apply(fn, this.exports, [this.exports, makeRequire(this), this, filename, dirname(filename)]);
};
function makeRequire(module) {
  function require(path) { return module.require(path); }
  function resolve(request, options) {
    check.string(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  }
  resolve.paths = function paths(request) {
    check.string(request, 'request');
    return builtins.has(request) || request.startsWith('node:') ? null : Module._resolveLookupPaths(request, module);
  };
  require.resolve = resolve;
  require.main = main;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  // What an embedder's transform makes of an ES module imports by these. See WithTransform.
  Object.defineProperty(require, 'import', { __proto__: null, value: (specifier) => { fromES.add(module); return importFrom(module, specifier); } });
  Object.defineProperty(require, 'meta', { __proto__: null, get() { fromES.add(module); return metaOf(module); } });
  return require;
}
// importFrom finds a module as import does, and gives its namespace.
function importFrom(module, specifier) {
  const path = `${specifier}`.startsWith('file:') ? load('urlmodule').fileURLToPath(`${specifier}`) : `${specifier}`;
  const found = resolveModule(path, module.filename, true);
  const exports = Module._load(found, module, false), loaded = Module._cache[found];
  return loaded && fromES.has(loaded) ? exports : namespaceOf(exports);
}
const namespaces = new WeakMap();
function namespaceOf(exports) {
  const isObject = exports !== null && (typeof exports === 'object' || typeof exports === 'function');
  if (isObject && namespaces.has(exports)) return namespaces.get(exports);
  const namespace = Object.defineProperty({}, '__esModule', { __proto__: null, value: true });
  Object.defineProperty(namespace, 'default', { __proto__: null, enumerable: true, value: exports });
  if (isObject) {
    for (const name of Object.keys(exports)) {
      if (name !== 'default' && name !== '__esModule') Object.defineProperty(namespace, name, { __proto__: null, enumerable: true, get: () => exports[name] });
    }
    namespaces.set(exports, namespace);
  }
  return namespace;
}
const fileURL = (path) => load('urlmodule').pathToFileURL(path).href;
function metaOf(module) {
  const filename = module.filename;
  return {
    __proto__: null, dirname: dirname(filename), filename, url: fileURL(filename), main: module === main,
    resolve(specifier) {
      const found = resolveModule(`${specifier}`, filename, true);
      return found.startsWith('node:') ? found : fileURL(found);
    },
  };
}
function moduleFor(filename) {
  const module = new Module(filename);
  module.filename = filename;
  module.paths = modulePaths(dirname(filename));
  return module;
}
Module.createRequire = function createRequire(filename) {
  let path = filename;
  if (typeof filename === 'object' && filename !== null && typeof filename.href === 'string' || typeof filename === 'string' && filename.startsWith('file:')) {
    path = load('urlmodule').fileURLToPath(filename);
  } else if (typeof filename !== 'string' || !/^(\/|[A-Za-z]:[\\/])/.test(filename)) {
    throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received ${native.inspectShort(filename)}`);
  }
  return makeRequire(moduleFor(path.endsWith('/') ? `${path}noop.js` : path));
};
Module.isBuiltin = (name) => builtins.has(name) || (typeof name === 'string' && name.startsWith('node:') && builtins.has(name.slice(5)));
const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
Module.wrap = (script) => wrapper[0] + script + wrapper[1];
Module.wrapper = wrapper;
Module.findSourceMap = () => undefined;
Module.syncBuiltinESMExports = () => {};
Module.register = () => { throw coded(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'module.register is not available here: the embedder decides how modules are loaded'); };
Module._initPaths = () => {};
Module.runMain = () => {};

// requireFrom is the global require, of a script that is no module.
const scripts = new Map();
function requireFrom(filename) {
  if (!scripts.has(filename)) scripts.set(filename, makeRequire(moduleFor(filename)));
  return scripts.get(filename);
}
const runMain = (filename) => Module._load(filename, null, true);
return { Module, requireFrom, runMain, globals: { resolve: (...args) => requireFrom('[none]').resolve(...args), cache: Module._cache, extensions: Module._extensions } };
