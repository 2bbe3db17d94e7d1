//! `codecortex_resolveSymbolAtPosition`: what the name at a place is and where it is declared (SPEC R1).

pub(crate) mod definitions;

use codecortex_analysis::external::need_assemblies;
use codecortex_analysis::place::{EditorPosition, LspRange, ResolvedSymbol};
use codecortex_analysis::subject::{CallSubject, ImportedNamePolicy, name_of};
use codecortex_analysis::words::{TierWord, kind_word};
use codecortex_answer::args::{check_text, parse};
use codecortex_answer::reply::{Common, Reply};
use codecortex_bind::facts::{DefKind, NONE};
use codecortex_ide::{Agreement, Sites, Why};
use codecortex_index::FileId;
use codecortex_protocol::{ErrorCode, Failure, ProviderReply, ProviderTopic, ToolError};
use codecortex_resolve::{DefRef, FileNo, Resolver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_resolveSymbolAtPosition`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionArgs {
    /// A file, best as `rootName/relative/path`.
    file_path: String,
    /// A place on the name; from 1, UTF-16.
    position: EditorPosition,
    /// Whether to include documentation; true by default.
    #[schemars(extend("x-profile" = "full"))]
    include_documentation: Option<bool>,
}

/// Answer of `codecortex_resolveSymbolAtPosition`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionData {
    /// The symbol's path and ids; absent for locals.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<ResolvedSymbol>,
    /// The declaration of the name.
    symbol: SymbolData,
    /// The innermost declaration around the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosing: Option<Enclosing>,
    /// Agreement with language providers, if they returned results.
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    #[serde(flatten)]
    common: Common,
}

/// A symbol and its declarations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SymbolData {
    /// `class`, `method`, `variable` …
    kind: &'static str,
    name: String,
    /// Full path; of a local, its name.
    path: String,
    /// As the language writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// Where it is declared.
    definition: Definition,
    /// Its other declarations: overloads, parts, prototypes, other candidates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    definitions: Vec<Definition>,
    /// Its documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

/// One declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Definition {
    file_path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of the whole declaration; from 0, UTF-16.
    range: LspRange,
    /// Of its name.
    name_range: LspRange,
    /// Its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
    /// `provider` where a language server says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<TierWord>,
    /// What is unusual about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

/// A declaration around a place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Enclosing {
    kind: &'static str,
    name: String,
    path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of its name; from 0, UTF-16.
    name_range: LspRange,
}

struct PointedPlace {
    resolved: Option<ResolvedSymbol>,
    symbol: SymbolData,
    enclosing: Option<Enclosing>,
    agreement: Option<Agreement>,
    unsaved: bool,
}

/// Declarations that an answer lists; thousands of overloads help nobody.
const MAX: usize = 20;
/// As many places are enough to choose those from that are listed.
const MAX_ASKED: usize = 2 * MAX;

/// What is at a place, as far as it is known here.
struct PositionMatch {
    args: PositionArgs,
    place: (FileNo, u32),
    subject: Option<CallSubject>,
    declarations: Vec<DefRef>,
    name: String,
}

async fn handle(cx: CallContext, args: Value) -> Result<PointedPlace, ToolError> {
    let args: PositionArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    let place = |cx: &Invocation<'_>| cx.byte_at(&args.file_path, args.position);
    let place = cx.look(place).await?;
    let found = cx.view(|cx| PositionMatch::at(cx, args, place)).await;
    cx.look(|cx| of_packages(cx, &found)).await?;
    let reply = match found.name.is_empty() {
        true => None,
        false => {
            let topic = ProviderTopic::Definition;
            cx.consult(topic, found.place, false).await?
        }
    };
    let theirs = cx
        .look(|cx| of_providers(cx, &found, reply.as_ref()))
        .await?;
    let defined = cx.look(|cx| defined(cx, &found, &theirs)).await?;
    cx.view(|cx| PointedPlace::new(cx, found, &theirs, defined))
        .await
}

impl PositionMatch {
    fn at(cx: &Invocation<'_>, args: PositionArgs, (file, byte): (FileNo, u32)) -> Self {
        let names = cx.names();
        let query = Resolver::new(names.workspace());
        let subject = cx.subject_of(&query, file, byte, ImportedNamePolicy::Followed);
        let declarations = declarations(cx, &query, subject.as_ref());
        let name = match declarations.first() {
            Some(def) => name_of(names.workspace(), *def),
            None => name_at(cx, &query, (file, byte)).unwrap_or_default(),
        };
        Self {
            args,
            place: (file, byte),
            subject,
            declarations,
            name,
        }
    }
}

/// Makes sure that packages are read to which a name may lead that is not known.
fn of_packages(cx: &Invocation<'_>, found: &PositionMatch) -> Result<(), Failure> {
    let names = cx.names();
    let is_import = |def: &DefRef| {
        let file = names.workspace().file(def.file);
        file.is_some_and(|file| file.def(def.def).kind == DefKind::Alias)
    };
    match found.declarations.iter().all(is_import) && !found.name.is_empty() {
        true => need_assemblies(cx, found.place.0),
        false => Ok(()),
    }
}

/// What language providers say of it. The texts of all places are here then.
fn of_providers(
    cx: &Invocation<'_>,
    found: &PositionMatch,
    reply: Option<&ProviderReply>,
) -> Result<Sites, Failure> {
    let names = cx.names();
    let theirs = match reply {
        Some(reply) => codecortex_ide::sites(cx, names.workspace(), &reply.places, &found.name)?,
        None => Sites::default(),
    };
    let files = found.declarations.iter().map(|def| def.file);
    cx.need_texts(files.chain(theirs.inside.iter().map(|site| site.file)))?;
    Ok(theirs)
}

/// Where it is declared, with what stands there, and how providers agree.
type Defined = (Vec<Definition>, Option<Agreement>);

fn defined(cx: &Invocation<'_>, found: &PositionMatch, theirs: &Sites) -> Result<Defined, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let (mut definitions, agreement) =
        definitions::definitions_of(cx, &query, &found.declarations, theirs)?;
    let (file, _) = found.place;
    if query.is_by_name(file) {
        doubt_names(&mut definitions, &cx.shown_path(file), found.args.position);
    }
    Ok((definitions, agreement))
}

impl PointedPlace {
    fn new(
        cx: &Invocation<'_>,
        found: PositionMatch,
        theirs: &Sites,
        (definitions, agreement): Defined,
    ) -> Result<Self, ToolError> {
        let PositionMatch {
            args,
            place: (file, byte),
            subject,
            name,
            ..
        } = found;
        let names = cx.names();
        let query = Resolver::new(names.workspace());
        let enclosing = enclosing(cx, file, byte);
        // What they say to be declared elsewhere is not the symbol that we found.
        let is_other = agreement
            .as_ref()
            .is_some_and(|all| all.both == 0 && all.provider_only > 0);
        let subject = match is_other {
            true => definitions::subject_of_providers(cx, &query, theirs),
            false => subject,
        };
        if definitions.is_empty() {
            return Err(nothing(cx, &query, &args, (file, byte), enclosing));
        }
        let symbol = describe(cx, &query, subject.as_ref(), name, definitions, &args);
        if let Some(agreement) = &agreement {
            cx.note_agreement(agreement, Vec::new());
        }
        Ok(Self {
            resolved: subject.and_then(|subject| subject.resolved),
            symbol,
            enclosing,
            agreement,
            unsaved: cx.is_unsaved(FileId(file)),
        })
    }
}
/// Where nothing but the name counts, only the declaration at the place itself is sure.
fn doubt_names(definitions: &mut [Definition], path: &str, at: EditorPosition) {
    let is_here = |found: &Definition| {
        let line = at.line.saturating_sub(1);
        found.file_path == path && found.name_range.start.line == line
    };
    for found in definitions.iter_mut().filter(|found| !is_here(found)) {
        found.tier = found.tier.or(Some(TierWord::Name));
    }
}

/// Where the symbol is declared, what defines it before what only announces it, what most builds leave out, and what
/// is generated.
fn declarations(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    subject: Option<&CallSubject>,
) -> Vec<DefRef> {
    let mut declarations: Vec<DefRef> = Vec::new();
    for def in subject.iter().flat_map(|subject| &subject.defs) {
        // Of thousands of overloads only the first are asked for all places where they are declared.
        if declarations.len() >= MAX_ASKED {
            break;
        }
        for part in query.symbol(*def) {
            if !declarations.contains(&part) && query.place(part).is_some() {
                declarations.push(part);
            }
        }
    }
    declarations.sort_by_key(|def| {
        let is_unusual = query.is_inactive(*def) || cx.is_generated(def.file);
        (query.is_forward_declaration(*def), is_unusual)
    });
    query.put_last_condition_first(&mut declarations);
    declarations.truncate(MAX);
    declarations
}

fn describe(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    subject: Option<&CallSubject>,
    name: String,
    mut definitions: Vec<Definition>,
    args: &PositionArgs,
) -> SymbolData {
    let names = cx.names();
    let first = subject.and_then(|subject| subject.defs.first().copied());
    let definition = definitions.remove(0);
    let item = first.and_then(|first| cx.symbol_of(query, first));
    let item = item.and_then(|symbol| cx.index.get(symbol));
    let with_doc = args.include_documentation.unwrap_or(true);
    let text = |string| item.map(|(file, _)| file.facts.str(string).to_owned());
    let signature = item.and_then(|(_, item)| text(item.signature));
    let doc = item
        .and_then(|(_, item)| text(item.doc))
        .filter(|doc| with_doc && !doc.is_empty());
    let kind = match (item, first) {
        (Some((_, item)), _) => item.kind.as_str(),
        (None, Some(first)) => names
            .workspace()
            .file(first.file)
            .map_or("variable", |file| kind_word(file.def(first.def).kind)),
        (None, None) => "external",
    };
    let resolved = subject.and_then(|subject| subject.resolved.as_ref());
    SymbolData {
        kind,
        path: resolved.map_or_else(|| name.clone(), |resolved| resolved.path.clone()),
        name,
        signature: signature.or_else(|| first_line(&definition)),
        definition,
        definitions,
        doc,
    }
}

/// A local has no entry of its own in the index; its line says what it is.
fn first_line(definition: &Definition) -> Option<String> {
    let preview = definition.preview.as_ref()?;
    preview.lines().next().map(|line| line.trim().to_owned())
}

fn enclosing(cx: &Invocation<'_>, file: u32, byte: u32) -> Option<Enclosing> {
    let facts = &cx.index.file(FileId(file))?.facts;
    let around = facts.items.iter().enumerate().rev().find(|(_, item)| {
        let counts = item.kind.is_type()
            || item.kind.is_callable()
            || item.kind == codecortex_syntax::ItemKind::Extension;
        counts && item.start_byte <= byte && byte < item.end_byte
    });
    let (index, item) = around?;
    let symbol = codecortex_index::Symbol {
        file: FileId(file),
        item: index as u32,
    };
    Some(Enclosing {
        kind: item.kind.as_str(),
        name: facts.str(item.name).to_owned(),
        path: cx.index.path_of(symbol),
        start_line: item.start.line + 1,
        end_line: item.end.line + 1,
        name_range: LspRange::of_name(item),
    })
}

/// The name that is used at a byte, or right before it.
pub(super) fn name_at(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    (file, byte): (u32, u32),
) -> Option<String> {
    let used = query.at(file, byte).0;
    let used = used.or_else(|| query.at(file, byte.checked_sub(1)?).0)?;
    let names = cx.names();
    let bound = names.workspace().file(file)?;
    let (name, at, _) = bound.expr(used).written()?;
    (at != NONE).then(|| names.workspace().text(bound.name(name)).to_owned())
}

/// Why there is no symbol: no name, or one from outside.
fn nothing(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    args: &PositionArgs,
    (file, byte): (u32, u32),
    enclosing: Option<Enclosing>,
) -> ToolError {
    let place = format!(
        "{}:{}:{}",
        args.file_path.trim(),
        args.position.line,
        args.position.character
    );
    if let Some(busy) = cx.busy(&format!("What is at {place} is not indexed so far.")) {
        return busy;
    }
    let name = name_at(cx, query, (file, byte));
    let error = match name {
        Some(name) => ToolError::new(
            ErrorCode::SymbolNotFound,
            format!("`{name}` at {place} is declared outside the workspace, or not known."),
        )
        .hint("`codecortex_searchApi` finds declarations of that name in the workspace."),
        None => ToolError::new(
            ErrorCode::SymbolNotFound,
            format!("There is no name at {place}."),
        )
        .hint("Give a place inside of a name; lines and characters count from 1."),
    };
    match enclosing {
        Some(enclosing) => error.detail(
            "enclosing",
            serde_json::to_value(enclosing).unwrap_or_default(),
        ),
        None => error,
    }
}

impl Reply for PointedPlace {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "definitions:first", "doc:none", "preview:none"]
    }

    fn pieces(&self) -> usize {
        0
    }

    fn data(&self, level: usize, _pieces: usize, common: Common) -> Value {
        let data = PositionData {
            resolved: self.resolved.clone(),
            symbol: self.shown(level),
            enclosing: self.enclosing.clone(),
            agreement: match level {
                0 => self.agreement.clone(),
                _ => self.agreement.as_ref().map(Agreement::counts),
            },
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, _pieces: usize) -> String {
        let symbol = self.shown(level);
        let mut out = format!("// {} {}\n", symbol.kind, symbol.path);
        if let Some(doc) = &symbol.doc {
            for line in doc.lines() {
                out.push_str(&format!("// {line}\n"));
            }
        }
        for definition in std::iter::once(&symbol.definition).chain(&symbol.definitions) {
            out.push_str(&format!(
                "// {}:{}-{}\n",
                definition.file_path, definition.start_line, definition.end_line
            ));
            match &definition.preview {
                Some(preview) => {
                    out.push_str(preview);
                    out.push('\n');
                }
                None => out.push_str(&format!("{}\n", symbol.signature.as_deref().unwrap_or(""))),
            }
        }
        if let Some(agreement) = &self.agreement {
            out.push_str(&agreement.text());
        }
        if let Some(enclosing) = &self.enclosing {
            out.push_str(&format!(
                "// named in {} {}\n",
                enclosing.kind, enclosing.path
            ));
        }
        out
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

impl PointedPlace {
    fn shown(&self, level: usize) -> SymbolData {
        let mut symbol = self.symbol.clone();
        if level >= 1 {
            symbol.definitions.clear();
        }
        if level >= 2 {
            symbol.doc = None;
        }
        if level >= 3 {
            symbol.definition.preview = None;
        }
        symbol
    }
}

/// The row of `codecortex_resolveSymbolAtPosition`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_resolveSymbolAtPosition",
    reference_name: "symbolAt",
    title: "Symbol at position",
    description: "Resolve the name at a place in a file to its declaration, with signature, source and documentation.",
    icon: "$(symbol-reference)",
    profile: Profile::Default,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("file", "filePath"), ("path", "filePath")],
    schema: schema_of::<PositionArgs>,
    output: schema_of::<PositionData>,
    needs: &[
        RequiredInput::Projects,
        RequiredInput::External,
        RequiredInput::Text,
    ],
    handler: |cx, args| boxed(handle(cx, args)),
};
