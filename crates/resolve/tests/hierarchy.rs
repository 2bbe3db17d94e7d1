//! What derives from what, and which members replace one another, where a rule says so.

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{DefRef, Resolver, Workspace};
use codecortex_syntax::{Language, parse};

/// A workspace of one file.
fn workspace(path: &str, language: Language, dialect: Dialect, text: &str) -> Workspace {
    let tree = parse(language, text, None).unwrap();
    let mut workspace = Workspace::default();
    workspace.insert(0, path, dialect, &bind(dialect, text, &tree));
    workspace
}

/// What is declared at the first occurrence of `before` followed by a name.
fn declared(resolver: &Resolver<'_>, text: &str, before: &str) -> DefRef {
    let at = text.find(before).unwrap() + before.len();
    resolver.at(0, at as u32).1.unwrap()
}

/// The Go type of a name.
fn go_type(resolver: &Resolver<'_>, text: &str, name: &str) -> DefRef {
    let at = text.find(&format!("type {name}")).unwrap() + "type ".len();
    resolver.at(0, at as u32).1.unwrap()
}

fn names(resolver: &Resolver<'_>, defs: &[DefRef]) -> Vec<String> {
    let mut names: Vec<String> = defs
        .iter()
        .map(|def| resolver.name(*def).to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_made_from_a_type_is_no_base() {
    let text = "
interface Base { a: string; b: string }
type Less<T> = Omit<T, 'a'>;
type Same = Base;
interface Part extends Partial<Base> {}
interface Other extends Less<Base> { c: string }
interface Plain extends Same {}
";
    let workspace = workspace("a.ts", Language::TypeScript, Dialect::TypeScript, text);
    let resolver = Resolver::new(&workspace);
    let bases = |name: &str| {
        let at = text.find(&format!("{name} extends")).unwrap();
        let of = resolver.at(0, at as u32).1.unwrap();
        names(&resolver, &resolver.supertypes(of).0)
    };
    assert!(bases("Part").is_empty());
    assert!(bases("Other").is_empty());
    assert_eq!(bases("Plain"), ["Base"]);
}

#[test]
fn a_method_of_the_same_name_does_not_make_a_writer() {
    let text = "package p
import \"io\"
type Syncer interface { io.Writer; Sync() error }
type Core struct{}
func (c Core) Write(e Entry, f []Field) error { return nil }
func (c Core) Sync() error { return nil }
type File struct{}
func (f File) Write(b []byte) (int, error) { return 0, nil }
func (f File) Sync() error { return nil }
";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    let syncer = declared(&resolver, text, "type ");
    assert_eq!(names(&resolver, &resolver.subtypes(syncer)), ["File"]);
}

#[test]
fn no_type_parameter_stands_for_a_primitive_type() {
    let text = "
interface Sink<T> { void accept(T t); }
interface IntSink extends Sink<Integer> { void accept(int i); }
class Log implements Sink<Integer> { public void accept(Integer i) {} }
";
    let workspace = workspace("A.java", Language::Java, Dialect::Java, text);
    let resolver = Resolver::new(&workspace);
    let of_ints = declared(&resolver, text, "Sink<Integer> { void ");
    assert!(resolver.related(of_ints).is_empty());
    let boxed = declared(&resolver, text, "{ public void ");
    let sink = declared(&resolver, text, "Sink<T> { void ");
    assert_eq!(resolver.related(boxed), [sink]);
}

#[test]
fn what_is_static_replaces_nothing() {
    let text = "
interface Stream { static Stream empty() { return null; } void close(); }
class Path implements Stream { static Path empty() { return null; } public void close() {} }
";
    let workspace = workspace("A.java", Language::Java, Dialect::Java, text);
    let resolver = Resolver::new(&workspace);
    assert!(
        resolver
            .related(declared(&resolver, text, "static Stream "))
            .is_empty()
    );
    assert!(
        resolver
            .related(declared(&resolver, text, "static Path "))
            .is_empty()
    );
    let closed = declared(&resolver, text, "null; } void ");
    assert_eq!(names(&resolver, &resolver.related(closed)), ["close"]);
}

#[test]
fn only_what_is_public_in_a_type_that_names_an_interface_implements_it() {
    let text = "
interface I { void M(); void M(int i); }
abstract class B : I {
    void I.M() {}
    public void M(int i) {}
    protected abstract void M();
}
class D : B { protected override void M() {} }
";
    let workspace = workspace("A.cs", Language::CSharp, Dialect::CSharp, text);
    let resolver = Resolver::new(&workspace);
    let explicit = declared(&resolver, text, "void I.");
    let of_interface = declared(&resolver, text, "interface I { void ");
    assert_eq!(resolver.related(explicit), [of_interface]);
    let overriding = declared(&resolver, text, "override void ");
    let overridden = declared(&resolver, text, "abstract void ");
    assert_eq!(resolver.related(overriding), [overridden]);
}

#[test]
fn what_takes_several_does_not_implement_what_takes_one() {
    let text = "
class S {}
interface I { void M(params S[] all); }
class C : I { public void M(params S[] all) {} public void M(S one) {} }
";
    let workspace = workspace("A.cs", Language::CSharp, Dialect::CSharp, text);
    let resolver = Resolver::new(&workspace);
    let of_one = declared(&resolver, text, "{} public void ");
    assert!(resolver.related(of_one).is_empty());
}

#[test]
fn type_parameters_stand_for_themselves_in_what_implements() {
    let text = "
interface I<T> { void M(T t); void N(IEnumerable<T> t); void O<U>(Action<U> a); void P<U>(Action<U, int> a); }
partial class C<T> : I<T> { }
partial class C<T> {
    public void M(IEnumerable<T> t) {}
    public void N(T t) {}
    public void O<U>(Action<Action<U>> a) {}
    public void P<U>(Action<U> a) {}
}
partial class D<T> : I<T> { }
partial class D<T> {
    public void M(T t) {}
    public void N(IEnumerable<T> t) {}
    public void O<V>(Action<V> a) {}
    public void P<V>(Action<V, int> a) {}
}
";
    let workspace = workspace("A.cs", Language::CSharp, Dialect::CSharp, text);
    let resolver = Resolver::new(&workspace);
    let of_interface = [
        "interface I<T> { void ",
        "(T t); void ",
        "IEnumerable<T> t); void ",
        "(Action<U> a); void ",
    ];
    let implementing = [
        "D<T> {\n    public void ",
        "void M(T t) {}\n    public void ",
    ];
    let implementing = implementing.map(|before| declared(&resolver, text, before));
    let [m, n, o, p] = of_interface.map(|before| declared(&resolver, text, before));
    assert_eq!(resolver.related(m), [implementing[0]]);
    assert_eq!(resolver.related(n), [implementing[1]]);
    assert_eq!(resolver.related(o).len(), 1);
    assert_eq!(resolver.related(p).len(), 1);
}

#[test]
fn calls_by_a_trait_are_listed_with_the_trait() {
    let text = "
trait Shape { fn area(&self) -> u32; }
struct Square; impl Shape for Square { fn area(&self) -> u32 { 4 } }
struct Circle; impl Shape for Circle { fn area(&self) -> u32 { 3 } }
fn f(s: Square, c: Circle, any: &dyn Shape) -> u32 { s.area() + c.area() + any.area() }
";
    let workspace = workspace("lib.rs", Language::Rust, Dialect::Rust, text);
    let resolver = Resolver::new(&workspace);
    let listed = |before: &str| {
        let of = declared(&resolver, text, before);
        (
            resolver.references(of).len(),
            resolver.references_and_related(of).len(),
        )
    };
    assert_eq!(listed("trait Shape { fn "), (3, 3));
    assert_eq!(listed("impl Shape for Square { fn "), (1, 3));
}

#[test]
fn a_type_has_what_the_library_types_have_that_it_embeds() {
    let text = "package p
import (
\t\"io\"
\t\"os/exec\"
\t\"testing\"
)
type Runner interface { Run() error; SetIn(r io.Reader) }
type run struct{ *exec.Cmd }
func (c *run) SetIn(r io.Reader) {}
type Helper interface { Helper() }
type logger struct { *testing.T; logs []string }
type File interface { io.Closer; io.WriterAt; Name() string }
type file struct{}
func (f *file) Close() error { return nil }
func (f *file) WriteAt(b []byte, at int64) (int, error) { return 0, nil }
func (f *file) Name() string { return \"\" }
type other struct{ *exec.Cmd }
";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    let of = |name: &str| go_type(&resolver, text, name);
    let subtypes = |name: &str| names(&resolver, &resolver.subtypes(of(name)));
    assert_eq!(subtypes("Runner"), ["run"]);
    assert_eq!(subtypes("Helper"), ["logger"]);
    assert_eq!(subtypes("File"), ["file"]);
    assert_eq!(
        names(&resolver, &resolver.supertypes(of("logger")).0),
        ["Helper"]
    );
}

#[test]
fn a_type_parameter_of_an_interface_stands_for_one_type() {
    let text = "package p
type Store[T any] interface { Get() T; Put(v T) }
type words struct{}
func (w *words) Get() string { return \"\" }
func (w *words) Put(v string) {}
type mixed struct{}
func (m *mixed) Get() string { return \"\" }
func (m *mixed) Put(v int) {}
";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    let store = declared(&resolver, text, "type ");
    assert_eq!(names(&resolver, &resolver.subtypes(store)), ["words"]);
}

#[test]
fn what_is_embedded_brings_what_an_embedded_interface_wants() {
    let text = "package p
import \"io\"
type Rewinder interface { io.Reader; Rewind() error }
type file struct { io.ReadSeeker; size int64 }
func (f *file) Rewind() error { return nil }
type tape struct { *file }
type closed struct { io.Closer }
func (c *closed) Rewind() error { return nil }
";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    let rewinder = declared(&resolver, text, "type ");
    assert_eq!(
        names(&resolver, &resolver.subtypes(rewinder)),
        ["file", "tape"]
    );
}

#[test]
fn interfaces_of_go_may_want_what_their_embedded_ones_want_alone() {
    let text = "package p
import (\"io\"; \"sync\"; \"example.org/kin\")
type Kind interface { Kind() string }
type Plain interface { Kind }
type Whole interface { Plain; io.Closer }
type ReadCloser interface { io.Reader; io.Closer }
type Sender interface { Write(of string) error }
type Locker interface { Lock() (func(), error) }
type Named interface { Name() string }
type file struct { io.ReadCloser }
func (f *file) Kind() string { return \"\" }
type writer struct { io.Writer }
type guarded struct { sync.Mutex }
type node struct { *kin.T }
type shadow struct { Kind int; inner }
type inner struct { *file }
";
    let workspace = workspace("a.go", Language::Go, Dialect::Go, text);
    let resolver = Resolver::new(&workspace);
    let of = |name: &str| go_type(&resolver, text, name);
    let subtypes = |name: &str| names(&resolver, &resolver.subtypes(of(name)));
    assert_eq!(subtypes("Whole"), ["file", "inner"]);
    assert_eq!(subtypes("ReadCloser"), ["file", "inner", "shadow"]);
    for name in ["Sender", "Locker", "Named"] {
        assert!(subtypes(name).is_empty(), "{name}");
    }
    let mut all = names(&resolver, &resolver.supertypes(of("file")).0);
    all.sort_unstable();
    assert_eq!(all, ["Kind", "Plain", "ReadCloser", "Whole"]);
}

#[test]
fn a_member_implements_one_of_an_alias_of_an_object_type() {
    let text = "
export type Output = { readonly state: number; pull: () => string };
class Script implements Output {
  get state() { return 1; }
  pull() { return ''; }
}
";
    let workspace = workspace("a.ts", Language::TypeScript, Dialect::TypeScript, text);
    let resolver = Resolver::new(&workspace);
    let pull = declared(&resolver, text, "return 1; }\n  ");
    assert_eq!(names(&resolver, &resolver.related(pull)), ["pull"]);
    let state = declared(&resolver, text, "get ");
    assert_eq!(names(&resolver, &resolver.related(state)), ["state"]);
}

/// An alias names a base as its own name does, each part of an intersection, and where it stands for an object type it is
/// the base itself.
#[test]
fn what_implements_an_alias_implements_what_that_means() {
    let text = "
interface Shape { area(): number }
interface Named { label: string }
type Plain = { draw(): void };
type Same = Shape;
type Both = Same & Named & { color: string };
type Less = Omit<Named, 'label'> & Shape;
class A implements Plain { draw() {} }
class B implements Same { area() { return 1; } }
class C implements Both { area() { return 1; } label = ''; color = ''; }
class D implements Less { area() { return 1; } }
";
    let workspace = workspace("a.ts", Language::TypeScript, Dialect::TypeScript, text);
    let resolver = Resolver::new(&workspace);
    let of = |kind: &str, name: &str| {
        let at = text.find(&format!("{kind} {name} ")).unwrap() + kind.len() + 1;
        resolver.at(0, at as u32).1.unwrap()
    };
    let above = |name: &str| names(&resolver, &resolver.supertypes(of("class", name)).0);
    let below =
        |kind: &str, name: &str| names(&resolver, &resolver.implementations(of(kind, name)));
    assert_eq!(above("A"), ["Plain"]);
    assert_eq!(above("B"), ["Shape"]);
    assert_eq!(above("C"), ["Both", "Named", "Shape"]);
    assert_eq!(above("D"), ["Shape"]);
    assert_eq!(below("interface", "Shape"), ["B", "C", "D"]);
    assert_eq!(below("interface", "Named"), ["C"]);
    assert_eq!(below("type", "Plain"), ["A"]);
}

/// The names of what derives from the class of that name in one file.
fn derived_from(
    path: &str,
    language: Language,
    dialect: Dialect,
    text: &str,
    name: &str,
) -> Vec<String> {
    let workspace = workspace(path, language, dialect, text);
    let resolver = Resolver::new(&workspace);
    let at = text.find(&format!("class {name}")).unwrap() + "class ".len();
    let of = resolver.at(0, at as u32).1.unwrap();
    names(&resolver, &resolver.subtypes(of))
}

#[test]
fn a_class_derives_from_what_its_base_gives() {
    let text = "
class Base { hello() {} }
class Other {}
function pick() { return Base; }
function typed(): typeof Base { return Base; }
const arrow = () => Base;
function made(): new () => Base { return Base; }
const Same = Base;
const Mixed = mixin(Base);
function mixin<T extends new () => object>(of: T) { return class extends of { more() {} }; }
function either(is: boolean) { if (is) return Base; return Other; }
function nameless() { return class Inner extends Other {}; }
class A extends pick() {}
class B extends typed() {}
class C extends arrow() {}
class D extends made() {}
class E extends Same {}
class F extends Mixed {}
class G extends mixin(Base) {}
class H extends either(true) {}
class I extends nameless() {}
class J extends (1 > 2 ? Base : Other) {}
";
    let derived = |name| {
        derived_from(
            "a.ts",
            Language::TypeScript,
            Dialect::TypeScript,
            text,
            name,
        )
    };
    assert_eq!(
        derived("Base"),
        ["A", "B", "C", "D", "E", "F", "G", "H", "J"]
    );
    assert_eq!(derived("Other"), ["H", "Inner", "J"]);
    assert_eq!(derived("Inner"), ["I"]);
}

#[test]
fn a_class_of_python_derives_by_another_name_of_its_base() {
    let text = "
class Base: ...
Same = Base
Again = Same
Late = None
try:
    Late = Base
except ImportError:
    pass
def pick():
    return Base
def typed() -> type[Base]: ...
class A(Same): ...
class B(Again): ...
class C(pick()): ...
class D(typed()): ...
class E(Late): ...
";
    let derived = |name| derived_from("a.py", Language::Python, Dialect::Python, text, name);
    assert_eq!(derived("Base"), ["A", "B", "C", "D", "E"]);
}
