//! No use of a name is nowhere: in generated programs each occurrence is in a tier, leads to another's, or is counted
//! as one that provably leads outside (SPEC X3).

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use codecortex_bind::{Dialect, bind_masked};
use codecortex_resolve::{FileNo, Resolver, Workspace};
use codecortex_syntax::{Language, as_parsed, parse};
use proptest::prelude::*;

/// The pieces that programs of a language are made of; `@` is the expression, `#` the name that is looked for.
struct Pieces {
    language: Language,
    dialect: Dialect,
    path: &'static str,
    /// What is declared first: the member is the first `#`.
    head: &'static str,
    /// Expressions whose type is known, comes from outside, or is nobody's.
    values: &'static [&'static str],
    /// What is done with an expression.
    steps: &'static [&'static str],
    /// What a use of the name stands in.
    places: &'static [&'static str],
    foot: &'static str,
}

const RUST: Pieces = Pieces {
    language: Language::Rust,
    dialect: Dialect::Rust,
    path: "src/lib.rs",
    head: "use std::sync::{Arc, Mutex};\nuse pkg::Wrapper;\npub struct Item { weight: u32 }\nimpl Item { pub fn #(&self) -> u32 { 1 } }\npub struct Other;\nimpl Other { pub fn #(&self) -> u32 { 2 } }\ntrait Has { type Out; fn get(&self) -> Self::Out; }\nfn make() -> Item { todo!() }\npub async fn f<T: Has<Out = Item>, U>(a: Item, o: Other, t: T, u: U, all: Vec<Item>, p: &std::path::Path, w: Wrapper<Item>, g: pkg::Guard, any: &dyn pkg::Any) {\n",
    values: &[
        "a",
        "o",
        "t.get()",
        "u",
        "all",
        "p",
        "w",
        "g",
        "any",
        "nowhere",
        "pkg::GLOBAL",
        "pkg::open(&a)",
        "Wrapper::new(make())",
        "Mutex::new(make())",
        "Arc::new(make())",
        "std::thread::spawn(make)",
        "std::iter::once(make())",
        "made!(a)",
        "vec![make()]",
        "(make(), 1)",
        "Some(make())",
        "1",
        "\"text\"",
        "|x| x",
        "pkg::sync::Lazy::new(|| make())",
        "async { make() }",
        "[make(); 2]",
        "&a",
        "Box::<Item>::default()",
    ],
    steps: &[
        ".iter()",
        ".next()",
        ".unwrap()",
        ".map(|x| x)",
        ".lock()",
        ".await",
        "?",
        "[0]",
        ".0",
        ".clone()",
        ".load()",
        ".collect::<Vec<_>>()",
        ".join()",
        ".weight",
        ".as_ref()",
        ".filter(|x| true)",
        ".zip(all.iter())",
        ".fold(make(), |x, _| x)",
        ".then(|x| make())",
        ".field",
    ],
    places: &[
        "    @.#();\n",
        "    let v = @; v.#();\n",
        "    println!(\"{}\", @.#());\n",
        "    own! { name: @.#(), other => 1 }\n",
        "    select! { x = @ => x.#(), y = a.get(), if @.#() > 1 => drop(y) }\n",
        "    for x in @ { x.#(); }\n",
        "    if let Some(x) = @ { x.#(); }\n",
        "    match @ { x if x.#() > 1 => {} _ => {} }\n",
        "    each(@, |x| x.#());\n",
        "    #[mark(\"{}\", @.#())] let z = 1;\n",
        "    let c = move || { @.#() };\n",
        "    Item::#(&@);\n",
        "    pkg::Any::#(&@);\n",
    ],
    foot: "}\n",
};

const JAVA: Pieces = Pieces {
    language: Language::Java,
    dialect: Dialect::Java,
    path: "A.java",
    head: "import java.util.*;\nimport java.util.concurrent.atomic.*;\nimport pkg.Wrapper;\nclass Item { int #() { return 1; } }\nclass Other { int #() { return 2; } }\nclass Late extends pkg.Base { }\nclass A<T, U extends Item> {\n    void f(Item a, Other o, T t, U u, List<Item> all, String s, Wrapper<Item> w, pkg.Guard g, Late late, Map<String, Item> map, Item[] array) {\n",
    values: &[
        "a",
        "o",
        "t",
        "u",
        "all",
        "s",
        "w",
        "g",
        "late",
        "map",
        "array",
        "nowhere",
        "pkg.Global.VALUE",
        "open(a)",
        "new Wrapper<>(a)",
        "new AtomicReference<>(a)",
        "new ArrayDeque<>(all)",
        "pkg.Tools.make(a)",
        "1",
        "\"text\"",
        "(Item) s",
        "new Object() { }",
        "Optional.of(a)",
        "List.of(a)",
        "new TreeMap<>(map)",
        "this",
        "Item.class",
    ],
    steps: &[
        ".iterator()",
        ".next()",
        ".get()",
        ".stream()",
        ".map(x -> x)",
        ".findFirst()",
        "[0]",
        ".values()",
        ".headMap(\"b\")",
        ".getValue()",
        ".clone()",
        ".field",
        ".orElseThrow()",
        ".filter(x -> true)",
        ".load()",
        ".toArray()",
        ".with(a)",
    ],
    places: &[
        "        @.#();\n",
        "        var v@ = @; v@.#();\n",
        "        for (var x : @) { x.#(); }\n",
        "        each(@, x -> x.#());\n",
        "        Runnable r@ = () -> @.#();\n",
        "        if (@ instanceof Item i@) { i@.#(); }\n",
        "        int n@ = b ? @.#() : 2;\n",
        "        each(@, Item::#);\n",
        "        new Object() { int q = @.#(); };\n",
        "        switch (@.#()) { case 1 -> @.#(); default -> { } }\n",
    ],
    foot: "    }\n}\n",
};

const PYTHON: Pieces = Pieces {
    language: Language::Python,
    dialect: Dialect::Python,
    path: "app/main.py",
    head: "import itertools, heapq, library\nfrom library import Wrapper, Base\nclass Item:\n    def #(self): return 1\nclass Other:\n    def #(self): return 2\nclass Late(Base): pass\ndef f(a: Item, o: Other, n, all: list[Item], w: Wrapper[Item], by: dict[str, Item], late: Late, *more, **named):\n",
    values: &[
        "a",
        "o",
        "n",
        "all",
        "w",
        "by",
        "late",
        "more",
        "named",
        "nowhere",
        "library.VALUE",
        "library.open(a)",
        "Wrapper(a)",
        "Late.objects",
        "heapq.heappop(all)",
        "itertools.chain(all)",
        "sorted(all, key=lambda x: x)",
        "[x for x in all]",
        "{**by}",
        "(a, 1)",
        "lambda x: x",
        "1.5",
        "\"text\"",
        "Item",
        "super(Late, late)",
    ],
    steps: &[
        ".get()",
        "[0]",
        ".values()",
        ".first()",
        ".pop()",
        "()",
        ".copy()",
        ".field",
        ".items()",
        ".result()",
        ".filter(lambda x: x)",
        "[1:]",
        ".__enter__()",
        ".objects",
    ],
    places: &[
        "    (@).#()\n",
        "    v@ = @; v@.#()\n",
        "    for x in (@): x.#()\n",
        "    with (@) as c: c.#()\n",
        "    [x.#() for x in (@)]\n",
        "    each(@, lambda x: x.#())\n",
        "    if isinstance(@, Item): (@).#()\n",
        "    print(f'{ (@).#()}')\n",
        "    match (@):\n        case Item() as x: x.#()\n        case _: pass\n",
        "    x, *y = @; x.#(); y.#()\n",
        "    Item.#(@)\n",
        "    del (@).#\n",
    ],
    foot: "",
};

const GO: Pieces = Pieces {
    language: Language::Go,
    dialect: Dialect::Go,
    path: "main.go",
    head: "package main\nimport (\n\t\"slices\"\n\t\"example.com/library\"\n)\ntype Item struct{ W int }\nfunc (i *Item) #() int { return 1 }\ntype Other struct{}\nfunc (o Other) #() int { return 2 }\ntype Late struct{ library.Base }\nfunc make1() (*Item, error) { return nil, nil }\nfunc f[T any](a *Item, o Other, t T, all []*Item, by map[string]Item, w library.Wrapper[Item], late Late, any1 any, c chan Item) {\n",
    values: &[
        "a",
        "o",
        "t",
        "all",
        "by",
        "w",
        "late",
        "any1",
        "c",
        "nowhere",
        "library.Value",
        "library.Open(a)",
        "slices.Clone(all)",
        "new(Item{W: 1})",
        "&Item{}",
        "any1.(*Item)",
        "func() *Item { return a }",
        "<-c",
        "[]Item{{W: 1}}",
        "1",
    ],
    steps: &[
        "[0]", "()", ".Get()", ".Field", "[1:]", ".Base", ".Load()", ".With(a)",
    ],
    places: &[
        "\t(@).#()\n",
        "\tv@ := @\n\tv@.#()\n",
        "\tfor _, x := range @ {\n\t\tx.#()\n\t}\n",
        "\tfor x := range @ {\n\t\tx.#()\n\t}\n",
        "\teach(@, func(x *Item) int { return x.#() })\n",
        "\tif x, ok := (@).(*Item); ok {\n\t\tx.#()\n\t}\n",
        "\tswitch x := (@).(type) {\n\tcase *Item:\n\t\tx.#()\n\tdefault:\n\t\t_ = x.#\n\t}\n",
        "\tgo (@).#()\n",
        "\tx@, err@ := @, error(nil)\n\tx@.#()\n\t_ = err@\n",
        "\t(*Item).#(@)\n",
    ],
    foot: "}\n",
};

/// A program, and where the name stands in it, the member first.
fn program(of: &Pieces, name: &str, uses: &[(usize, usize, Vec<usize>)]) -> (String, Vec<usize>) {
    let mut marked = of.head.to_owned();
    for (number, (place, value, steps)) in uses.iter().enumerate() {
        let mut value = of.values[value % of.values.len()].to_owned();
        for step in steps {
            value.push_str(of.steps[step % of.steps.len()]);
        }
        for (index, part) in of.places[place % of.places.len()].split('@').enumerate() {
            // A mark that ends a name makes it another one's, all others are the expression.
            let is_number = index > 0 && marked.ends_with(|last: char| last.is_ascii_alphabetic());
            if is_number {
                write!(marked, "{number}").unwrap();
            } else if index > 0 {
                marked.push_str(&value);
            }
            marked.push_str(part);
        }
    }
    marked.push_str(of.foot);
    let (mut text, mut places) = (String::new(), Vec::new());
    for (index, part) in marked.split('#').enumerate() {
        // Attributes begin with the sign as well.
        let is_attribute = index > 0 && part.starts_with('[');
        if is_attribute {
            text.push('#');
        } else if index > 0 {
            places.push(text.len());
            text.push_str(name);
        }
        text.push_str(part);
    }
    (text, places)
}

/// The uses of the member of a program that are nowhere.
fn lost(of: &Pieces, text: &str, places: &[usize]) -> Vec<String> {
    let readable = as_parsed(of.language, text).into_owned();
    let tree = parse(of.language, &readable, None).unwrap();
    let bindings = bind_masked(of.dialect, text, &readable, &tree);
    let mut workspace = Workspace::default();
    workspace.insert(0, of.path, of.dialect, &bindings);
    let resolver = Resolver::new(&workspace);
    let file: FileNo = 0;
    let member = resolver.definition_at(file, places[0] as u32).unwrap();
    let found = resolver.counted_references_of(&[member], true);
    let is_found = |at: &usize| found.references.iter().any(|of| of.at as usize == *at);
    let leads = |at: &usize| !resolver.definitions_at(file, *at as u32).is_empty();
    let rest = places[1..].iter().filter(|at| !is_found(at) && !leads(at));
    let rest: Vec<usize> = rest.copied().collect();
    if rest.len() <= found.outside {
        return Vec::new();
    }
    let line = |at: &usize| text[..*at].rsplit('\n').next().unwrap_or("").to_owned();
    rest.iter().map(line).collect()
}

fn uses() -> impl Strategy<Value = Vec<(usize, usize, Vec<usize>)>> {
    let steps = prop::collection::vec(0..100_usize, 0..4);
    prop::collection::vec((0..100_usize, 0..100_usize, steps), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_use_of_a_rust_method_is_nowhere(uses in uses()) {
        let (text, places) = program(&RUST, "poke", &uses);
        let lost = lost(&RUST, &text, &places);
        prop_assert!(lost.is_empty(), "{lost:#?}\n{text}");
    }

    #[test]
    fn no_use_of_a_python_method_is_nowhere(uses in uses()) {
        let (text, places) = program(&PYTHON, "poke", &uses);
        let lost = lost(&PYTHON, &text, &places);
        prop_assert!(lost.is_empty(), "{lost:#?}\n{text}");
    }

    #[test]
    fn no_use_of_a_go_method_is_nowhere(uses in uses()) {
        let (text, places) = program(&GO, "poke", &uses);
        let lost = lost(&GO, &text, &places);
        prop_assert!(lost.is_empty(), "{lost:#?}\n{text}");
    }

    #[test]
    fn no_use_of_a_java_method_is_nowhere(uses in uses()) {
        let (text, places) = program(&JAVA, "poke", &uses);
        let lost = lost(&JAVA, &text, &places);
        prop_assert!(lost.is_empty(), "{lost:#?}\n{text}");
    }
}
