package gojavm

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// A plainInspector does the work of inspect.js, with Node's default options, for the most frequently logged values:
// primitive values, plain objects, arrays and maps of these, with names and strings of ASCII. It runs no script. It
// gives up before it would run one, and inspect.js starts from the beginning.
type plainInspector struct {
	off      bool                       // the default options may be others
	eachOf   goja.Callable              // Map.prototype.forEach, once inspect.js has passed it
	function *goja.Object               // Function.prototype
	builtins [len(plainClasses)]builtin // as met before

	vm       *VM
	checked  [len(plainClasses)]bool         // for this value: whether
	protos   [len(plainClasses)]*goja.Object // these classes show as the engine made them, or nil
	seen     []*goja.Object
	circular []*goja.Object
	indent   int
	current  int // how deep the innermost value is
	steps    int
	failed   bool
}

const (
	inspectDepth      = 2
	inspectElements   = 100
	inspectString     = 10000
	inspectWidth      = 80
	inspectCompact    = 3
	stepsPerInterrupt = 1024
	inspectColumns    = 15
)

// text shows a value, if it is plain. An interrupt makes it give up: the script that goes on is ended by it.
func (p *plainInspector) text(vm *VM, v goja.Value) (string, bool) {
	if p.off {
		return "", false
	}
	// A plainInspector may be asked again while it works only by a Map.prototype.forEach that is not the engine's.
	if p.vm != nil {
		return "", false
	}
	p.vm = vm
	defer p.reset()
	s := p.show(v, 0)
	return s, !p.failed
}

func (p *plainInspector) reset() {
	p.vm, p.seen, p.circular, p.indent, p.current, p.steps, p.failed = nil, p.seen[:0], nil, 0, 0, 0, false
	clear(p.seen[:cap(p.seen)])
	clear(p.checked[:])
	clear(p.protos[:])
}

func (p *plainInspector) fail() string {
	p.failed = true
	return ""
}

func (p *plainInspector) show(v goja.Value, level int) string {
	if p.steps++; p.steps%stepsPerInterrupt == 0 && p.vm.Interrupting() {
		return p.fail()
	}
	if obj, ok := v.(*goja.Object); ok {
		return p.object(obj, level)
	}
	switch s := v.(type) {
	case nil:
		return p.fail()
	case goja.String:
		return p.string(s)
	case *goja.Symbol:
		return p.fail()
	}
	if goja.IsNumber(v) {
		if f := v.ToFloat(); f == 0 && math.Signbit(f) {
			return "-0"
		}
		return v.String()
	}
	if isBigInt(v) {
		return v.String() + "n"
	}
	return v.String()
}

func isBigInt(v goja.Value) bool { return v.ExportType() == reflect.TypeFor[*big.Int]() }

func (p *plainInspector) string(v goja.String) string {
	if v.Length() > inspectString {
		return p.fail()
	}
	s := v.String()
	if len(s) > 16 && len(s) > inspectWidth-p.indent-4 && strings.Contains(s, "\n") {
		return p.fail() // which is shown line by line
	}
	return p.quote(s)
}

// quote puts a string in quotes, if it is of ASCII.
func (p *plainInspector) quote(s string) string {
	escapes, q := false, byte('\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80:
			return p.fail()
		case c < ' ' || c == 0x7f || c == '\\' || c == '\'':
			escapes = true
		}
	}
	if !escapes {
		return "'" + s + "'"
	}
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			q = '"'
		} else if !strings.Contains(s, "`") && !strings.Contains(s, "${") {
			q = '`'
		}
	}
	out := append(make([]byte, 0, len(s)+8), q)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' && q == '\'', c == '\\':
			out = append(out, '\\', c)
		case c >= '\b' && c <= '\r' && c != '\v':
			out = append(out, '\\', "btn_fr"[c-'\b'])
		case c < ' ' || c == 0x7f:
			out = append(out, '\\', 'x', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, q))
}

func (p *plainInspector) key(s string) string {
	if s == "__proto__" {
		return "['__proto__']"
	}
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return p.quote(s)
		}
	}
	if s == "" {
		return "''"
	}
	return s
}

// A plainClass is one whose instances are plain.
type plainClass int

const (
	objectClass plainClass = iota
	arrayClass
	mapClass
)

var plainClasses = [...]struct {
	name    string
	symbols []*goja.Symbol // that its prototype has
}{{name: "Object"}, {"Array", []*goja.Symbol{goja.SymIterator, goja.SymUnscopables}}, {"Map", []*goja.Symbol{goja.SymIterator, goja.SymToStringTag}}}

// A builtin is a class of the engine's: its constructor has its prototype for ever.
type builtin struct{ proto, constructor *goja.Object }

// class reports whether an object's prototype is the prototype of an engine's class, and shows as such.
func (p *plainInspector) class(obj *goja.Object, class plainClass) bool {
	if !p.checked[class] {
		p.checked[class] = true
		p.protos[class] = p.prototype(class, obj.Prototype())
	}
	proto := p.protos[class]
	return proto != nil && obj.Prototype() == proto && p.vm.storages.onlySymbols(obj, "")
}

// prototype returns proto if its instances show as instances of the class.
func (p *plainInspector) prototype(class plainClass, proto *goja.Object) *goja.Object {
	if proto == nil {
		return nil
	}
	parent := proto.Prototype()
	if class == objectClass {
		if parent != nil {
			return nil
		}
	} else if p.protos[objectClass] == nil {
		p.checked[objectClass] = true
		p.protos[objectClass] = p.prototype(objectClass, parent)
	}
	if class != objectClass && (parent == nil || parent != p.protos[objectClass]) {
		return nil
	}
	is := &plainClasses[class]
	if !p.vm.storages.onlySymbols(proto, is.name, is.symbols...) {
		return nil
	}
	b := &p.builtins[class]
	if b.proto != proto || !p.vm.storages.holdsObject(proto, constructorKey, b.constructor) {
		*b = builtin{proto, p.constructor(proto)}
	}
	if b.constructor == nil || b.constructor.Prototype() != p.function || !p.vm.storages.onlySymbols(b.constructor, "", goja.SymSpecies) ||
		!p.vm.storages.holdsText(b.constructor, nameKey, is.name) {
		return nil
	}
	return proto
}

// constructor returns the constructor of a prototype, if that is a class of the engine's.
func (p *plainInspector) constructor(proto *goja.Object) *goja.Object {
	constructor, ok := p.vm.storages.data(proto, "constructor").(*goja.Object)
	if !ok || !isNativeFunction(constructor) {
		return nil
	}
	if p.function == nil {
		p.function = p.vm.ToValue(func(goja.FunctionCall) goja.Value { return nil }).ToObject(p.vm.Runtime).Prototype()
	}
	if own := p.vm.storages.data(constructor, "prototype"); own == nil || !own.SameAs(proto) {
		return nil
	}
	_ = p.vm.storages.data(constructor, "name") // for the engine to make it
	return constructor
}

func (p *plainInspector) object(obj *goja.Object, level int) string {
	_, at := p.vm.storages.of(obj)
	if at == nil {
		return p.fail()
	}
	front, array := "", false
	var keys []string
	var entries []mapEntry
	length := 0
	switch {
	case at.name == "baseObject" && obj.ClassName() == "Object" && p.class(obj, objectClass):
		if p.vm.storages.has(obj, "constructor") {
			return p.fail()
		}
		if keys = obj.Keys(); !p.vm.storages.allData(obj, keys) {
			return p.fail()
		}
		length = len(keys)
	case at.name == "arrayObject" && p.class(obj, arrayClass):
		n, ok := p.vm.storages.elementsOf(obj, inspectElements+1)
		if !ok {
			return p.fail()
		}
		length, array = n, true
	case at.name == "mapObject" && p.eachOf != nil && p.class(obj, mapClass) && len(obj.GetOwnPropertyNames()) == 0:
		all, ok := p.vm.entries(obj, p.eachOf)
		if !ok {
			return p.fail()
		}
		entries = all
		length = len(entries)
		front = "Map(" + strconv.Itoa(length) + ") "
	default:
		return p.fail()
	}
	for _, outer := range p.seen {
		if outer == obj {
			return "[Circular *" + strconv.Itoa(p.reference(obj, true)) + "]"
		}
	}
	open, end := front+"{", "}"
	if array {
		open, end = "[", "]"
	}
	if length == 0 {
		return open + end
	}
	if level > inspectDepth {
		switch {
		case array:
			return "[Array]"
		case front != "":
			return "[Map]"
		}
		return "[Object]"
	}
	p.seen = append(p.seen, obj)
	p.current = level + 1
	var output []string
	p.indent += 2
	switch {
	case array:
		for i := 0; i < length && i < inspectElements && !p.failed; i++ {
			output = append(output, p.show(obj.Get(strconv.Itoa(i)), level+1))
		}
	case entries != nil:
		for i := 0; i < length && i < inspectElements && !p.failed; i++ {
			key := p.show(entries[i].key, level+1)
			output = append(output, key+" => "+p.show(entries[i].value, level+1))
		}
	default:
		for _, key := range keys {
			if p.failed {
				return ""
			}
			output = append(output, p.key(key)+": "+p.show(obj.Get(key), level+1))
		}
	}
	p.indent -= 2
	if p.failed {
		return ""
	}
	if keys == nil && length > inspectElements {
		output = append(output, more(length-inspectElements))
	}
	base := ""
	if n := p.reference(obj, false); n > 0 {
		base = "<ref *" + strconv.Itoa(n) + ">"
	}
	p.seen = p.seen[:len(p.seen)-1]
	return p.layout(obj, output, base, open, end, array, level+1)
}

func more(n int) string {
	if n == 1 {
		return "... 1 more item"
	}
	return "... " + strconv.Itoa(n) + " more items"
}

// reference is the number of an object that contains itself, or 0.
func (p *plainInspector) reference(obj *goja.Object, add bool) int {
	for i, known := range p.circular {
		if known == obj {
			return i + 1
		}
	}
	if !add {
		return 0
	}
	p.circular = append(p.circular, obj)
	return len(p.circular)
}
