// What Go's own type checker says about a folder of sources: references of a draw of its names, and which types satisfy
// which interfaces, in the form that bench/truth.mjs reads. See README.md beside this file for how it is run.
//
//	go run gotypes.go OUT CORPUS SAMPLE ROOT
//
// Lines and characters count from 0, characters in UTF-16 units. Packages that are neither in the folder nor in the
// standard library are not known; names that need them count neither way.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A name's place.
type place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Character int    `json:"character"`
}

func (at place) triple() []any { return []any{at.File, at.Line, at.Character} }

// A symbol of the sources, known by the position of its declaration: packages are checked with and without their tests,
// and each time its object is another.
type entry struct {
	object     types.Object
	isEmbedded bool
	isLocal    bool
	references map[token.Pos]bool
	related    map[token.Pos]bool
}

type oracle struct {
	root     string
	module   string
	fset     *token.FileSet
	sources  map[string][]byte
	files    map[string]*ast.File
	dirs     map[string][]string
	checked  map[string]*types.Package
	all      []*types.Package
	standard types.ImporterFrom
	entries  map[token.Pos]*entry
	aliases  map[token.Pos]*ast.ImportSpec
	unknown  map[string][]place
	counts   map[string]int
	errors   map[string]int
}

func main() {
	output, corpus, root := os.Args[1], os.Args[2], os.Args[4]
	sample, err := strconv.Atoi(os.Args[3])
	check(err)
	root, err = filepath.Abs(root)
	check(err)
	it := &oracle{
		root: root, fset: token.NewFileSet(), sources: map[string][]byte{}, files: map[string]*ast.File{},
		dirs: map[string][]string{}, checked: map[string]*types.Package{}, entries: map[token.Pos]*entry{},
		aliases: map[token.Pos]*ast.ImportSpec{}, unknown: map[string][]place{}, counts: map[string]int{}, errors: map[string]int{},
	}
	it.standard = importer.ForCompiler(it.fset, "source", nil).(types.ImporterFrom)
	it.read()
	for _, dir := range sorted(it.dirs) {
		it.checkWithTests(dir)
	}
	it.relate()
	it.writeReferences(fmt.Sprintf("%s/go-%s.jsonl", output, corpus), corpus, sample)
	it.writeHierarchy(fmt.Sprintf("%s/go-%s.hierarchy.jsonl", output, corpus), corpus)
	it.report()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sorted[T any](of map[string]T) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// read parses every file. Those that this system does not build are left to unknown.
func (it *oracle) read() {
	if manifest, err := os.ReadFile(filepath.Join(it.root, "go.mod")); err == nil {
		it.module = string(moduleLine.FindSubmatch(manifest)[1])
	}
	check(filepath.WalkDir(it.root, func(file string, found fs.DirEntry, err error) error {
		check(err)
		if found.IsDir() && (found.Name() == "vendor" || file != it.root && strings.HasPrefix(found.Name(), ".")) {
			return filepath.SkipDir
		}
		if found.IsDir() || !strings.HasSuffix(file, ".go") {
			return nil
		}
		relative, _ := filepath.Rel(it.root, file)
		relative = filepath.ToSlash(relative)
		text, err := os.ReadFile(file)
		check(err)
		it.sources[relative] = text
		parsed, err := parser.ParseFile(it.fset, relative, text, parser.ParseComments|parser.SkipObjectResolution)
		if parsed == nil {
			return nil
		}
		it.countNames(parsed)
		built, _ := build.Default.MatchFile(filepath.Dir(file), filepath.Base(file))
		nested := it.isOtherModule(path.Dir(relative))
		if err != nil || !built || nested || importsC(parsed) {
			it.leave(parsed)
			return nil
		}
		it.files[relative] = parsed
		it.dirs[path.Dir(relative)] = append(it.dirs[path.Dir(relative)], relative)
		return nil
	}))
}

func (it *oracle) isOtherModule(dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(it.root, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func importsC(file *ast.File) bool {
	for _, found := range file.Imports {
		if found.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// countNames counts names, and leaves those in comments to unknown.
func (it *oracle) countNames(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		if name, isName := node.(*ast.Ident); isName {
			it.counts[name.Name]++
		}
		return true
	})
	for _, group := range file.Comments {
		for _, comment := range group.List {
			for _, at := range word.FindAllStringIndex(comment.Text, -1) {
				name := comment.Text[at[0]:at[1]]
				it.unknown[name] = append(it.unknown[name], it.at(comment.Slash+token.Pos(at[0])))
			}
		}
	}
}

func (it *oracle) leave(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		if name, isName := node.(*ast.Ident); isName {
			it.unknown[name.Name] = append(it.unknown[name.Name], it.at(name.Pos()))
		}
		return true
	})
}

func (it *oracle) at(pos token.Pos) place {
	found := it.fset.PositionFor(pos, false)
	text := it.sources[found.Filename]
	units := 0
	for line := text[found.Offset-found.Column+1 : found.Offset]; len(line) > 0; {
		letter, size := utf8.DecodeRune(line)
		units += max(utf16.RuneLen(letter), 1)
		line = line[size:]
	}
	return place{found.Filename, found.Line - 1, units}
}

func (it *oracle) isOurs(pos token.Pos) bool {
	if !pos.IsValid() {
		return false
	}
	_, isOurs := it.files[it.fset.PositionFor(pos, false).Filename]
	return isOurs
}

// Import gives a package of the folder, or of the standard library.
func (it *oracle) Import(name string) (*types.Package, error) {
	dir, isOurs := strings.CutPrefix(name, it.module)
	if it.module != "" && isOurs && (dir == "" || dir[0] == '/') {
		dir = path.Clean("." + dir)
		if known, isKnown := it.checked[dir]; isKnown {
			if known == nil {
				return nil, fmt.Errorf("imports itself: %s", name)
			}
			return known, nil
		}
		it.checked[dir] = nil
		var files []*ast.File
		for _, file := range it.dirs[dir] {
			if !strings.HasSuffix(file, "_test.go") {
				files = append(files, it.files[file])
			}
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no package: %s", name)
		}
		it.checked[dir] = it.checkPackage(name, files)
		return it.checked[dir], nil
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		return nil, fmt.Errorf("not known: %s", name)
	}
	return it.standard.ImportFrom(name, it.root, 0)
}

// checkWithTests checks a folder's package with its own tests in it, and the package of the tests beside it.
func (it *oracle) checkWithTests(dir string) {
	name := path.Join(it.module, dir)
	packages := map[string][]*ast.File{}
	for _, file := range it.dirs[dir] {
		of := it.files[file].Name.Name
		packages[of] = append(packages[of], it.files[file])
	}
	for _, of := range sorted(packages) {
		it.checkPackage(name, packages[of])
	}
}

func (it *oracle) checkPackage(name string, files []*ast.File) *types.Package {
	info := &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: it, Error: func(err error) { it.errors[err.Error()]++ }, FakeImportC: true}
	checked, _ := config.Check(name, it.fset, files, info)
	it.all = append(it.all, checked)
	for _, file := range files {
		it.readNames(file, info)
	}
	return checked
}

func (it *oracle) readNames(file *ast.File, info *types.Info) {
	embedded := map[*ast.Ident]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			if node.Name != nil && node.Name.Name != "_" && node.Name.Name != "." {
				it.aliases[node.Name.Pos()] = node
			}
		case *ast.Field:
			if len(node.Names) == 0 {
				ast.Inspect(node.Type, func(inner ast.Node) bool {
					if name, isName := inner.(*ast.Ident); isName && info.Defs[name] != nil {
						embedded[name] = true
					}
					return true
				})
			}
		case *ast.Ident:
			it.readName(node, info, embedded[node])
		}
		return true
	})
	// The variable of a switch over types is declared once and is another one in each of its cases.
	for node, object := range info.Implicits {
		if _, isCase := node.(*ast.CaseClause); isCase && it.isOurs(object.Pos()) {
			it.of(object)
		}
	}
}

func (it *oracle) of(object types.Object) *entry {
	known := it.entries[object.Pos()]
	if known == nil {
		known = &entry{object: object, references: map[token.Pos]bool{}, related: map[token.Pos]bool{}}
		if parent := object.Parent(); parent != nil && object.Pkg() != nil {
			known.isLocal = parent != object.Pkg().Scope() && parent != types.Universe
		}
		it.entries[object.Pos()] = known
	}
	return known
}

func (it *oracle) readName(name *ast.Ident, info *types.Info, isEmbedded bool) {
	if name.Name == "_" {
		return
	}
	if declared := info.Defs[name]; declared != nil {
		if it.isOurs(declared.Pos()) {
			it.of(declared).isEmbedded = isEmbedded
		}
		if !isEmbedded {
			return
		}
	}
	used := info.Uses[name]
	if used == nil {
		if _, isSwitch := info.Defs[name]; !isSwitch {
			it.unknown[name.Name] = append(it.unknown[name.Name], it.at(name.Pos()))
		}
		return
	}
	if it.isOurs(used.Pos()) {
		it.of(used).references[name.Pos()] = true
	}
}

func kindOf(object types.Object, isLocal bool) (kind, raw, scope string) {
	scope = "global"
	if isLocal {
		scope = "local"
	}
	switch object := object.(type) {
	case *types.Func:
		if signature := object.Type().(*types.Signature); signature.Recv() == nil {
			return "function", "function", scope
		} else if types.IsInterface(signature.Recv().Type()) {
			return "method", "interface_method", "global"
		}
		return "method", "method", "global"
	case *types.TypeName:
		if _, isParameter := object.Type().(*types.TypeParam); isParameter {
			return "", "", ""
		}
		return "class", "type", scope
	case *types.Var:
		if object.IsField() {
			return "field", "field", "global"
		}
		return "variable", "var", scope
	case *types.Const:
		return "variable", "const", scope
	case *types.PkgName:
		return "import_alias", "import_spec", "file"
	}
	return "", "", ""
}

// concrete are the types of a package's own scope, but for generic ones: they satisfy nothing until they are made of
// something.
func concrete(of *types.Package) (found []*types.TypeName) {
	for _, name := range of.Scope().Names() {
		declared, isType := of.Scope().Lookup(name).(*types.TypeName)
		if !isType || declared.IsAlias() {
			continue
		}
		if named, isNamed := declared.Type().(*types.Named); isNamed && named.TypeParams().Len() == 0 {
			found = append(found, declared)
		}
	}
	return found
}

// relate links methods of interfaces with those of the types that satisfy them, and what those are linked with.
func (it *oracle) relate() {
	links := map[token.Pos]map[token.Pos]bool{}
	link := func(a, b token.Pos) {
		for _, pair := range [2][2]token.Pos{{a, b}, {b, a}} {
			if links[pair[0]] == nil {
				links[pair[0]] = map[token.Pos]bool{}
			}
			links[pair[0]][pair[1]] = true
		}
	}
	it.eachSatisfied(func(of, face *types.TypeName, methods *types.Interface) {
		for i := range methods.NumMethods() {
			wanted := methods.Method(i)
			found, _, _ := types.LookupFieldOrMethod(of.Type(), true, wanted.Pkg(), wanted.Name())
			if method, isMethod := found.(*types.Func); isMethod && method.Pos() != wanted.Pos() {
				link(method.Pos(), wanted.Pos())
			}
		}
	})
	for at, known := range it.entries {
		family, open := map[token.Pos]bool{at: true}, []token.Pos{at}
		for len(open) > 0 {
			from := open[0]
			open = open[1:]
			for other := range links[from] {
				if !family[other] {
					family[other] = true
					open = append(open, other)
				}
			}
		}
		for other := range family {
			if other == at || it.entries[other] == nil {
				continue
			}
			known.related[other] = true
			for use := range it.entries[other].references {
				known.related[use] = true
			}
		}
	}
}

// eachSatisfied calls for every type of the folder and every interface with methods that it satisfies.
func (it *oracle) eachSatisfied(do func(of, face *types.TypeName, methods *types.Interface)) {
	seen := map[[2]token.Pos]bool{}
	var all, faces []*types.TypeName
	for _, here := range it.all {
		for _, of := range concrete(here) {
			if !it.isWhole(of.Type(), map[types.Type]bool{}) {
				continue
			}
			all = append(all, of)
			if methods, isInterface := of.Type().Underlying().(*types.Interface); isInterface && methods.NumMethods() > 0 {
				faces = append(faces, of)
			}
		}
	}
	for _, face := range faces {
		methods := face.Type().Underlying().(*types.Interface)
		for _, of := range all {
			pair := [2]token.Pos{of.Pos(), face.Pos()}
			if seen[pair] || !types.Implements(of.Type(), methods) && !types.Implements(types.NewPointer(of.Type()), methods) {
				continue
			}
			seen[pair] = true
			do(of, face, methods)
		}
	}
}

// isWhole says whether all is known of a type's methods: what embeds an unknown type seems to satisfy everything.
func (it *oracle) isWhole(of types.Type, seen map[types.Type]bool) bool {
	if seen[of] {
		return true
	}
	seen[of] = true
	if pointer, isPointer := of.(*types.Pointer); isPointer {
		return it.isWhole(pointer.Elem(), seen)
	}
	switch under := of.Underlying().(type) {
	case *types.Basic:
		return under.Kind() != types.Invalid
	case *types.Struct:
		for i := range under.NumFields() {
			if field := under.Field(i); field.Embedded() && !it.isWhole(field.Type(), seen) {
				return false
			}
		}
	case *types.Interface:
		for i := range under.NumEmbeddeds() {
			if !it.isWhole(under.EmbeddedType(i), seen) {
				return false
			}
		}
	}
	return true
}

var shares = map[string]float64{"method": .27, "function": .2, "class": .17, "field": .2, "variable": .15, "import_alias": .01}

// draw takes of each kind, and of names written rarely, sometimes and often, the same number.
func (it *oracle) draw(sample int) (drawn []token.Pos) {
	groups := map[string][]token.Pos{}
	for at, known := range it.entries {
		kind, _, _ := kindOf(known.object, known.isLocal)
		if _, isAlias := it.aliases[at]; kind == "" || known.isEmbedded || kind == "import_alias" && !isAlias {
			continue
		}
		if name := known.object.Name(); name == "_" || name == "init" || name == "main" {
			continue
		}
		group := kind + " " + it.popularity(known)
		groups[group] = append(groups[group], at)
	}
	random := rand.New(rand.NewSource(1))
	for _, group := range sorted(groups) {
		of := groups[group]
		sort.Slice(of, func(i, j int) bool { return of[i] < of[j] })
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		kind, _, _ := strings.Cut(group, " ")
		drawn = append(drawn, of[:min(len(of), int(float64(sample)*shares[kind]/3)+1)]...)
	}
	return drawn
}

func (it *oracle) popularity(known *entry) string {
	switch count := it.counts[known.object.Name()]; {
	case count <= 5:
		return "rare"
	case count <= 40:
		return "mid"
	}
	return "common"
}

func (it *oracle) writeReferences(file, corpus string, sample int) {
	homonyms := map[string]int{}
	for _, known := range it.entries {
		if !known.isLocal {
			homonyms[known.object.Name()]++
		}
	}
	var lines []any
	for _, at := range it.draw(sample) {
		known := it.entries[at]
		kind, raw, scope := kindOf(known.object, known.isLocal)
		name := known.object.Name()
		for use := range known.references {
			delete(known.related, use)
		}
		definition, references, unknown := it.at(at), []place{}, [][]any{}
		for _, use := range byPosition(known.references) {
			references = append(references, it.at(use))
		}
		for _, lost := range it.unknown[name] {
			unknown = append(unknown, lost.triple())
		}
		related := [][]any{}
		for _, use := range byPosition(known.related) {
			related = append(related, it.at(use).triple())
		}
		lines = append(lines, map[string]any{
			"lang": "go", "corpus": corpus, "kind": kind, "kind_raw": raw, "scope": scope, "name": name,
			"popularity": it.popularity(known), "name_tokens": it.counts[name], "same_name_defs": homonyms[name],
			"definition": definition, "range": []int{definition.Line, definition.Character, definition.Line, definition.Character + len(name)},
			"alt_definitions": []place{}, "references": references,
			"ignore": map[string]any{"related": related, "unknown": unknown},
		})
	}
	write(file, lines)
	fmt.Fprintln(os.Stderr, len(lines), "symbols")
}

func byPosition(of map[token.Pos]bool) (places []token.Pos) {
	for at := range of {
		places = append(places, at)
	}
	sort.Slice(places, func(i, j int) bool { return places[i] < places[j] })
	return places
}

func (it *oracle) writeHierarchy(file, corpus string) {
	supers, subs := map[token.Pos]map[token.Pos]bool{}, map[token.Pos]map[token.Pos]bool{}
	add := func(to map[token.Pos]map[token.Pos]bool, a, b token.Pos) {
		if to[a] == nil {
			to[a] = map[token.Pos]bool{}
		}
		to[a][b] = true
	}
	it.eachSatisfied(func(of, face *types.TypeName, _ *types.Interface) {
		if of.Pos() != face.Pos() && it.isOurs(of.Pos()) && it.isOurs(face.Pos()) {
			add(supers, of.Pos(), face.Pos())
			add(subs, face.Pos(), of.Pos())
		}
	})
	places := func(of map[token.Pos]bool) []place {
		shown := []place{}
		for _, at := range byPosition(of) {
			shown = append(shown, it.at(at))
		}
		return shown
	}
	all := map[token.Pos]bool{}
	for at, known := range it.entries {
		kind, _, _ := kindOf(known.object, known.isLocal)
		if kind == "class" && !known.isLocal && it.isWhole(known.object.Type(), map[types.Type]bool{}) {
			all[at] = true
		}
	}
	var lines []any
	for _, at := range byPosition(all) {
		lines = append(lines, map[string]any{
			"lang": "go", "corpus": corpus, "name": it.entries[at].object.Name(), "definition": it.at(at),
			"supertypes": places(supers[at]), "subtypes": places(subs[at]),
		})
	}
	write(file, lines)
}

func (it *oracle) report() {
	fmt.Fprintln(os.Stderr, len(it.files), "files,", len(it.errors), "errors")
	for i, text := range sorted(it.errors) {
		if i < 8 {
			fmt.Fprintln(os.Stderr, " ", text)
		}
	}
}

func write(file string, lines []any) {
	output, err := os.Create(file)
	check(err)
	buffered := bufio.NewWriter(output)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		check(encoder.Encode(line))
	}
	check(buffered.Flush())
	check(output.Close())
}
