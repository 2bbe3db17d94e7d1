//! A language's own library: what receivers of its types mean, and that answers depend on files alone.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codecortex_bind::{Dialect, encode};
use codecortex_resolve::{
    ConfidenceTier, DefRef, FileNo, LibrarySource, Resolver, SymbolUses, Workspace,
};
use codecortex_syntax::bindings_of_text;

/// Files as texts; counts those that are read.
#[derive(Debug, Default)]
struct Texts {
    files: BTreeMap<&'static str, &'static str>,
    read: AtomicUsize,
}

impl LibrarySource for Texts {
    fn paths(&self) -> Vec<String> {
        self.files.keys().map(|path| (*path).to_owned()).collect()
    }

    fn bindings(&self, path: &str) -> Option<Arc<[u8]>> {
        self.read.fetch_add(1, Ordering::Relaxed);
        let text = self.files.get(path)?;
        // What no parser accepts.
        if text.is_empty() {
            return None;
        }
        Some(encode(bindings_of_text(path, text)?).into())
    }
}

const LIBRARY: [(&str, &str); 12] = [
    (
        "java/util/Bunch.java",
        "package java.util; public interface Bunch<T> { Holder<T> first(); }",
    ),
    (
        "java/lang/Object.java",
        "package java.lang; public class Object { public boolean equals(Object a0); public String toString(); }",
    ),
    (
        "java/lang/String.java",
        "package java.lang; public final class String implements CharSequence { public int length(); public Vessel vessel(); }",
    ),
    (
        "java/lang/CharSequence.java",
        "package java.lang; public interface CharSequence { int length(); }",
    ),
    (
        "java/lang/Vessel.java",
        "package java.lang; public class Vessel { public Vessel fill(int a0); public int size(); }",
    ),
    ("java/lang/Broken.java", ""),
    (
        "java/util/Collection.java",
        "package java.util; public interface Collection<E> extends Bunch<E> { boolean add(E a0); int size(); Holder<E> first(); }",
    ),
    (
        "java/util/List.java",
        "package java.util; public interface List<E> extends Collection<E> { E get(int a0); List<E> subList(int a0, int a1); }",
    ),
    (
        "java/util/Map.java",
        "package java.util; public interface Map<K, V> { V get(Object a0); interface Entry<K, V> { K getKey(); V getValue(); } }",
    ),
    (
        "java/util/Holder.java",
        "package java.util; public class Holder<T> { public Holder(T a0) {} public T held(); public <R> Holder<R> map(Turn<? super T, ? extends R> a0); }",
    ),
    (
        "java/util/Turn.java",
        "package java.util; public interface Turn<T, R> { R turn(T a0); }",
    ),
    (
        "java/awt/List.java",
        "package java.awt; public class List { public void add(String a0); public String get(int a0); }",
    ),
];

fn library() -> Arc<Texts> {
    Arc::new(Texts {
        files: LIBRARY.into_iter().collect(),
        read: AtomicUsize::new(0),
    })
}

fn workspace(files: &[(&str, &str)], library: &Arc<Texts>) -> Workspace {
    let mut workspace = Workspace::default();
    workspace.set_library(Dialect::Java, Arc::clone(library) as _);
    for (file, (path, text)) in (0..).zip(files) {
        insert(&mut workspace, file, path, text);
    }
    workspace
}

fn insert(workspace: &mut Workspace, file: FileNo, path: &str, text: &str) {
    let bindings = bindings_of_text(path, text).unwrap();
    workspace.insert(file, path, Dialect::Java, &bindings);
}

/// The definition whose name is the first text behind a mark in a file.
fn def_at(workspace: &Workspace, file: FileNo, text: &str, behind: &str) -> DefRef {
    let at = text.find(behind).unwrap() + behind.len();
    let resolver = Resolver::new(workspace);
    resolver.definition_at(file, at as u32).unwrap()
}

/// What is known of a declaration's uses: the line of each with its tier, and how many lead out.
fn uses(workspace: &Workspace, of: DefRef, text: &str) -> (Vec<(usize, ConfidenceTier)>, usize) {
    let SymbolUses {
        references,
        outside,
        ..
    } = Resolver::new(workspace).counted_references_of(&[of], true);
    let line = |at: u32| text[..at as usize].matches('\n').count() + 1;
    let references = references.iter().map(|of| (line(of.at), of.tier));
    (references.collect(), outside)
}

use ConfidenceTier::{Exact, Name, Related};

#[test]
fn members_of_library_types_are_outside_and_lead_on_to_the_workspace() {
    let text = "import java.util.*;
class Jar { int size() { return 0; } Jar fill(int a) { return this; } void run() { } }
class A { void g(List<Jar> jars, Vessel vessel, String s, Holder<Jar> holder) {
    jars.get(0).run();
    jars.subList(0, 1).get(0).run();
    jars.size();
    vessel.fill(1).size();
    s.vessel().fill(2);
    holder.held().run();
    holder.map(j -> j.fill(1)).held().run();
    new Holder<>(jars.get(1)).held().size();
    jars.first().held().run();
} }";
    let library = library();
    let workspace = workspace(&[("A.java", text)], &library);
    let run = def_at(&workspace, 0, text, "void ");
    assert_eq!(
        uses(&workspace, run, text),
        (
            vec![(4, Exact), (5, Exact), (9, Exact), (10, Exact), (12, Exact)],
            0
        )
    );
    let size = def_at(&workspace, 0, text, "class Jar { int ");
    assert_eq!(uses(&workspace, size, text), (vec![(11, Exact)], 2));
    let fill = def_at(&workspace, 0, text, "return 0; } Jar ");
    assert_eq!(uses(&workspace, fill, text), (vec![(10, Exact)], 2));
}

#[test]
fn what_a_member_implements_in_the_library_is_related() {
    let text = "import java.util.*;
class Own<V> implements Map<String, V> { public V get(Object key) { return null; } }
class Twin<V> implements Map<String, V> { public V get(Object key) { return null; } }
class A { void g(Map<String, A> any, Own<A> own, Twin<A> twin, List<A> list, Object o) {
    any.get(1);
    own.get(2);
    twin.get(3);
    list.get(4);
    o.equals(own);
} public boolean equals(Object o) { return o.toString() == null; } }";
    let library = library();
    let workspace = workspace(&[("A.java", text)], &library);
    let get = def_at(&workspace, 0, text, "public V ");
    // What implements the same beside it is another one.
    assert_eq!(
        uses(&workspace, get, text),
        (vec![(5, Related), (6, Exact)], 1)
    );
    let equals = def_at(&workspace, 0, text, "public boolean ");
    assert_eq!(uses(&workspace, equals, text), (vec![(9, Related)], 0));
}

#[test]
fn a_name_means_what_the_language_says_it_means() {
    let files = [
        ("a/Vessel.java", "package a; public class Vessel { public int size() { return 1; } }"),
        (
            "a/A.java",
            "package a; class A { void g(Vessel own, java.lang.Vessel other) { own.size(); other.size(); } }",
        ),
        (
            "b/B.java",
            "package b; import java.awt.List; class B { void g(List one, java.util.List<a.Vessel> two, Vessel none) {
one.get(0).length(); two.get(0).size(); none.size(); } }",
        ),
        (
            "c/C.java",
            "package c; import java.awt.*; import a.*; class C { void g(Vessel v, Missing m, Broken b) {\n v.size(); m.size(); b.size(); } }",
        ),
    ];
    let library = library();
    let workspace = workspace(&files, &library);
    let size = def_at(&workspace, 0, files[0].1, "public int ");
    let found = Resolver::new(&workspace).counted_references_of(&[size], true);
    let of_tier = |tier| {
        let all = found.references.iter().filter(move |of| of.tier == tier);
        all.map(|of| of.file).collect::<Vec<_>>()
    };
    assert_eq!(of_tier(Exact), [1, 2, 3]);
    // A library's file that cannot be read is none, and neither is a type that nobody declares.
    assert_eq!(of_tier(Name), [] as [FileNo; 0]);
    assert_eq!(found.outside, 4);
}

#[test]
fn nothing_is_read_before_a_question_leads_there_and_each_file_once() {
    let text = "class Jar { int size() { return 0; } }
class A { void g(Vessel v, Jar j) { v.size(); j.size(); } }";
    let library = library();
    let mut workspace = workspace(&[("A.java", text)], &library);
    assert_eq!(library.read.load(Ordering::Relaxed), 0);
    let size = def_at(&workspace, 0, text, "int ");
    assert_eq!(uses(&workspace, size, text), (vec![(2, Exact)], 1));
    let read = library.read.load(Ordering::Relaxed);
    assert!((1..5).contains(&read), "{read} files were read");
    assert_eq!(workspace.library_files_read(), read);
    assert_eq!(uses(&workspace, size, text), (vec![(2, Exact)], 1));
    assert_eq!(library.read.load(Ordering::Relaxed), read);
    // A name that the library brought is the same name in a file that comes later.
    let later = "class B { void g(Vessel v) { v.fill(1).size(); } int fill(int a) { return a; } }";
    insert(&mut workspace, 1, "B.java", later);
    let fill = def_at(&workspace, 1, later, "int ");
    assert_eq!(uses(&workspace, fill, later), (vec![], 1));
    assert_eq!(uses(&workspace, size, text).1, 2);
}

#[test]
fn answers_are_the_same_in_every_order_of_questions() {
    let text = "import java.util.*;
class Jar implements CharSequence { public int size() { return 0; } public int length() { return 1; } Jar fill(int a) { return this; } void run() { } }
class A extends Holder<Jar> { int held() { return 1; } boolean add(Jar j) { return true; } void g(List<Jar> jars, Vessel v, String s, Map<Jar, String> m) {
    jars.get(0).run(); jars.size(); v.fill(1).size(); s.vessel().fill(2); s.length(); jars.get(1).length();
    jars.add(null); held(); map(j -> j.fill(1)).held().run(); m.get(null).length(); m.get(null).vessel().size();
} }";
    let resolved = |order: &dyn Fn(usize) -> usize| {
        let library = library();
        let workspace = workspace(&[("A.java", text)], &library);
        let defs = Resolver::new(&workspace).definitions_in(0);
        let mut answers: Vec<_> = (0..defs.len())
            .map(|place| {
                let of = defs[order(place) % defs.len()];
                let found = Resolver::new(&workspace).counted_references_of(&[of], true);
                (of, found.references, found.outside)
            })
            .collect();
        answers.sort();
        answers.dedup();
        answers
    };
    let first = resolved(&|place| place);
    assert!(first.iter().any(|(.., outside)| *outside > 0));
    for step in [5, 7, 11, 13] {
        let count = first.len();
        // Steps that meet every place of a ring.
        if count % step != 0 {
            assert_eq!(resolved(&|place| place * step), first, "in steps of {step}");
        }
    }
}

const DOTNET: [(&str, &str); 3] = [
    (
        "System/Object.cs",
        "namespace System { public class Object { public virtual bool Equals(object a); } }",
    ),
    (
        "System/String.cs",
        "namespace System { public sealed class String { public bool Starts(string a); } }",
    ),
    (
        "System/Collections/Generic/ICollection.cs",
        "namespace System.Collections.Generic { public interface ICollection<T> { void Add(T a); } }",
    ),
];

#[test]
fn csharp_calls_own_members_before_extensions_and_none_of_a_class_interfaces() {
    let text = "using System.Collections.Generic;
static class E { public static bool Starts(this string s, char c) => true; public static int Extra(this string s) => 1; }
class Bag : ICollection<Bag> { public void Add(object o) { } void G(Bag b, string s, ICollection<Bag> c) {
    b.Add(b);
    c.Add(b);
    s.Starts(\"x\");
    s.Starts('x');
    s.Extra();
} }";
    let workspace = of_language(Dialect::CSharp, &DOTNET, &[("Bag.cs", text)]);
    let add = def_at(&workspace, 0, text, "public void ");
    let (found, _) = uses(&workspace, add, text);
    assert!(found.contains(&(4, Exact)), "{found:?}");
    assert!(!found.contains(&(5, Exact)), "{found:?}");
    let starts = def_at(&workspace, 0, text, "public static bool ");
    assert_eq!(uses(&workspace, starts, text), (vec![(7, Exact)], 1));
    let extra = def_at(&workspace, 0, text, "public static int ");
    assert_eq!(uses(&workspace, extra, text), (vec![(8, Exact)], 0));
}

/// A workspace of files in a language, with a library of texts.
fn of_language(
    dialect: Dialect,
    library: &[(&'static str, &'static str)],
    files: &[(&str, &str)],
) -> Workspace {
    let library = Texts {
        files: library.iter().copied().collect(),
        read: AtomicUsize::new(0),
    };
    let mut workspace = Workspace::default();
    workspace.set_library(dialect, Arc::new(library));
    for (file, (path, text)) in (0..).zip(files) {
        let bindings = bindings_of_text(path, text).unwrap();
        workspace.insert(file, path, dialect, &bindings);
    }
    workspace
}

const GO: [(&str, &str); 2] = [
    (
        "net/http/http.go",
        "package http

import \"net/url\"

type Header map[string][]string

func (h Header) Get(key string) string

type Request struct {
	Header Header
	URL    *url.URL
}
",
    ),
    (
        "net/url/url.go",
        "package url

type Values map[string][]string

func (v Values) Get(key string) string

type URL struct {
	Path string
}

func (u *URL) Query() Values
",
    ),
];

#[test]
fn go_finds_methods_fields_and_packages_of_its_own_packages() {
    let text = "package box

import \"net/http\"

type Box struct{ Path string }

func (b *Box) Get(key string) string { return b.Path }

func fill(r *http.Request, b *Box) {
	r.Header.Get(\"a\")
	r.URL.Query().Get(r.URL.Path)
	b.Get(\"c\")
}
";
    let workspace = of_language(Dialect::Go, &GO, &[("box.go", text)]);
    let get = def_at(&workspace, 0, text, "func (b *Box) ");
    assert_eq!(uses(&workspace, get, text), (vec![(12, Exact)], 2));
    let path = def_at(&workspace, 0, text, "type Box struct{ ");
    assert_eq!(uses(&workspace, path, text), (vec![(7, Exact)], 1));
}

const TYPESHED: [(&str, &str); 6] = [
    (
        "builtins.pyi",
        "from typing import Generic, TypeVar
_T = TypeVar('_T')
class object: ...
class str:
    def encode(self) -> bytes: ...
    def title(self) -> str: ...
class bytes:
    def hex(self) -> str: ...
class list(Generic[_T]):
    def append(self, object: _T, /) -> None: ...
def open(file: str) -> Stream: ...
class Stream:
    def read(self, size: int = -1) -> str: ...
",
    ),
    (
        "logging/__init__.pyi",
        "from .handlers import Handler
class Logger:
    def info(self, text: str) -> None: ...
    def handler(self) -> Handler: ...
def getLogger(name: str) -> Logger: ...
",
    ),
    (
        "logging/handlers.pyi",
        "class Handler:
    def close(self) -> None: ...
",
    ),
    (
        "queue.pyi",
        "class Queue:\n    def close(self) -> None: ...\n",
    ),
    (
        "typing.pyi",
        "class Any: ...\nGeneric: object\nTypeVar: object\n",
    ),
    ("broken.pyi", ""),
];

#[test]
fn python_finds_builtins_and_modules_unless_the_workspace_has_them() {
    let text = "import logging
import queue
from typing import Any


class Tin:
    def info(self, text): ...
    def close(self): ...
    def read(self): ...
    def append(self, tin): ...
    def hex(self): ...


def fill(tin: Tin, tins: list[Tin], names: list[str], one: Any, q: queue.Queue):
    log = logging.getLogger('a')
    log.info('b')
    log.handler().close()
    q.close()
    open('c').read()
    tins.append(tin)
    'd'.encode().hex()
    one.info()
    tins[0].info('e')
    tin.close()
";
    let own = "class Queue:\n    def close(self): ...\n";
    let files = [("tin.py", text), ("queue.py", own)];
    let workspace = of_language(Dialect::Python, &TYPESHED, &files);
    let of_tin = |member: &str| {
        let place = text.find(&format!("def {member}(")).unwrap() + 4;
        let def = Resolver::new(&workspace).definition_at(0, place as u32);
        uses(&workspace, def.unwrap(), text)
    };
    assert_eq!(of_tin("info"), (vec![(22, Name), (23, Exact)], 1));
    // The module of the workspace has the name of one of the library.
    assert_eq!(of_tin("close"), (vec![(24, Exact)], 1));
    let close = def_at(&workspace, 1, own, "    def ");
    assert_eq!(uses(&workspace, close, text).0, [(18, Exact)]);
    assert_eq!(of_tin("read"), (vec![], 1));
    assert_eq!(of_tin("append"), (vec![], 1));
    assert_eq!(of_tin("hex"), (vec![], 1));
}

const RUST: [(&str, &str); 6] = [
    (
        "std/lib.rs",
        "#[macro_export]\nmacro_rules! vec { () => {}; }\n",
    ),
    (
        "std/iter.rs",
        "use std::option::Option;
pub trait Iterator {
    type Item;
    fn next(&mut self) -> Option<Self::Item>;
    fn map<B, F>(self, f: F) -> Map<Self, F> where F: FnMut(Self::Item) -> B {}
}
pub struct Map<I, F> {
}
impl<B, I: Iterator, F> Iterator for Map<I, F> where F: FnMut(I::Item) -> B {
    type Item = B;
}
",
    ),
    (
        "std/option.rs",
        "pub enum Option<T> {
    None,
    Some(T),
}
impl<T> Option<T> {
    pub const fn unwrap(self) -> T;
}
",
    ),
    (
        "std/vec.rs",
        "use std::iter::Iterator;
pub struct Vec<T> {
}
pub struct IntoIter<T> {
}
impl<T> Vec<T> {
    pub fn into_iter(self) -> IntoIter<T>;
    pub fn len(&self) -> usize;
}
impl<T> Iterator for IntoIter<T> {
    type Item = T;
}
",
    ),
    (
        "std/os/unix/fs.rs",
        "pub trait FileExt {
    fn seek(&self) -> u8;
}
",
    ),
    (
        "std/prelude/rust_2021.rs",
        "pub use std::iter::Iterator;
pub use std::option::Option;
pub use std::vec::Vec;
",
    ),
];

#[test]
fn rust_calls_of_a_library_type_are_no_uses_of_what_implements_its_trait() {
    let text = "pub struct Item;
impl Item { pub fn go(&self) {} pub fn len(&self) {} }
pub struct Walk;
impl Iterator for Walk {
    type Item = Item;
    fn next(&mut self) -> Option<Item> { todo!() }
}
fn a(mut own: Walk) { own.next().unwrap().go(); }
fn b<T: Iterator>(mut any: T) { any.next(); }
fn c(all: Vec<Item>) { all.into_iter().next().unwrap().go(); all.len(); }
fn d(all: core::vec::IntoIter<Item>) { all.map(|item| item).next().unwrap().go(); }
fn e(all: alloc::vec::Vec<Item>) { all.into_iter().map(|item| item.go()).next(); }
fn f(file: &dyn std::os::unix::fs::FileExt) { file.seek(); }
";
    let workspace = of_language(Dialect::Rust, &RUST, &[("lib.rs", text)]);
    let next = def_at(&workspace, 0, text, "type Item = Item;\n    fn ");
    assert_eq!(
        uses(&workspace, next, text),
        (vec![(8, Exact), (9, Related)], 3)
    );
    let go = def_at(&workspace, 0, text, "impl Item { pub fn ");
    let lines: Vec<usize> = uses(&workspace, go, text)
        .0
        .iter()
        .map(|(line, _)| *line)
        .collect();
    assert_eq!(lines, [8, 10, 11, 12]);
    let len = def_at(&workspace, 0, text, "pub fn go(&self) {} pub fn ");
    assert_eq!(uses(&workspace, len, text), (vec![], 1));
}

#[test]
fn rust_names_of_the_workspace_hide_those_of_the_library() {
    let text = "pub struct Vec;
impl Vec { pub fn len(&self) {} }
fn a(own: Vec, other: std::vec::Vec<u8>) { own.len(); other.len(); }
mod inner { fn b(other: Vec<u8>) { other.len(); } }
";
    let workspace = of_language(Dialect::Rust, &RUST, &[("lib.rs", text)]);
    let len = def_at(&workspace, 0, text, "impl Vec { pub fn ");
    assert_eq!(uses(&workspace, len, text), (vec![(3, Exact)], 2));
}
