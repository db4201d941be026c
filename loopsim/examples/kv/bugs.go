package kv

// A Bug is a known fault that can be put into the program.
type Bug string

// The known faults.
const (
	None          Bug = ""
	OldLeader     Bug = "a leader answers reads without a lease"
	ReadsAtOnce   Bug = "a new leader reads before an entry of its term is committed"
	AckBeforeSync Bug = "a server acknowledges entries before they are synced"
	AckOfAll      Bug = "a server acknowledges its whole log, and not only what the leader has sent"
	AnyVote       Bug = "a server votes for one whose log lacks entries"
	Alone         Bug = "the leader answers before another server has the entry"
	KeepsWaiting  Bug = "a leader that is no longer one answers when an entry of another is committed"
	RetryTwice    Bug = "a request that is sent again is done again"
)

// Bugs returns all known faults.
func Bugs() []Bug {
	return []Bug{OldLeader, ReadsAtOnce, AckBeforeSync, AckOfAll, AnyVote, Alone, KeepsWaiting, RetryTwice}
}
