package gojaloop

import (
	"slices"
	"strings"
)

// A builtin is a module that require knows without reading a file.
type builtin struct {
	script string // of the library
	export string // of it, or "" for all
	group  Group  // of globals that the module gives as well; a runtime without the group lacks the module
	files  bool   // it needs a file system
}

// builtins are those modules, by their names without node:.
var builtins = map[string]builtin{
	"assert":              {script: "assert", export: "assert"},
	"assert/strict":       {script: "assert", export: "assert.strict"},
	"async_hooks":         {script: "asynchooks"},
	"buffer":              {script: "buffer"},
	"child_process":       {script: "refused", export: "childProcess"},
	"cluster":             {script: "refused", export: "cluster"},
	"console":             {group: Console},
	"crypto":              {script: "cryptomodule", group: Crypto},
	"dgram":               {script: "refused", export: "dgram"},
	"diagnostics_channel": {script: "diagnostics"},
	"dns":                 {script: "refused", export: "dns"},
	"dns/promises":        {script: "refused", export: "dns.promises"},
	"events":              {script: "eventsmodule", export: "EventEmitter"},
	"fs":                  {script: "fs", files: true},
	"fs/promises":         {script: "fs", export: "promises", files: true},
	"http":                {script: "http", export: "http"},
	"http2":               {script: "refused", export: "http2"},
	"https":               {script: "http", export: "https"},
	"inspector":           {script: "refused", export: "inspector"},
	"module":              {script: "module", export: "Module"},
	"net":                 {script: "refused", export: "net"},
	"os":                  {script: "os"},
	"path":                {script: "path"},
	"path/posix":          {script: "path", export: "posix"},
	"perf_hooks":          {script: "performance", group: Performance},
	"process":             {group: Process},
	"querystring":         {script: "querystring"},
	"readline":            {script: "readline"},
	"readline/promises":   {script: "readline", export: "promises"},
	"stream":              {script: "streammodule"},
	"stream/consumers":    {script: "consumers"},
	"stream/promises":     {script: "streammodule", export: "promises"},
	"stream/web":          {script: "stream", group: Streams},
	"string_decoder":      {script: "stringdecoder"},
	"timers":              {script: "timersmodule", group: Timers},
	"timers/promises":     {script: "timersmodule", export: "promises", group: Timers},
	"tls":                 {script: "refused", export: "tls"},
	"tty":                 {script: "tty"},
	"url":                 {script: "urlmodule", group: URL},
	"util":                {script: "util"},
	"util/types":          {script: "util", export: "types"},
	"v8":                  {script: "refused", export: "v8"},
	"vm":                  {script: "refused", export: "vm"},
	"worker_threads":      {script: "refused", export: "workers"},
	"zlib":                {script: "zlib"},
}

func isBuiltin(name string) bool {
	_, ok := builtins[name]
	return ok
}

// Builtins tells the names of the modules that require knows without reading a file, sorted.
func Builtins() []string {
	var names []string
	for name := range builtins {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// nodeOnly are modules of Node's that programs ask for and nobody here implements.
var nodeOnly = strings.Fields("domain punycode repl sys trace_events wasi")
