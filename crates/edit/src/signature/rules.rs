//! Rules that refuse a change of a signature before any call is looked at.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, ScopeKind, flag};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use tree_sitter::Node;

use crate::identifiers::name_problem;
use crate::refusal::{Refusal, RefusalKind};
use crate::signature::SignatureWish;
use crate::signature::parameters::ParameterList;
use crate::tree::{children, descendants, text_of};

/// Whether it makes an instance of its type.
pub(crate) fn is_constructor(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let is_python = resolver.dialect(def.file) == Some(Dialect::Python);
    resolver.kind(def) == Some(DefKind::Constructor)
        || is_python && resolver.name(def) == "__init__" && resolver.owner_of(def).is_some()
}

/// Refuses what is no function of a language whose calls are known, and names that a parameter cannot have.
pub(super) fn check_subject(
    resolver: &Resolver<'_>,
    def: DefRef,
    wish: &SignatureWish,
) -> Result<(), Refusal> {
    let at = resolver.place(def).unwrap_or_default();
    let refuse = |kind, message: String| Err(Refusal::new(kind, message).at([(def.file, at)]));
    let unsupported = |message: &str| refuse(RefusalKind::Unsupported, message.to_owned());
    let (Some(found), Some(dialect)) = (resolver.definition(def), resolver.dialect(def.file))
    else {
        return unsupported("The file is not in the index.");
    };
    let is_script = matches!(dialect, Dialect::TypeScript | Dialect::JavaScript);
    let is_known = is_script
        || matches!(
            dialect,
            Dialect::Python
                | Dialect::Rust
                | Dialect::CSharp
                | Dialect::Java
                | Dialect::Go
                | Dialect::Cpp
                | Dialect::C
        );
    if !is_known {
        return unsupported("Signatures of this language are not changed yet.");
    }
    if resolver.workspace().is_external(def.file) {
        return refuse(
            RefusalKind::Unsure,
            format!(
                "`{}` is declared outside of the workspace.",
                resolver.name(def)
            ),
        );
    }
    let bound = resolver.workspace().file(def.file);
    let holds_function = is_script
        && matches!(found.kind, DefKind::Variable | DefKind::Constant)
        && bound.is_some_and(|bound| matches!(bound.expr(found.value), Expr::Function { .. }));
    match found.kind {
        DefKind::Function | DefKind::Method | DefKind::Constructor => {}
        _ if holds_function => {}
        kind if kind.is_type() => {
            return unsupported("It is a type: point at its constructor.");
        }
        _ => return unsupported("It is no function that is declared by its name."),
    }
    if found.flags & (flag::GETTER | flag::SETTER) != 0 {
        return unsupported("It is read or written like a field.");
    }
    if found.flags & (flag::GENERATOR | flag::UNWRITTEN) == flag::UNWRITTEN {
        return unsupported("It has no name that calls use.");
    }
    let name = resolver.name(def);
    if found.kind != DefKind::Constructor && name_problem(dialect, name).is_some() {
        return unsupported("It is called by a sign of the language.");
    }
    if let Some(message) = found_by_runner(resolver, def, dialect) {
        return refuse(RefusalKind::Unsure, message);
    }
    let SignatureWish::Add { name, ty, .. } = wish else {
        return Ok(());
    };
    if name_problem(dialect, name).is_some() {
        let message = format!("`{name}` is no identifier of {dialect:?}.");
        return Err(Refusal::new(RefusalKind::InvalidName, message));
    }
    let needs_type = !matches!(
        dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Python
    );
    if needs_type && ty.is_empty() {
        let message = format!("A parameter of {dialect:?} needs a type: `{name}:type=argument`.");
        return Err(Refusal::new(RefusalKind::InvalidName, message));
    }
    Ok(())
}

/// Functions that a test runner calls by their names, with arguments of its own.
fn found_by_runner(resolver: &Resolver<'_>, def: DefRef, dialect: Dialect) -> Option<String> {
    let path = resolver.workspace().path(def.file)?;
    let file = path.rsplit('/').next()?;
    let name = resolver.name(def);
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    let is_found = match dialect {
        Dialect::Go => {
            file.ends_with("_test.go")
                && resolver.owner_of(def).is_none()
                && begins(&["Test", "Benchmark", "Example", "Fuzz"])
        }
        Dialect::Python => {
            let is_test = file.starts_with("test_") || file.ends_with("_test.py");
            is_test && begins(&["test"]) || file == "conftest.py" && begins(&["pytest_"])
        }
        _ => false,
    };
    is_found.then(|| format!("`{name}` is found by its name: a test runner calls it."))
}

/// Decorators, annotations and attributes that neither call a function nor change its parameters: those of the languages
/// themselves.
const HARMLESS_ATTRIBUTES: &[(Dialect, &[&str])] = &[
    (
        Dialect::Python,
        &[
            "staticmethod",
            "classmethod",
            "abstractmethod",
            "final",
            "override",
            "contextmanager",
            "asynccontextmanager",
            "lru_cache",
            "cache",
            "deprecated",
            "no_type_check",
        ],
    ),
    (
        Dialect::Java,
        &[
            "Override",
            "Deprecated",
            "SuppressWarnings",
            "SafeVarargs",
            "Nullable",
            "NonNull",
            "NotNull",
            "Nonnull",
        ],
    ),
    (
        Dialect::CSharp,
        &[
            "Obsolete",
            "MethodImpl",
            "Pure",
            "EditorBrowsable",
            "DebuggerStepThrough",
        ],
    ),
    (
        Dialect::Rust,
        &[
            "inline",
            "must_use",
            "cfg",
            "cfg_attr",
            "allow",
            "expect",
            "warn",
            "deny",
            "doc",
            "deprecated",
            "track_caller",
            "cold",
            "target_feature",
        ],
    ),
];

/// Refuses a function with a decorator, annotation or attribute by which something else may call it.
pub(super) fn check_attributes(
    resolver: &Resolver<'_>,
    list: &ParameterList<'_>,
    text: &str,
) -> Result<(), Refusal> {
    let Some(dialect) = resolver.dialect(list.def.file) else {
        return Ok(());
    };
    let harmless = HARMLESS_ATTRIBUTES.iter().find(|(of, _)| *of == dialect);
    let harmless = harmless.map_or(&[][..], |(_, names)| names);
    for attribute in attributes_of(list.declaration) {
        let written = text_of(attribute, text);
        let name = attribute_name(written);
        if !harmless.contains(&name) {
            let message = format!("`{written}` may call it, or give it other parameters.");
            let at = attribute.start_byte() as u32;
            return Err(Refusal::new(RefusalKind::Unsure, message).at([(list.def.file, at)]));
        }
    }
    Ok(())
}

/// The last name of what stands behind the signs of an attribute: `b` of `@a.b(c)`.
fn attribute_name(written: &str) -> &str {
    let head = written.trim_start_matches(['@', '#', '!', '[', ' ']);
    let end = head.find(|letter: char| !(letter.is_alphanumeric() || "_.:".contains(letter)));
    let path = head.get(..end.unwrap_or(head.len())).unwrap_or_default();
    path.rsplit(['.', ':']).next().unwrap_or_default()
}

/// The decorators, annotations and attributes of a declaration.
pub(crate) fn attributes_of(declaration: Node<'_>) -> Vec<Node<'_>> {
    let is_attribute = |node: &Node<'_>| {
        matches!(
            node.kind(),
            "decorator"
                | "annotation"
                | "marker_annotation"
                | "attribute"
                | "attribute_item"
                | "attribute_declaration"
        )
    };
    let mut found = Vec::new();
    let mut holder = declaration;
    if let Some(parent) = declaration.parent().filter(|parent| {
        matches!(
            parent.kind(),
            "decorated_definition" | "export_statement" | "template_declaration"
        )
    }) {
        holder = parent;
    }
    for node in [holder, declaration] {
        for child in children(node) {
            match child.kind() {
                "modifiers" | "attribute_list" => {
                    let inside = descendants(child, |node| !is_attribute(&node));
                    found.extend(inside.into_iter().filter(is_attribute));
                }
                _ if is_attribute(&child) => found.push(child),
                _ => {}
            }
        }
        let mut before = node.prev_named_sibling();
        while let Some(sibling) = before {
            if !(is_attribute(&sibling) || sibling.kind().contains("comment")) {
                break;
            }
            if is_attribute(&sibling) {
                found.push(sibling);
            }
            before = sibling.prev_named_sibling();
        }
    }
    found.sort_by_key(|node| node.start_byte());
    found.dedup_by_key(|node| node.id());
    found
}

/// Refuses the name of a new parameter that is used or declared in a function already.
pub(super) fn check_new_name(
    resolver: &Resolver<'_>,
    list: &ParameterList<'_>,
    new: &str,
) -> Result<(), Refusal> {
    let workspace = resolver.workspace();
    let file = list.def.file;
    let local = workspace.file(file).and_then(|bound| {
        let local = bound.local(workspace.name(new)?)?;
        Some((bound, local))
    });
    let Some((bound, local)) = local else {
        return Ok(());
    };
    let declared = bound.defs_of(local).map(|def| bound.def(def).at);
    let used = bound.uses().filter_map(|(expr, name, at, _)| {
        let is_name = matches!(bound.expr(expr), Expr::Name { .. });
        (name == local && is_name).then_some(at)
    });
    let mut places: Vec<u32> = declared.chain(used).collect();
    places.retain(|at| list.extent.contains(at));
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        return Ok(());
    }
    let message = format!("`{new}` is used in the function already.");
    let refusal = Refusal::new(RefusalKind::Taken, message);
    Err(refusal.at(places.into_iter().map(|at| (file, at))))
}

/// Refuses a change after which another function of the name could be called with as many arguments.
pub(super) fn check_overloads(
    resolver: &Resolver<'_>,
    lists: &[ParameterList<'_>],
    name: &str,
    change: isize,
) -> Result<(), Refusal> {
    let family: Vec<DefRef> = lists.iter().map(|list| list.def).collect();
    let mut others = resolver.name_clashes(&family, name);
    for def in &family {
        if resolver.kind(*def) == Some(DefKind::Constructor) {
            let owner = resolver.owner_of(*def);
            others.extend(
                owner
                    .iter()
                    .flat_map(|owner| resolver.constructors_of(*owner)),
            );
        }
    }
    others.retain(|def| !family.contains(def));
    let counts: Vec<usize> = lists
        .iter()
        .map(|list| list.parameters.len().saturating_add_signed(change))
        .collect();
    let clash = others.iter().find(|other| {
        let Some(bound) = resolver.workspace().file(other.file) else {
            return false;
        };
        let is_callable = resolver
            .kind(**other)
            .is_some_and(|kind| kind.is_callable());
        let params: Vec<_> = bound
            .params(other.def)
            .map(|def| bound.def(def).flags)
            .filter(|flags| flags & flag::RECEIVER == 0)
            .collect();
        let open = flag::VARIADIC | flag::OPTIONAL;
        let least = params.iter().filter(|flags| **flags & open == 0).count();
        let is_open = params.iter().any(|flags| flags & flag::VARIADIC != 0);
        let fits = |count: &usize| least <= *count && (is_open || *count <= params.len());
        is_callable && counts.iter().any(fits)
    });
    match clash {
        Some(other) => {
            let message = format!("Another `{name}` can be called with as many arguments.");
            let at = resolver.place(*other).unwrap_or_default();
            Err(Refusal::new(RefusalKind::Taken, message).at([(other.file, at)]))
        }
        None => Ok(()),
    }
}

/// Refuses a method that a function without a name may implement: the only abstract one of an interface of Java.
pub(super) fn check_functional_interface(
    resolver: &Resolver<'_>,
    list: &ParameterList<'_>,
) -> Result<(), Refusal> {
    let def = list.def;
    if resolver.dialect(def.file) != Some(Dialect::Java) {
        return Ok(());
    }
    let owner = resolver.owner_of(def);
    let is_interface = owner.and_then(|owner| resolver.kind(owner)) == Some(DefKind::Interface);
    let has_body = |node: Node<'_>| node.child_by_field_name("body").is_some();
    if !is_interface || has_body(list.declaration) {
        return Ok(());
    }
    let siblings = list.declaration.parent().map(children).unwrap_or_default();
    let others = siblings.iter().filter(|node| {
        node.kind() == "method_declaration"
            && !has_body(**node)
            && node.id() != list.declaration.id()
    });
    if others.count() > 0 {
        return Ok(());
    }
    let message =
        "Functions without a name may implement it: it is the only method of its interface.";
    let at = resolver.place(def).unwrap_or_default();
    Err(Refusal::new(RefusalKind::Unsure, message).at([(def.file, at)]))
}

/// Whether a function is a member of an interface or object type of TypeScript, which literals may implement.
pub(super) fn may_be_literal(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let is_script = matches!(
        resolver.dialect(def.file),
        Some(Dialect::TypeScript | Dialect::JavaScript)
    );
    let owner = resolver
        .owner_of(def)
        .and_then(|owner| resolver.kind(owner));
    is_script
        && (owner == Some(DefKind::Interface)
            || resolver.scope_kind(def) == Some(ScopeKind::Object))
}

/// The words of a file that are spelled like a name in code and that nothing resolves.
pub(super) fn unresolved_words(
    resolver: &Resolver<'_>,
    file: FileNo,
    text: &str,
    name: &str,
) -> Vec<u32> {
    use crate::rename::plan::WrittenNames;
    use crate::words::{WordHolder, WordHolders, words_like};

    let written = WrittenNames::new(resolver, file);
    let path = resolver.workspace().path(file).unwrap_or_default();
    let mut holders: Option<WordHolders> = None;
    let mut found = Vec::new();
    for at in words_like(text, name) {
        if written.is_written(at) || at > 0 && written.is_written(at - 1) {
            continue;
        }
        let holders = holders.get_or_insert_with(|| WordHolders::new(path, text));
        if holders.holder_of(at) == WordHolder::Code {
            found.push(at);
        }
    }
    found
}
