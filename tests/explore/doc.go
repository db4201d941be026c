// Package explored runs random programs on the loop under random schedules, and judges every run. Its tests need the build tag
// explore; see package internal/explore.
package explored
