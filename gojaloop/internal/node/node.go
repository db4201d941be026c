// Package node is what Node defines: a folder for each topic.
package node

import "embed"

// Scripts are those of all topics.
//
//go:embed */*.js
var Scripts embed.FS
