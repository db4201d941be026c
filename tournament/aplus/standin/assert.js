"use strict";
// What the suite uses of Node's module of this name.
module.exports = function assert(value, message) {
    if (!value) throw new Error(message || "assertion failed: " + value);
};
module.exports.strictEqual = function (actual, expected, message) {
    if (!Object.is(actual, expected)) throw new Error(message || String(actual) + " is not " + String(expected));
};
module.exports.notStrictEqual = function (actual, other, message) {
    if (Object.is(actual, other)) throw new Error(message || "unexpected " + String(actual));
};
