//! `codecortex_getTypeMembers`: what a type has, inherited members included (SPEC R3).

use codecortex_analysis::external::{self, need_assemblies};
use codecortex_analysis::generated::{is_in_generated, need_declarations};
use codecortex_analysis::place::ResolvedSymbol;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::{check_text, parse};
use codecortex_answer::cursor::{MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use codecortex_syntax::{ItemFlags, ItemKind, Visibility};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed, boxed_reply};
use crate::invocation::Invocation;
use crate::tool_use::ToolUse;
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::several::{SeveralData, SymbolArgument, for_each};
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_getTypeMembers`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MembersArgs {
    /// The type's name, path, id or `file:line`; or a list.
    #[schemars(with = "SymbolArgument")]
    name: String,
    /// Namespace or module of the type.
    #[schemars(extend("x-profile" = "full"))]
    namespace: Option<String>,
    /// Inherited members too; true by default.
    include_inherited: Option<bool>,
    /// Documentation too.
    include_docs: Option<bool>,
    /// Only these kinds, such as `method`, `field`.
    kinds: Option<Vec<String>>,
    /// `nextCursor` of a page.
    cursor: Option<String>,
}

/// Answer of `codecortex_getTypeMembers`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MembersData {
    resolved: ResolvedSymbol,
    /// The type.
    r#type: TypeData,
    /// Number on all pages.
    total: u32,
    /// Its own first, then those of each base.
    members: Vec<MemberData>,
    #[serde(flatten)]
    several: SeveralData,
    #[serde(flatten)]
    common: Common,
}

/// The type.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TypeData {
    kind: &'static str,
    name: String,
    path: String,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
    /// Bases outside of the workspace: their members are not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    external_bases: Vec<String>,
}

/// One member.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MemberData {
    kind: &'static str,
    name: String,
    signature: String,
    visibility: &'static str,
    #[serde(rename = "static", skip_serializing_if = "std::ops::Not::not")]
    is_static: bool,
    /// The base that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
    /// Names of attributes, decorators and specifiers; `editorOnly` in an arm of `#if EDITOR`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

struct Members {
    resolved: ResolvedSymbol,
    r#type: TypeData,
    page: Vec<MemberData>,
    paging: Paging,
    unsaved: bool,
}

/// Bases whose members are gathered.
const MAX_BASES: usize = 200;

/// The type whose members are asked for, and where they come from.
struct MembersQuery {
    symbol: Symbol,
    resolved: ResolvedSymbol,
    kinds: Vec<ItemKind>,
    with_docs: bool,
    start: usize,
    /// The nearest first.
    bases: Vec<DefRef>,
    external_bases: Vec<String>,
    /// Whether the type names more bases than are known.
    lacks_bases: bool,
    /// Of the type's parts and of its bases.
    files: Vec<FileNo>,
    /// What the type has that is an alias, of others than itself.
    of_alias: Vec<DefRef>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Members, ToolError> {
    let args: MembersArgs = parse(args)?;
    let wanted = cx.look(|cx| Ok(wanted(cx, &args)?)).await?;
    answer(cx, wanted).await
}

/// The members of a type, with what they need of other files.
async fn answer(cx: CallContext, wanted: MembersQuery) -> Result<Members, ToolError> {
    if wanted.lacks_bases {
        let file = wanted.symbol.file.0;
        let packages = |cx: &Invocation<'_>| need_assemblies(cx, file);
        cx.look(packages).await?;
    }
    cx.look(|cx| {
        need_declarations(cx, wanted.files.iter().copied())?;
        need_texts_of_keys(cx, &wanted)
    })
    .await?;
    cx.view(|cx| Members::new(cx, wanted)).await
}

fn wanted(cx: &Invocation<'_>, args: &MembersArgs) -> Result<MembersQuery, ToolError> {
    let kinds = kinds(args)?;
    let start = read_cursor(args.cursor.as_deref())?;
    let found = type_meant(cx, &args.name, args.namespace.as_deref())?;
    let query = MembersQuery::new(cx, found, args.include_inherited.unwrap_or(true));
    Ok(MembersQuery {
        kinds,
        with_docs: args.include_docs.unwrap_or(false),
        start,
        ..query
    })
}

/// Every member of a type that was found.
pub(super) async fn members_of(
    cx: CallContext,
    found: (Symbol, ResolvedSymbol),
    cursor: Option<&str>,
) -> Result<Box<dyn Reply>, ToolError> {
    let start = read_cursor(cursor)?;
    let query = cx
        .look(|cx| {
            let query = MembersQuery::new(cx, found.clone(), true);
            Ok(MembersQuery {
                with_docs: true,
                start,
                ..query
            })
        })
        .await?;
    Ok(Box::new(answer(cx, query).await?))
}

impl MembersQuery {
    fn new(
        cx: &Invocation<'_>,
        (symbol, resolved): (Symbol, ResolvedSymbol),
        with_inherited: bool,
    ) -> Self {
        let names = cx.names();
        let query = Resolver::new(names.workspace());
        let def = cx.def_of(&query, symbol);
        let def = def.filter(|def| !query.is_by_name(def.file));
        let kind = cx.index.get(symbol).map(|(_, item)| item.kind);
        // What is assigned a class without a name has the bases of that.
        let def = def.map(|def| match query.types_meant(def)[..] {
            [class] if kind.is_some_and(is_class) => class,
            _ => def,
        });
        let (bases, outside) = match def.filter(|_| with_inherited) {
            Some(def) => query.all_supertypes(def, MAX_BASES),
            None => Default::default(),
        };
        let outside = outside.into_iter().map(|name| query.text(name).to_owned());
        let mut external_bases: Vec<String> = outside.collect();
        external_bases.sort();
        external_bases.dedup();
        let is_alias = kind.is_some_and(|kind| !is_class(kind));
        // What embedding promotes is inherited, what an alias means is its own.
        let of_alias = def
            .filter(|_| with_inherited || is_alias)
            .map_or_else(Vec::new, |def| query.members_of_alias(def));
        let parts = def.iter().flat_map(|def| query.symbol(*def));
        let parts = parts.chain(of_alias.iter().copied());
        let files = parts.chain(bases.iter().copied()).map(|part| part.file);
        Self {
            symbol,
            resolved,
            kinds: Vec::new(),
            with_docs: false,
            start: 0,
            files: files.collect(),
            bases,
            external_bases,
            lacks_bases: def.is_some_and(|def| {
                external::lacks_bases(cx, symbol, query.supertypes(def).0.len())
            }),
            of_alias,
        }
    }
}

/// Whether a declaration is a type itself, and no other name of one.
fn is_class(kind: ItemKind) -> bool {
    kind.is_type() && kind != ItemKind::TypeAlias
}

/// Makes sure that the texts are here of members that the index has not: keys of object types inside of other types.
fn need_texts_of_keys(cx: &Invocation<'_>, wanted: &MembersQuery) -> Result<(), Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let keys = wanted.of_alias.iter();
    let keys = keys.filter(|key| cx.symbol_of(&query, **key).is_none());
    cx.need_texts(keys.map(|key| key.file))
}

/// Its own members, and those of its bases that nothing nearer replaces.
fn gather(cx: &Invocation<'_>, wanted: &MembersQuery) -> Vec<MemberData> {
    let MembersQuery {
        symbol,
        kinds,
        with_docs,
        bases,
        ..
    } = wanted;
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let mut members = own_members(cx, *symbol, kinds, *with_docs, None);
    let mut known: FxHashSet<MemberShape> = members.iter().map(MemberShape::from_member).collect();
    for base in bases {
        let Some(base) = cx.symbol_of(&query, *base) else {
            continue;
        };
        let path = cx.index.path_of(base);
        let inherited = own_members(cx, base, kinds, *with_docs, Some(&path));
        // What the type itself or a nearer base replaces is not there a second time; nor is what a base
        // has twice.
        let is_new = |member: &MemberData| known.insert(MemberShape::from_member(member));
        members.extend(inherited.into_iter().filter(is_new));
    }
    for member in &wanted.of_alias {
        let data = match cx.symbol_of(&query, *member) {
            Some(found) => member_of_alias(cx, *symbol, found, wanted),
            None => key_of_alias(cx, *member, kinds),
        };
        members.extend(data.filter(|member| known.insert(MemberShape::from_member(member))));
    }
    members
}

/// A member of what an alias means, with the type that it is of unless that is the alias itself.
fn member_of_alias(
    cx: &Invocation<'_>,
    alias: Symbol,
    member: Symbol,
    wanted: &MembersQuery,
) -> Option<MemberData> {
    let path = cx.index.path_of(member);
    let of = path.rsplit_once('.').map_or("", |(of, _)| of);
    let is_own = of == cx.index.path_of(alias);
    let from = (!is_own && !of.is_empty()).then_some(of);
    member_data(cx, member, &wanted.kinds, wanted.with_docs, from)
}

/// A key of an object type that stands in another type: the index has none of it, so its text says what it is.
fn key_of_alias(cx: &Invocation<'_>, key: DefRef, kinds: &[ItemKind]) -> Option<MemberData> {
    let names = cx.names();
    let workspace = names.workspace();
    let bound = workspace.file(key.file)?;
    let def = bound.def(key.def);
    let kind = match def.kind.is_callable() {
        true => ItemKind::Method,
        false => ItemKind::Field,
    };
    if !kinds.is_empty() && !kinds.contains(&kind) {
        return None;
    }
    let text = cx.text_of_file(FileId(key.file)).ok()?;
    let written = text
        .snapshot
        .text
        .slice(def.start as usize..def.end as usize);
    let words: Vec<&str> = written.split_whitespace().collect();
    Some(MemberData {
        kind: kind.as_str(),
        name: workspace.text(bound.name(def.name)).to_owned(),
        signature: words.join(" "),
        visibility: Visibility::Public.as_str(),
        is_static: false,
        inherited_from: None,
        doc: None,
        tags: Vec::new(),
    })
}

impl Members {
    fn new(cx: &Invocation<'_>, wanted: MembersQuery) -> Result<Self, ToolError> {
        let members = gather(cx, &wanted);
        let total = members.len();
        let Some((file, item)) = cx.index.get(wanted.symbol) else {
            return Err(ToolError::new(
                ErrorCode::InternalError,
                "The index lost a type.",
            ));
        };
        let doc = file.facts.str(item.doc);
        // Earlier pages had those before `start`.
        let page = members.into_iter().skip(wanted.start);
        Ok(Self {
            r#type: TypeData {
                kind: item.kind.as_str(),
                name: file.facts.str(item.name).to_owned(),
                path: wanted.resolved.path.clone(),
                signature: file.facts.str(item.signature).to_owned(),
                doc: (wanted.with_docs && !doc.is_empty()).then(|| doc.to_owned()),
                external_bases: wanted.external_bases,
            },
            resolved: wanted.resolved,
            page: page.take(MAX_LIMIT as usize).collect(),
            paging: Paging {
                total,
                start: wanted.start.min(total),
                revision: cx.revision,
            },
            unsaved: cx.is_unsaved(wanted.symbol.file),
        })
    }
}

/// What a member is told from others by: one that has the shape of another replaces it.
#[derive(PartialEq, Eq, Hash)]
struct MemberShape {
    kind: &'static str,
    name: String,
    params: String,
}

impl MemberShape {
    fn from_member(member: &MemberData) -> Self {
        Self {
            kind: member.kind,
            name: member.name.clone(),
            params: params(&member.signature).to_owned(),
        }
    }
}

/// The parameters in a signature, to tell overloads apart.
fn params(signature: &str) -> &str {
    let start = signature.find('(').unwrap_or(signature.len());
    let end = signature.rfind(')').unwrap_or(signature.len());
    signature.get(start..end).unwrap_or("")
}

fn kinds(args: &MembersArgs) -> Result<Vec<ItemKind>, ToolError> {
    let mut kinds = Vec::new();
    for word in args.kinds.iter().flatten() {
        let Some(kind) = ItemKind::from_word(word.trim()) else {
            let shown: String = word.chars().take(60).collect();
            let known: Vec<&str> = ItemKind::ALL.iter().map(|kind| kind.as_str()).collect();
            return Err(ToolError::invalid(format!("`kinds` has no `{shown}`."))
                .hint(format!("Kinds are {}.", known.join(", "))));
        };
        kinds.push(kind);
    }
    Ok(kinds)
}

/// The type of a name, path or id, in a namespace if one is given.
pub(super) fn type_meant(
    cx: &Invocation<'_>,
    name: &str,
    namespace: Option<&str>,
) -> Result<(Symbol, ResolvedSymbol), ToolError> {
    check_text("name", name)?;
    let whole = match namespace
        .map(str::trim)
        .filter(|namespace| !namespace.is_empty())
    {
        Some(namespace) => {
            check_text("namespace", namespace)?;
            format!("{namespace}.{}", name.trim())
        }
        None => name.to_owned(),
    };
    let is_type = |symbol: &Symbol| {
        let item = cx.code.index().get(*symbol).map(|(_, item)| item);
        item.is_some_and(|item| item.kind.is_type())
    };
    let found = cx.find_symbol_that(&whole, is_type)?;
    let mut types: Vec<Symbol> = found.symbols.iter().copied().filter(is_type).collect();
    if types.is_empty() {
        let names = cx.names();
        let query = Resolver::new(names.workspace());
        // A variable that holds a class is another name of it.
        let stands_for_types = |symbol: &Symbol| {
            let def = cx.def_of(&query, *symbol);
            def.is_some_and(|def| !query.types_meant(def).is_empty())
        };
        let all = found.symbols.iter().copied();
        types = all.filter(stands_for_types).collect();
    }
    cx.check_one_root(&whole, &types)?;
    // Of a type in parts, those that people write say what it is.
    let is_written = |symbol: &&Symbol| !cx.is_generated(symbol.file.0);
    let symbol = types.iter().find(is_written).or(types.first()).copied();
    let resolved = symbol.and_then(|symbol| resolved_symbol(cx, symbol));
    symbol.zip(resolved).ok_or_else(|| {
        // Another thing has its name.
        if is_in_generated(cx, &whole) {
            return cx.symbol_not_found(&whole, Vec::new());
        }
        ToolError::invalid(format!("'{}' is not a type.", found.path))
            .hint("Give a class, struct, interface, trait, enum or record.")
    })
}

fn own_members(
    cx: &Invocation<'_>,
    of: Symbol,
    kinds: &[ItemKind],
    with_docs: bool,
    inherited_from: Option<&str>,
) -> Vec<MemberData> {
    let members = cx.index.members_in(of, cx.overlay()).into_iter();
    let members =
        members.filter_map(|member| member_data(cx, member, kinds, with_docs, inherited_from));
    members.collect()
}

fn member_data(
    cx: &Invocation<'_>,
    member: Symbol,
    kinds: &[ItemKind],
    with_docs: bool,
    inherited_from: Option<&str>,
) -> Option<MemberData> {
    let (file, item) = cx.index.get(member)?;
    let is_hidden = inherited_from.is_some()
        && (item.visibility == Visibility::Private || item.kind == ItemKind::Constructor);
    let is_wanted = kinds.is_empty() || kinds.contains(&item.kind);
    if is_hidden || !is_wanted || item.flags.contains(ItemFlags::LOCAL) {
        return None;
    }
    let doc = file.facts.str(item.doc);
    Some(MemberData {
        kind: item.kind.as_str(),
        name: file.facts.str(item.name).to_owned(),
        signature: file.facts.str(item.signature).to_owned(),
        visibility: item.visibility.as_str(),
        is_static: item.flags.contains(ItemFlags::STATIC),
        inherited_from: inherited_from.map(str::to_owned),
        doc: (with_docs && !doc.is_empty()).then(|| doc.to_owned()),
        tags: file.facts.marks_of(item).map(str::to_owned).collect(),
    })
}

impl Reply for Members {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "doc:none", "signature:none"]
    }

    fn pieces(&self) -> usize {
        self.page.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let mut r#type = self.r#type.clone();
        if level >= 1 {
            r#type.doc = None;
        }
        let data = MembersData {
            resolved: self.resolved.clone(),
            r#type,
            total: self.paging.total as u32,
            members: self.shown(level, pieces),
            several: SeveralData::default(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = format!("{} // {}\n", self.r#type.signature, self.r#type.path);
        if !self.r#type.external_bases.is_empty() {
            let bases = self.r#type.external_bases.join(", ");
            out.push_str(&format!("// bases outside the workspace: {bases}\n"));
        }
        let mut from = None;
        for member in self.shown(level, pieces) {
            if member.inherited_from != from {
                from.clone_from(&member.inherited_from);
                if let Some(from) = &from {
                    out.push_str(&format!("// from {from}\n"));
                }
            }
            for line in member.doc.iter().flat_map(|doc| doc.lines()) {
                out.push_str(&format!("  // {line}\n"));
            }
            let said = if member.signature.is_empty() {
                &member.name
            } else {
                &member.signature
            };
            out.push_str(&format!("  {said}\n"));
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

impl Members {
    fn shown(&self, level: usize, pieces: usize) -> Vec<MemberData> {
        let mut shown = self.page[..pieces].to_vec();
        for member in &mut shown {
            if level >= 1 {
                member.doc = None;
            }
            if level >= 2 {
                member.tags.clear();
                member.signature.clear();
            }
        }
        shown
    }
}

/// The row of `codecortex_getTypeMembers`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_getTypeMembers",
    reference_name: "members",
    title: "Type members",
    description: "List the members of a class, interface, struct or enum with signatures, inherited ones included.",
    icon: "$(symbol-method)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: true,
    former_name: None,
    uses: &[ToolUse::Investigation, ToolUse::Review],
    aliases: &[
        ("symbol", "name"),
        ("type", "name"),
        ("typeName", "name"),
        ("typeId", "name"),
    ],
    schema: schema_of::<MembersArgs>,
    output: schema_of::<MembersData>,
    needs: &[RequiredInput::Projects, RequiredInput::External],
    handler: |cx, args| {
        boxed_reply(for_each(cx, args, "name", |cx, args| {
            boxed(handle(cx, args))
        }))
    },
};
