package check

// Suites returns every suite, in the order of the matrix: the published ones, then those for the requirements of
// package contestant.
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
		SubmissionOrder,
		ContextEnd,
		ShutdownRefusal,
		ShutdownGivesUp,
		ShutdownBeforeRun,
		TimerCancel,
		PriorityOrder,
		DescriptorReadiness,
	}
}
