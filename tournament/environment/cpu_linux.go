package environment

import (
	"os"
	"strings"
)

// cpuName reads the kernel's description. ARM kernels give no model name, only numbers, or the name of the board.
func cpuName() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	fields := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, seen := fields[key]; ok && !seen {
			fields[key] = strings.TrimSpace(value)
		}
	}
	for _, key := range []string{"model name", "cpu model", "Hardware", "Model"} {
		if fields[key] != "" {
			return fields[key]
		}
	}
	if part := fields["CPU part"]; part != "" {
		return "ARM implementer " + fields["CPU implementer"] + " part " + part
	}
	return ""
}
