package tournament_test

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

func BenchmarkPingPong(b *testing.B)                    { bench(b, "PingPong") }
func BenchmarkPingPongLatency(b *testing.B)             { bench(b, "PingPongLatency") }
func BenchmarkMultiProducer(b *testing.B)               { bench(b, "MultiProducer") }
func BenchmarkMultiProducerContention(b *testing.B)     { bench(b, "MultiProducerContention") }
func BenchmarkGCPressure(b *testing.B)                  { bench(b, "GCPressure") }
func BenchmarkGCPressure_Allocations(b *testing.B)      { bench(b, "GCPressure_Allocations") }
func BenchmarkBurstSubmit(b *testing.B)                 { bench(b, "BurstSubmit") }
func BenchmarkMicroWakeupSyscall_Running(b *testing.B)  { bench(b, "MicroWakeupSyscall_Running") }
func BenchmarkMicroWakeupSyscall_Sleeping(b *testing.B) { bench(b, "MicroWakeupSyscall_Sleeping") }
func BenchmarkMicroWakeupSyscall_Burst(b *testing.B)    { bench(b, "MicroWakeupSyscall_Burst") }
func BenchmarkMicroWakeupSyscall_RapidSubmit(b *testing.B) {
	bench(b, "MicroWakeupSyscall_RapidSubmit")
}
func BenchmarkMicroBatchBudget_Throughput(b *testing.B) { bench(b, "MicroBatchBudget_Throughput") }
func BenchmarkMicroBatchBudget_Latency(b *testing.B)    { bench(b, "MicroBatchBudget_Latency") }
func BenchmarkMicroBatchBudget_Continuous(b *testing.B) { bench(b, "MicroBatchBudget_Continuous") }
func BenchmarkMicroBatchBudget_Mixed(b *testing.B)      { bench(b, "MicroBatchBudget_Mixed") }
func BenchmarkMicroCASContention(b *testing.B)          { bench(b, "MicroCASContention") }

func BenchmarkMultiProducerContention_Executed(b *testing.B) {
	bench(b, "MultiProducerContention_Executed")
}
func BenchmarkBurstSubmit_Exact(b *testing.B)         { bench(b, "BurstSubmit_Exact") }
func BenchmarkMicroWakeupSyscall_Asleep(b *testing.B) { bench(b, "MicroWakeupSyscall_Asleep") }
func BenchmarkMicroWakeupSyscall_BurstFromAsleep(b *testing.B) {
	bench(b, "MicroWakeupSyscall_BurstFromAsleep")
}
func BenchmarkMicroWakeupSyscall_RapidSubmitExecuted(b *testing.B) {
	bench(b, "MicroWakeupSyscall_RapidSubmitExecuted")
}
func BenchmarkMicroBatchBudget_ThroughputWithoutSleep(b *testing.B) {
	bench(b, "MicroBatchBudget_ThroughputWithoutSleep")
}
func BenchmarkMicroBatchBudget_ContinuousExact(b *testing.B) {
	bench(b, "MicroBatchBudget_ContinuousExact")
}
func BenchmarkMicroBatchBudget_MixedExact(b *testing.B) { bench(b, "MicroBatchBudget_MixedExact") }
func BenchmarkMicroCASContention_Executed(b *testing.B) { bench(b, "MicroCASContention_Executed") }

func BenchmarkBusyRoundTrip(b *testing.B)  { bench(b, "BusyRoundTrip") }
func BenchmarkBusyThroughput(b *testing.B) { bench(b, "BusyThroughput") }

func BenchmarkDescriptorDispatch(b *testing.B)         { bench(b, "DescriptorDispatch") }
func BenchmarkDescriptorDispatch_Asleep(b *testing.B)  { bench(b, "DescriptorDispatch_Asleep") }
func BenchmarkDescriptorDispatchThousand(b *testing.B) { bench(b, "DescriptorDispatchThousand") }
func BenchmarkDescriptorSubmit(b *testing.B)           { bench(b, "DescriptorSubmit") }
func BenchmarkDescriptorEcho(b *testing.B)             { bench(b, "DescriptorEcho") }

// bench runs the category of that name, or all points of the sweep, on every contestant.
func bench(b *testing.B, name string) {
	for _, w := range workload.All() {
		category, point, isSweep := strings.Cut(w.Name, "/")
		if category != name {
			continue
		}
		each := func(b *testing.B) {
			for _, c := range contestants.All() {
				b.Run(c.Name, func(b *testing.B) { w.Bench(b, c) })
			}
		}
		if isSweep {
			b.Run(point, each)
		} else {
			each(b)
		}
	}
}
