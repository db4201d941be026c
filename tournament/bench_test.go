package tournament_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

func BenchmarkPingPong(b *testing.B)                   { bench(b, "", workload.PingPong) }
func BenchmarkPingPongLatency(b *testing.B)            { bench(b, "", workload.PingPongLatency) }
func BenchmarkMultiProducer(b *testing.B)              { bench(b, "", workload.MultiProducer) }
func BenchmarkMultiProducerContention(b *testing.B)    { bench(b, "", workload.MultiProducerContention) }
func BenchmarkGCPressure(b *testing.B)                 { bench(b, "", workload.GCPressure) }
func BenchmarkGCPressure_Allocations(b *testing.B)     { bench(b, "", workload.GCPressureAllocations) }
func BenchmarkBurstSubmit(b *testing.B)                { bench(b, "", workload.BurstSubmit) }
func BenchmarkMicroWakeupSyscall_Running(b *testing.B) { bench(b, "", workload.WakeupRunning) }
func BenchmarkMicroWakeupSyscall_Sleeping(b *testing.B) {
	bench(b, "", workload.WakeupSleeping)
}
func BenchmarkMicroWakeupSyscall_Burst(b *testing.B) { bench(b, "", workload.WakeupBurst) }
func BenchmarkMicroWakeupSyscall_RapidSubmit(b *testing.B) {
	bench(b, "", workload.WakeupRapidSubmit)
}
func BenchmarkMicroBatchBudget_Throughput(b *testing.B) {
	bench(b, "Burst=1024", workload.BatchBudgetThroughput)
}
func BenchmarkMicroBatchBudget_Latency(b *testing.B) {
	bench(b, "Burst=1024", workload.BatchBudgetLatency)
}
func BenchmarkMicroBatchBudget_Continuous(b *testing.B) {
	bench(b, "", workload.BatchBudgetContinuous)
}

func BenchmarkMultiProducerContention_Executed(b *testing.B) {
	bench(b, "", workload.MultiProducerContentionExecuted)
}
func BenchmarkBurstSubmit_Exact(b *testing.B)         { bench(b, "", workload.BurstSubmitExact) }
func BenchmarkMicroWakeupSyscall_Asleep(b *testing.B) { bench(b, "", workload.WakeupAsleep) }
func BenchmarkMicroWakeupSyscall_BurstFromAsleep(b *testing.B) {
	bench(b, "", workload.WakeupBurstFromAsleep)
}
func BenchmarkMicroWakeupSyscall_RapidSubmitExecuted(b *testing.B) {
	bench(b, "", workload.WakeupRapidSubmitExecuted)
}
func BenchmarkMicroBatchBudget_ThroughputWithoutSleep(b *testing.B) {
	bench(b, "Burst=1024", workload.BatchBudgetThroughputWithoutSleep)
}
func BenchmarkMicroBatchBudget_ContinuousExact(b *testing.B) {
	bench(b, "", workload.BatchBudgetContinuousExact)
}

// bench runs one workload on every contestant, below the case if the published name has one.
func bench(b *testing.B, name string, w workload.Workload) {
	each := func(b *testing.B) {
		for _, c := range contestants.All() {
			b.Run(c.Name, func(b *testing.B) { w.Bench(b, c) })
		}
	}
	if name == "" {
		each(b)
		return
	}
	b.Run(name, each)
}
