"use strict";
// describe, it and hooks as the suite uses them of mocha 2: tests run one after the other, each from a task of its
// own; one that takes a callback has 200 ms to call it, once.
var LIMIT = 200;
var root = { name: "", parent: null, before: [], after: [], children: [] };
var current = root;

function hooksOf(group, kind) {
    return group ? (kind === "before" ? hooksOf(group.parent, kind).concat(group.before)
                                      : group.after.concat(hooksOf(group.parent, kind))) : [];
}

function nameOf(group) {
    return group.parent ? (nameOf(group.parent) + " " + group.name).trim() : "";
}

global.describe = function (name, body) {
    var group = { name: name, parent: current, before: [], after: [], children: [] };
    current.children.push(group);
    current = group;
    try { body(); } finally { current = group.parent; }
};
global.it = global.specify = function (name, fn) {
    current.children.push({ test: fn, name: name, parent: current });
};
global.beforeEach = function (fn) { current.before.push(fn); };
global.afterEach = function (fn) { current.after.push(fn); };

function flatten(group, into) {
    group.children.forEach(function (c) { c.test ? into.push(c) : flatten(c, into); });
    return into;
}

// call runs one function, a test or a hook, and tells next how it ended.
function call(fn, next) {
    var over = false;
    var timer;
    function end(err, failed) {
        if (over) return;
        over = true;
        clearTimeout(timer);
        setTimeout(function () { next(failed ? { reason: err } : null); }, 0);
    }
    if (fn.length > 0) {
        timer = setTimeout(function () { end(new Error("no result after " + LIMIT + " ms"), true); }, LIMIT);
    }
    global.failCurrent = function (err) { end(err, true); };
    try {
        fn(function (err) { end(err, err !== undefined && err !== null); });
    } catch (err) {
        end(err, true);
        return;
    }
    if (fn.length === 0) end();
}

// run runs every test; report is called with the name and, if it failed, the reason.
module.exports = function run(report, finished) {
    var tests = flatten(root, []);
    var n = 0;
    (function nextTest() {
        if (n === tests.length) { finished(); return; }
        var t = tests[n++];
        var steps = hooksOf(t.parent, "before").concat([t.test], hooksOf(t.parent, "after"));
        var failure = null;
        (function nextStep() {
            if (steps.length === 0) {
                report(nameOf(t.parent) + " " + t.name, failure ? String(failure.reason && failure.reason.stack || failure.reason) : "");
                nextTest();
                return;
            }
            call(steps.shift(), function (f) { failure = failure || f; nextStep(); });
        })();
    })();
};
