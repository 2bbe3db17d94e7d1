//! The first pass: a symbol for everything that other files can name.

use std::rc::Rc;

use codecortex_analysis::Analysis;
use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, ScopeKind, flag};
use codecortex_index::{FileId, IndexedFile, SegmentKind, Symbol};
use codecortex_project::{Detail, ManifestKind, Project, Projects};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use codecortex_syntax::{Item, ItemKind, Language};
use rustc_hash::FxHashMap;

use crate::names;
use crate::names::Suffix;
use crate::view::ScipView;

/// What has a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SymbolOwner {
    /// A definition that is resolved.
    Def(DefRef),
    /// A declaration of a language that is not.
    Item(Symbol),
}

/// A symbol's number.
pub(crate) type SymbolNo = u32;

/// Every symbol that is not local to a file.
#[derive(Debug, Default)]
pub(crate) struct ScipSymbols {
    of: FxHashMap<SymbolOwner, SymbolNo>,
    texts: Vec<Rc<str>>,
    /// The file in which each is first declared: it says how the symbol relates to others.
    homes: Vec<FileNo>,
    /// Needed only while they are made.
    taken: FxHashMap<Rc<str>, SymbolNo>,
}

/// A symbol without what tells it from another of the same name.
struct UnnumberedSymbol {
    /// Up to the name.
    prefix: String,
    /// How much of it names the package.
    package: usize,
    name: String,
    suffix: Suffix,
}

impl UnnumberedSymbol {
    /// `file` is named where another file has taken the symbol without it.
    fn text(&self, file: Option<&str>, number: u32) -> String {
        let mut out = self.prefix[..self.package].to_owned();
        for part in file.into_iter().flat_map(|path| path.split('/')) {
            names::push(&mut out, part, Suffix::Namespace, 0);
        }
        out.push_str(&self.prefix[self.package..]);
        names::push(&mut out, &self.name, self.suffix, number);
        out
    }
}

impl ScipSymbols {
    /// The symbol of a definition, unless it is local to its file.
    pub(crate) fn symbol_of_node(&self, node: SymbolOwner) -> Option<SymbolNo> {
        self.of.get(&node).copied()
    }

    pub(crate) fn text(&self, symbol: SymbolNo) -> Rc<str> {
        let text = self.texts.get(symbol as usize);
        text.cloned().unwrap_or_else(|| "".into())
    }

    /// Whether a file is the first that declares a symbol.
    pub(crate) fn is_home(&self, symbol: SymbolNo, file: FileNo) -> bool {
        self.homes.get(symbol as usize) == Some(&file)
    }

    /// Lets go of what only making them needed.
    pub(crate) fn finish(mut self) -> Self {
        self.taken = FxHashMap::default();
        self
    }

    /// Names everything that a file declares for others.
    pub(crate) fn add_file(&mut self, code: &Analysis, query: &Resolver<'_>, id: FileId) {
        let Some(file) = code.index().file(id) else {
            return;
        };
        let package = package_of(code, file);
        let place = SymbolFile {
            code,
            view: ScipView::new(query, id, file),
            package: &package,
        };
        if query.dialect(id.0).is_none() {
            self.add_items(&place);
            return;
        }
        for def in place.view.defs.iter().copied() {
            let node = SymbolOwner::Def(def);
            if self.of.contains_key(&node) || !is_named_from_outside(query, def) {
                continue;
            }
            let group = query.symbol(def);
            let known = group
                .iter()
                .find_map(|part| self.symbol_of_node(SymbolOwner::Def(*part)));
            let symbol = match known {
                Some(symbol) => symbol,
                None => {
                    let Some(wanted) = self.wanted(&place, query, def) else {
                        continue;
                    };
                    let is_open = query.kind(def) == Some(DefKind::Namespace);
                    self.give(&place, &wanted, is_open)
                }
            };
            for part in group {
                self.of.entry(SymbolOwner::Def(part)).or_insert(symbol);
            }
            self.of.insert(node, symbol);
        }
    }

    fn add_items(&mut self, place: &SymbolFile<'_>) {
        for (index, item) in place.view.file.facts.items.iter().enumerate() {
            if item.kind == ItemKind::Extension || item.name.is_empty() {
                continue;
            }
            let symbol = Symbol {
                file: place.view.id,
                item: index as u32,
            };
            if let Some(wanted) = place.wanted_of_item(symbol, item) {
                let given = self.give(place, &wanted, item.kind.is_namespace());
                self.of.insert(SymbolOwner::Item(symbol), given);
            }
        }
    }

    /// A symbol that nobody has, or the same again of what is open: a namespace.
    fn give(
        &mut self,
        place: &SymbolFile<'_>,
        wanted: &UnnumberedSymbol,
        is_open: bool,
    ) -> SymbolNo {
        let mut text = wanted.text(None, 0);
        let mut path = None;
        let mut number = 0;
        while let Some(known) = self.taken.get(text.as_str()) {
            if is_open {
                return *known;
            }
            if path.is_none() && !self.is_home(*known, place.view.id.0) {
                path = Some(&*place.view.file.path);
            } else {
                number += 1;
            }
            text = wanted.text(path, number);
        }
        let symbol = self.texts.len() as SymbolNo;
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.homes.push(place.view.id.0);
        self.taken.insert(text, symbol);
        symbol
    }

    fn wanted(
        &self,
        place: &SymbolFile<'_>,
        query: &Resolver<'_>,
        def: DefRef,
    ) -> Option<UnnumberedSymbol> {
        let at = query.place(def)?;
        if let Some((symbol, item)) = place.view.item_named_at(at) {
            return place.wanted_of_item(symbol, item);
        }
        // What the index does not list is named after what it is written in.
        let (prefix, package) = match place.view.item_around(at) {
            Some((symbol, item)) => {
                let around = place.view.def_of(item);
                let known = around.and_then(|around| self.symbol_of_node(SymbolOwner::Def(around)));
                match known {
                    Some(known) => (self.text(known).to_string(), place.package.len()),
                    None => {
                        let wanted = place.wanted_of_item(symbol, item)?;
                        (wanted.text(None, 0), wanted.package)
                    }
                }
            }
            None => (place.module_prefix(), place.package.len()),
        };
        Some(UnnumberedSymbol {
            package: package.min(prefix.len()),
            prefix,
            name: query.name(def).to_owned(),
            suffix: suffix_of_def(query.kind(def)?),
        })
    }
}

/// A file whose declarations get symbols.
struct SymbolFile<'a> {
    code: &'a Analysis,
    view: ScipView<'a>,
    /// How its symbols begin.
    package: &'a str,
}

impl SymbolFile<'_> {
    fn wanted_of_item(&self, symbol: Symbol, item: &Item) -> Option<UnnumberedSymbol> {
        let mut segments = self.code.index().segments(symbol);
        let last = segments.pop()?;
        let mut prefix = self.package.to_owned();
        for segment in segments {
            let suffix = match segment.kind {
                SegmentKind::Namespace => Suffix::Namespace,
                SegmentKind::Type => Suffix::Type,
                SegmentKind::Member => Suffix::Method,
            };
            names::push(&mut prefix, segment.text, suffix, 0);
        }
        Some(UnnumberedSymbol {
            prefix,
            package: self.package.len(),
            name: last.text.to_owned(),
            suffix: suffix_of_item(item.kind),
        })
    }

    /// How symbols begin that are written right in the file.
    fn module_prefix(&self) -> String {
        let mut prefix = self.package.to_owned();
        for part in self.code.index().module_segments(self.view.file) {
            names::push(&mut prefix, part, Suffix::Namespace, 0);
        }
        prefix
    }
}

/// Whether other files can name it, or it belongs to something that they can.
fn is_named_from_outside(query: &Resolver<'_>, def: DefRef) -> bool {
    let Some(found) = query.definition(def) else {
        return false;
    };
    match found.kind {
        // Local where nobody can give it by name.
        DefKind::Parameter if found.flags & flag::MEMBER == 0 => {
            let gives_names = [Some(Dialect::Python), Some(Dialect::CSharp)];
            let is_of_function = query.scope_kind(def) == Some(ScopeKind::Function);
            is_of_function && gives_names.contains(&query.dialect(def.file))
        }
        DefKind::TypeParam | DefKind::Label => false,
        // A name of something else here has no symbol of its own.
        DefKind::Alias => query.without_aliases(vec![def]) == [def] && !query.is_local(def),
        _ => !query.is_local(def),
    }
}

fn suffix_of_item(kind: ItemKind) -> Suffix {
    match kind {
        ItemKind::Macro => Suffix::Macro,
        _ if kind.is_namespace() => Suffix::Namespace,
        _ if kind.is_type() => Suffix::Type,
        ItemKind::Function
        | ItemKind::Method
        | ItemKind::Constructor
        | ItemKind::Destructor
        | ItemKind::Operator => Suffix::Method,
        _ => Suffix::Term,
    }
}

fn suffix_of_def(kind: DefKind) -> Suffix {
    match kind {
        DefKind::Namespace | DefKind::Module => Suffix::Namespace,
        DefKind::Macro => Suffix::Macro,
        DefKind::Parameter => Suffix::Parameter,
        DefKind::TypeAlias => Suffix::Type,
        _ if kind.is_type() => Suffix::Type,
        _ if kind.is_callable() => Suffix::Method,
        _ => Suffix::Term,
    }
}

/// How the symbols of a file begin: scheme, and the package that its project makes.
fn package_of(code: &Analysis, file: &IndexedFile) -> String {
    let projects = code.projects().get(file.root as usize);
    let projects = projects.and_then(|projects| projects.model());
    let project = projects.and_then(|projects| nearest(projects, &file.path));
    let project = project.filter(|project| publishes(project.kind, file.facts.language));
    let Some(project) = project else {
        return names::package("", "", "");
    };
    let (manager, name, version) = match &project.detail {
        Detail::Npm(npm) => ("npm", project.name.clone(), npm.version.as_deref()),
        Detail::TypeScript(_) => ("npm", project.name.clone(), None),
        Detail::Python(python) => ("pip", project.name.clone(), python.version.as_deref()),
        Detail::Cargo(cargo) => ("cargo", project.name.clone(), cargo.version.as_deref()),
        Detail::Dotnet(dotnet) => (
            "nuget",
            dotnet.assembly_name.clone(),
            dotnet.version.as_deref(),
        ),
        Detail::Go(go) => ("gomod", go.module.clone(), None),
        Detail::Jvm(jvm) => {
            let artifact = jvm.artifact.trim_matches(':').replace(':', "-");
            let name = match &jvm.group {
                Some(group) => format!("{group}/{artifact}"),
                None => artifact,
            };
            ("maven", name, jvm.version.as_deref())
        }
        Detail::Native(_) | Detail::None {} => ("", String::new(), None),
    };
    names::package(manager, &name, version.unwrap_or(""))
}

/// The project that publishes a file: of a folder with a `package.json` and a `tsconfig.json` the package.
fn nearest<'p>(projects: &'p Projects, path: &str) -> Option<&'p Project> {
    let id = projects
        .of_kind(path, ManifestKind::Npm)
        .filter(|_| {
            projects
                .project_of(path)
                .and_then(|id| projects.get(id))
                .is_some_and(is_script)
        })
        .or_else(|| projects.project_of(path))?;
    projects.get(id)
}

/// Whether a project of this kind is how code of this language is handed on, not merely around it.
fn publishes(kind: ManifestKind, language: Language) -> bool {
    match kind {
        ManifestKind::TypeScript | ManifestKind::Npm => matches!(
            language,
            Language::TypeScript | Language::Tsx | Language::JavaScript
        ),
        ManifestKind::Python => language == Language::Python,
        ManifestKind::Cargo => language == Language::Rust,
        ManifestKind::Go => language == Language::Go,
        ManifestKind::Maven | ManifestKind::Gradle => matches!(
            language,
            Language::Java | Language::Kotlin | Language::Scala
        ),
        ManifestKind::CSharp | ManifestKind::Shared => language == Language::CSharp,
        _ => false,
    }
}

fn is_script(project: &Project) -> bool {
    matches!(project.kind, ManifestKind::TypeScript | ManifestKind::Npm)
}
