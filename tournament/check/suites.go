package check

// Suites returns every suite, in the order of the matrix.
func Suites() []Suite {
	return []Suite{
		GCPressure,
		MemoryLeak,
		MultiProducerStress,
		ConcurrentStop,
		ConcurrentStopWithSubmits,
		ConcurrentStopRepeated,
		GojaImmediateBurst,
		GojaMixedWorkload,
		GojaNestedTimeouts,
		GojaPromiseChain,
		GojaTimerStress,
		PanicIsolation,
		PanicIsolationMultiple,
		PanicIsolationInternal,
		ShutdownConservation,
		ShutdownConservationStress,
		ShutdownConservationLong,
		RaceWakeup,
		RaceWakeupAggressive,
	}
}
