// Command modulezip puts a module's archive into a directory that has the layout of a module proxy, as a release of
// that version would be: the Go command then fetches it with GOPROXY=file://DIR.
//
//	modulezip PROXY VERSION MODULE
//
// MODULE is the module's folder. All files in it belong to the archive, except those of modules further down.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: modulezip PROXY VERSION MODULE")
		os.Exit(2)
	}
	said, err := publish(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulezip:", err)
		os.Exit(1)
	}
	fmt.Println(said)
}

// publish writes the four files that a proxy has of a version, and says how large the archive is.
func publish(proxy, version, dir string) (string, error) {
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	m := module.Version{Path: modfile.ModulePath(goMod), Version: version}
	if err := module.Check(m.Path, m.Version); err != nil {
		return "", err
	}
	parsed, err := modfile.Parse("go.mod", goMod, nil)
	if err != nil {
		return "", err
	}
	if len(parsed.Replace) > 0 {
		return "", fmt.Errorf("%s replaces %s: go install refuses such a module; put it into go.work", filepath.Join(dir, "go.mod"), parsed.Replace[0].Old.Path)
	}
	var archive bytes.Buffer
	if err := zip.CreateFromDir(&archive, m, dir); err != nil {
		return "", err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC()})
	if err != nil {
		return "", err
	}
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := errors.Join(
		os.MkdirAll(at, 0o777),
		os.WriteFile(filepath.Join(at, "list"), []byte(version+"\n"), 0o666),
		os.WriteFile(filepath.Join(at, version+".info"), info, 0o666),
		os.WriteFile(filepath.Join(at, version+".mod"), goMod, 0o666),
		os.WriteFile(filepath.Join(at, version+".zip"), archive.Bytes(), 0o666),
	); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s: archive of %d KiB", m.Path, version, (archive.Len()+1023)/1024), nil
}
