// DOMException (Web IDL 4.3).
const names = ['IndexSizeError', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', 'NoModificationAllowedError', 'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError', 'SyntaxError', 'InvalidModificationError', 'NamespaceError', 'InvalidAccessError', 'TypeMismatchError', 'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError', 'QuotaExceededError', 'TimeoutError', 'InvalidNodeTypeError', 'DataCloneError', 'EncodingError', 'NotReadableError', 'UnknownError', 'ConstraintError', 'DataError', 'OperationError', 'Nonsense', ''];
for (const n of names) { const e = new DOMException('m', n); console.log(e.name, e.code, e.message, String(e)); }
const e = new DOMException(); console.log([e.name, e.message, e.code], e instanceof Error, e instanceof DOMException, String(e), Object.prototype.toString.call(e));
console.log(Object.getPrototypeOf(DOMException.prototype) === Error.prototype, 'stack' in e, typeof e.stack);
for (const args of [[undefined, undefined], [null, null], [1, 2], ['m', undefined], ['m', { name: 'N', cause: 'c' }]]) { const x = new DOMException(...args); console.log(x.name, x.message, x.code, x.cause, 'cause' in x); }
console.log(e.stack.split('\n')[0], new DOMException('a', 'b').stack.split('\n')[0]);
for (const k of Object.keys(DOMException)) console.log(k, DOMException[k], DOMException.prototype[k]);
try { e.name = 'x'; console.log(e.name); } catch (x) { console.log(x.name); }
for (const k of ['name', 'message', 'code']) { try { console.log(Object.getOwnPropertyDescriptor(DOMException.prototype, k).get.call({})); } catch (x) { console.log(k, x.name); } }
