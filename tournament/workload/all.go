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

// All returns every category.
func All() []Workload { return Published() }
