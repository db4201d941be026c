package workload

import "slices"

// Published returns the 14 published categories, in the published order.
func Published() []Workload {
	return []Workload{
		PingPong,
		PingPongLatency,
		MultiProducer,
		MultiProducerContention,
		GCPressure,
		GCPressureAllocations,
		BurstSubmit,
		WakeupRunning,
		WakeupSleeping,
		WakeupBurst,
		WakeupRapidSubmit,
		BatchBudgetThroughput,
		BatchBudgetLatency,
		BatchBudgetContinuous,
	}
}

// Twins returns the corrected versions, in the order of their originals.
func Twins() []Workload {
	return []Workload{
		MultiProducerContentionExecuted,
		BurstSubmitExact,
		WakeupAsleep,
		WakeupBurstFromAsleep,
		WakeupRapidSubmitExecuted,
		BatchBudgetThroughputWithoutSleep,
		BatchBudgetContinuousExact,
	}
}

// Sweeps returns the published categories that vary one number, which are not among the 14.
func Sweeps() []Workload {
	return append(append(CASContention(), BudgetSweep()...), BatchBudgetMixed)
}

// SweepTwins returns the corrected versions of the sweeps.
func SweepTwins() []Workload {
	return append(append(CASContentionExecuted(), BudgetSweepTwins()...), BatchBudgetMixedExact)
}

// All returns every category: the published ones, their corrected versions, and those of a busy machine and of
// descriptors.
func All() []Workload {
	return slices.Concat(Published(), Sweeps(), Twins(), SweepTwins(), Busy(), Descriptors())
}
