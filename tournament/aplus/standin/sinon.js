"use strict";
// What the suite uses of the package of this name.
var calls = 0;

function spy(fn) {
    function proxy() {
        proxy.calls.push({ order: ++calls, args: Array.prototype.slice.call(arguments) });
        return fn ? fn.apply(this, arguments) : undefined;
    }
    proxy.calls = [];
    return proxy;
}

exports.spy = spy;

exports.stub = function () {
    var behaviour;
    var proxy = spy(function () { return behaviour ? behaviour() : undefined; });
    proxy.returns = function (value) { behaviour = function () { return value; }; return proxy; };
    proxy.throws = function (value) { behaviour = function () { throw value; }; return proxy; };
    return proxy;
};

exports.match = {
    same: function (value) { return { matches: function (actual) { return Object.is(actual, value); } }; }
};

exports.assert = {
    notCalled: function (s) {
        if (s.calls.length > 0) throw new Error("called " + s.calls.length + " times, want none");
    },
    calledWith: function (s, matcher) {
        if (!s.calls.some(function (c) { return c.args.length > 0 && matcher.matches(c.args[0]); })) {
            throw new Error("not called with the expected argument, in " + s.calls.length + " calls");
        }
    },
    callOrder: function () {
        var last = 0;
        for (var i = 0; i < arguments.length; i++) {
            var next = arguments[i].calls.map(function (c) { return c.order; })
                .filter(function (order) { return order > last; })[0];
            if (next === undefined) throw new Error("spy " + (i + 1) + " was not called in its turn");
            last = next;
        }
    }
};
