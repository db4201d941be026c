package gojaloop

import "github.com/dop251/goja"

// setUpGuards puts guards in the place of globals that can overflow Go's stack. The engine makes its own when they are
// first read, which takes a while. It cannot be put off until a script asks for them: the only way to the engine's own is
// the property that ours takes.
func (rt *Runtime) setUpGuards() {
	global := rt.vm.GlobalObject()
	guard := func(name string, guarded func(original *goja.Object) goja.Value) {
		original := global.Get(name).(*goja.Object)
		rt.lazy(name, goja.FLAG_FALSE, func() goja.Value { return guarded(original) })
		_ = global.Delete(name) // so that it is looked for among the globals that are not made yet
	}
	guard("JSON", rt.guardedJSON)
	guard("Proxy", rt.guardedProxy)
}
