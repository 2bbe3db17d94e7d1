//! C#: the reference sources of dotnet/runtime's shared framework, `src/libraries/*/ref/*.cs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use codecortex_syntax::Language;
use tree_sitter::Node;

use super::syntax_reduction::{
    Reduction, broken_lines, field_text, named_children, parsed, reduced, text_of, tidied,
};
use super::{Description, files_below};

/// The assembly that has the types of the language itself. What another one repeats for older frameworks gives way.
const FIRST_ASSEMBLY: &str = "System.Runtime";

/// A type's namespace and name.
type TypeName = (String, String);

/// The types of the framework.
#[derive(Default)]
struct Types {
    /// For each name the assembly of each count of type parameters, and the declarations.
    declarations: BTreeMap<TypeName, BTreeMap<usize, (String, Vec<String>)>>,
    usings: BTreeMap<TypeName, BTreeSet<String>>,
}

/// Describes the framework of a checkout of dotnet/runtime.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let mut types = Types::default();
    for assembly in assemblies(folder)? {
        let references = folder.join("src/libraries").join(&assembly).join("ref");
        if references.is_dir() {
            for (path, text) in files_below(&references, ".cs")? {
                let text =
                    without_directives(&text).with_context(|| format!("{assembly}, {path}"))?;
                // the grammar does not know the three words together
                let text = text.replace("ref partial struct", "ref struct");
                add_file(&mut types, &assembly, &path, &text)?;
            }
        }
    }
    let mut files = Vec::new();
    for ((namespace, name), arities) in &types.declarations {
        let mut text = String::new();
        let usings = types.usings.get(&(namespace.clone(), name.clone()));
        for using in usings.into_iter().flatten() {
            writeln!(text, "{using}")?;
        }
        if !namespace.is_empty() {
            writeln!(text, "namespace {namespace};")?;
        }
        for declaration in arities.values().flat_map(|(_, declarations)| declarations) {
            text.push_str(declaration);
        }
        let folder = namespace.replace('.', "/");
        files.push((
            format!("{folder}/{name}.cs")
                .trim_start_matches('/')
                .to_owned(),
            text,
        ));
    }
    Ok(Description {
        language: "csharp",
        version: version(folder)?,
        files,
    })
}

/// The assemblies of the shared framework, the first one in front.
fn assemblies(folder: &Path) -> Result<Vec<String>> {
    let path = folder.join("src/libraries/NetCoreAppLibrary.props");
    let text =
        fs::read_to_string(&path).with_context(|| format!("{} is not read", path.display()))?;
    let list = text
        .split_once("<NetCoreAppLibrary>")
        .and_then(|(_, rest)| rest.split_once('<'));
    let (list, _) = list.context("NetCoreAppLibrary.props lists no libraries")?;
    let names = list
        .split(';')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort_by_key(|name| (name != FIRST_ASSEMBLY, name.clone()));
    Ok(names)
}

/// The version that `eng/Versions.props` states.
fn version(folder: &Path) -> Result<String> {
    let text = fs::read_to_string(folder.join("eng/Versions.props"))?;
    let value = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split_once('<').map(|(value, _)| value.trim())
    };
    let major = value("MajorVersion").context("Versions.props states no major version")?;
    let label = value("PreReleaseVersionLabel").zip(value("PreReleaseVersionIteration"));
    let label = label.filter(|(label, _)| !matches!(*label, "rtm" | "servicing" | ""));
    let label = label.map(|(label, number)| format!(" {label} {number}"));
    Ok(format!(".NET {major}{}", label.unwrap_or_default()))
}

/// The text that a compiler for the newest framework sees.
fn without_directives(text: &str) -> Result<String> {
    // of each `#if` that is open: whether its part is seen, and whether one was
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut kept = String::with_capacity(text.len());
    for line in text.trim_start_matches('\u{feff}').lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            if open.iter().all(|(is_seen, _)| *is_seen) {
                kept.extend([line, "\n"]);
            }
            continue;
        };
        if let Some(condition) = directive.strip_prefix("if ") {
            let holds = holds(condition)?;
            open.push((holds, holds));
        } else if let Some(condition) = directive.strip_prefix("elif ") {
            let holds = holds(condition)?;
            let last = open.last_mut().context("`#elif` without `#if`")?;
            *last = (!last.1 && holds, last.1 || holds);
        } else if directive.starts_with("else") {
            let last = open.last_mut().context("`#else` without `#if`")?;
            *last = (!last.1, true);
        } else if directive.starts_with("endif") {
            open.pop().context("`#endif` without `#if`")?;
        }
    }
    Ok(kept)
}

/// Whether a condition holds: symbols of .NET since 5 are defined, others are not.
fn holds(condition: &str) -> Result<bool> {
    let condition = condition.split("//").next().unwrap_or_default().trim();
    if condition.contains(['(', ')']) {
        bail!("a condition with brackets: {condition}");
    }
    Ok(condition.split("||").any(|any| {
        any.split("&&").all(|term| {
            let term = term.trim();
            let symbol = term.trim_start_matches('!');
            let is_defined = matches!(symbol, "NETCOREAPP" | "NET")
                || (symbol.starts_with("NET")
                    && symbol.ends_with("_OR_GREATER")
                    && !symbol.contains("FRAMEWORK"));
            is_defined != term.starts_with('!')
        })
    }))
}

fn add_file(types: &mut Types, assembly: &str, path: &str, text: &str) -> Result<()> {
    let tree = parsed(Language::CSharp, path, text)?;
    let broken = broken_lines(&tree, text);
    if !broken.is_empty() {
        bail!("{assembly}, {path}: syntax errors: {broken:#?}");
    }
    let mut usings = BTreeSet::new();
    let mut waiting = vec![(tree.root_node(), String::new())];
    while let Some((node, namespace)) = waiting.pop() {
        for child in named_children(node) {
            match child.kind() {
                "using_directive" => {
                    usings.insert(text_of(child, text).to_owned());
                }
                "namespace_declaration" => {
                    let name = field_text(child, "name", text);
                    let inner = match namespace.as_str() {
                        "" => name.to_owned(),
                        outer => format!("{outer}.{name}"),
                    };
                    if let Some(body) = child.child_by_field_name("body") {
                        waiting.push((body, inner));
                    }
                }
                kind if is_type(kind) && is_visible(child, text) => {
                    let name = (
                        namespace.clone(),
                        field_text(child, "name", text).to_owned(),
                    );
                    types
                        .usings
                        .entry(name.clone())
                        .or_default()
                        .extend(usings.iter().cloned());
                    let arities = types.declarations.entry(name).or_default();
                    let of = arities
                        .entry(arity(child))
                        .or_insert_with(|| (assembly.to_owned(), Vec::new()));
                    if of.0 == assembly {
                        of.1.push(declaration(child, text));
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "delegate_declaration"
    )
}

fn arity(node: Node<'_>) -> usize {
    let list = named_children(node).find(|child| child.kind() == "type_parameter_list");
    list.map_or(0, |list| {
        named_children(list)
            .filter(|child| child.kind() == "type_parameter")
            .count()
    })
}

/// Whether a declaration's modifiers make it public or protected.
fn is_visible(node: Node<'_>, text: &str) -> bool {
    let mut modifiers = named_children(node).filter(|child| child.kind() == "modifier");
    let mut is_visible = false;
    let is_private = modifiers.any(|modifier| {
        is_visible |= matches!(text_of(modifier, text), "public" | "protected");
        text_of(modifier, text) == "private"
    });
    is_visible && !is_private
}

/// A type's text with its public members, without bodies.
fn declaration(node: Node<'_>, text: &str) -> String {
    // an expression body has a semicolon behind it
    let kept = reduced(node, text, &mut |node| reduction(node, text)).replace(";;", ";");
    // what stood in a namespace's braces stands in none
    let indent = node.start_position().column;
    let lines = kept.lines().map(|line| {
        let blanks = line.len() - line.trim_start().len();
        line.get(blanks.min(indent)..).unwrap_or_default()
    });
    tidied(&lines.flat_map(|line| [line, "\n"]).collect::<String>())
}

fn reduction(node: Node<'_>, text: &str) -> Reduction {
    let is_interface = || {
        let parent = node.parent().and_then(|body| body.parent());
        parent.is_some_and(|parent| parent.kind() == "interface_declaration")
    };
    match node.kind() {
        "comment" | "constructor_initializer" | "destructor_declaration" => Reduction::Nothing,
        "block" | "arrow_expression_clause" => Reduction::Text(";".into()),
        "attribute_list" if text_of(node, text).contains("ObsoleteAttribute") => {
            Reduction::Text("[System.Obsolete]".into())
        }
        "attribute_list" => Reduction::Nothing,
        "method_declaration"
        | "property_declaration"
        | "indexer_declaration"
        | "event_declaration"
        | "event_field_declaration"
        | "field_declaration"
        | "constructor_declaration"
        | "operator_declaration"
        | "conversion_operator_declaration" => {
            let is_explicit =
                named_children(node).any(|child| child.kind() == "explicit_interface_specifier");
            if is_explicit || !(is_visible(node, text) || is_interface()) {
                Reduction::Nothing
            } else {
                Reduction::Parts
            }
        }
        kind if is_type(kind) => {
            let is_nested = node
                .parent()
                .is_some_and(|body| body.parent().is_some_and(|outer| is_type(outer.kind())));
            if is_nested && !is_visible(node, text) && !is_interface() {
                Reduction::Nothing
            } else {
                Reduction::Parts
            }
        }
        _ => Reduction::Parts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_and_hidden_members_go() {
        let text = "\
namespace A.B
{
    [X] public partial class List<T> : C.IList<T> where T : struct
    {
        private int a;
        internal List(int a) { }
        public List() : base(default(int)) { }
        ~List() { }
        public int Count { get { throw null; } protected set { } }
        void C.IList<T>.Add(T a) { }
        public static bool operator ==(List<T> a, [X(1)] List<T> b) { throw null; }
        public partial struct Enumerator { public bool MoveNext() { throw null; } private object _dummy; }
        public event C.Handler Changed { add { } remove { } }
    }
    public partial interface IList<T> { int Count { get; } }
    public delegate void List(int a);
    internal class Hidden { }
}
";
        let mut types = Types::default();
        add_file(&mut types, "A", "a.cs", text).expect("it parses");
        let names: Vec<_> = types
            .declarations
            .keys()
            .map(|(_, name)| name.as_str())
            .collect();
        assert_eq!(names, ["IList", "List"]);
        let lists = &types.declarations[&("A.B".to_owned(), "List".to_owned())];
        assert_eq!(lists[&0].1, ["public delegate void List(int a);\n"]);
        assert_eq!(
            lists[&1].1.concat(),
            "\
public partial class List<T> : C.IList<T> where T : struct
{
    public List();
    public int Count { get; protected set; }
    public static bool operator ==(List<T> a, List<T> b);
    public partial struct Enumerator { public bool MoveNext(); }
    public event C.Handler Changed { add; remove; }
}
"
        );
    }

    #[test]
    fn directives_are_decided_for_the_newest_framework() {
        let text = "#if !NETCOREAPP\na\n#elif NET5_0_OR_GREATER\nb\n#else\nc\n#endif\n#nullable enable\n#if X || NET\nd\n#endif\n";
        assert_eq!(without_directives(text).expect("it is whole"), "b\nd\n");
        assert!(without_directives("#endif").is_err());
    }
}
