// Package node implements Node's modules and globals: a folder for each topic.
package node

import "embed"

// Scripts are the scripts of all topics.
//
//go:embed */*.js
var Scripts embed.FS
