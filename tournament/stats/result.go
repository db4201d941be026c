package stats

import "github.com/eventloop-go/eventloop/tournament/result"

// EntrantOf makes an entrant of a row.
func EntrantOf(r *result.Row) Entrant {
	_, replica := result.ReplicaOf(r.Contestant)
	e := Entrant{Name: r.Contestant, Family: r.FamilyOf(), Replica: replica, Cost: r.Cost, Points: make([]Point, len(r.Samples))}
	for i := range r.Samples {
		s := &r.Samples[i]
		e.Points[i] = Point{Process: s.Process, Round: s.Round, X: s.NsPerOp}
	}
	return e
}
