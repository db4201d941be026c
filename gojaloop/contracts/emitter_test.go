package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestManyListenersThatAreCalledOnceAreEachFoundAtOnce(t *testing.T) {
	expect(t, `
		const emitter = new (require('events'))().setMaxListeners(0);
		let called = 0, looks = 0;
		for (let i = 0; i < 1000; i++) emitter.once('a', () => { called++; });
		for (const wrapper of emitter.rawListeners('a')) {
			const fn = wrapper.listener;
			Object.defineProperty(wrapper, 'listener', { get() { looks++; return fn; } });
		}
		emitter.emit('a');
		console.log(called, looks < 5000, emitter.listenerCount('a'));`,
		"1000 true 0\n", gojaloop.WithModules(nil))
}
