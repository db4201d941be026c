// Package loopsim runs a program of several hosts in one goroutine, under a seed: their loops, the network between them, their disks and
// clocks, and what goes wrong. One virtual clock drives all loops, so a day takes seconds. The same seed gives the same run.
//
//	func TestTheCounterLosesNothing(t *testing.T) {
//		loopsim.Run(t, loopsim.Config{Faults: loopsim.Faults{Kinds: loopsim.AllFaults()}}, func(w *loopsim.World) {
//			w.Host("server", serve)
//			w.Host("client", func(h *loopsim.Host) {
//				h.Dial(ctx, "server:80") // a promise of a loopnet.Conn
//			})
//			w.Eventually(time.Minute, "the client has an answer", func() error { ... })
//		})
//	}
//
// # Hosts
//
// A host is a function that is called on a loop of its own, when the world begins and after each restart. It gets a [Host]: a loop, a
// [Network] with connections of package loopnet, a [Disk], a clock and random numbers. The program uses promises, coroutines and timers
// as always. Functions of promise.Promisify run at a time that the seed decides, and may block in the calls of this package:
// [Network.DialContext], the methods of its connections, [Disk], [Host.Spend].
//
// # Faults
//
// [Faults] says what may go wrong: see [FaultKind]. Each seed draws kinds, faults, times and hosts. [World.Inject] has a fault begin
// where the test says. When [Config.Duration] has passed, all faults end, and the program has time to recover.
//
// # Properties
//
// [World.Always], [World.Eventually] and [World.Finally] say what must hold, and [World.Linearizable] checks what clients have seen. A panic
// in a callback, a rejection that nobody handles, and a loop that ends with an error fail the world too. Resources that a host has left
// alive after [Host.OnStop] do too.
//
// # Outside the simulation
//
// The order of a map, a select, goroutines of the program, the machine's clock, and random numbers of other sources are the program's own. Run
// notices a goroutine that wakes a sleeping loop, and some seeds are run twice to compare the traces. Contexts may be cancelled by callbacks;
// contexts with a deadline of the machine's clock must not be used: use promise.WithTimeout. The server and the transport of net/http
// have goroutines of their own. Use [Host.ServeHTTP], and a [Network] as the Transport of an http.Client. Close connections instead of
// calling loopnet.Listener.Shutdown, which goes by the machine's clock, as the graceful end of a loop with connections does.
package loopsim
