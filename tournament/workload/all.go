package workload

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

// Twins returns the corrected twins, in the order of what they correct.
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

// All returns every category.
func All() []Workload { return append(Published(), Twins()...) }
