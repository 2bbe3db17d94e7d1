//! `codecortex_hashes`: the layered hashes of a type or module (SPEC H3, `000` §3.3).

use codecortex_analysis::artefacts::unit::unit_around;
use codecortex_analysis::module_hints::need_crate_names;
use codecortex_analysis::place::ResolvedSymbol;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_index::{HashRules, Hashes, IndexUnit, UnitLocation, render};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_hashes`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HashesArgs {
    /// A type's name, path, id or `file:line`; a member selects its type or module.
    symbol: String,
}

/// Answer of `codecortex_hashes`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HashesData {
    /// The resolved symbol.
    resolved: ResolvedSymbol,
    /// Path of the hashed type or module.
    path: String,
    /// Its kind: `class`, `module` …
    kind: &'static str,
    /// Its id.
    type_id: String,
    /// The files with its parts.
    files: Vec<String>,
    #[serde(flatten)]
    hashes: ShownHashes,
    #[serde(flatten)]
    common: Common,
}

/// The hashes as `index.json` has them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownHashes {
    /// Hash of the visible declarations.
    structure_hash: String,
    /// Hash of the public behaviour.
    public_impl_hash: String,
    /// Hash of the internals.
    internal_impl_hash: String,
    /// Hash of both implementations.
    impl_hash: String,
    /// Hash of the documentation.
    xml_doc_hash: String,
    /// Hash of comments, white space and order.
    cosmetic_hash: String,
}

impl ShownHashes {
    fn from_hashes(hashes: &Hashes) -> Self {
        Self {
            structure_hash: render(&hashes.structure),
            public_impl_hash: render(&hashes.public_impl),
            internal_impl_hash: render(&hashes.internal_impl),
            impl_hash: render(&hashes.implementation()),
            xml_doc_hash: render(&hashes.doc),
            cosmetic_hash: render(&hashes.cosmetic),
        }
    }
}

struct HashedTypes {
    resolved: ResolvedSymbol,
    unit: IndexUnit,
    files: Vec<String>,
    shown: ShownHashes,
    unsaved: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: HashesArgs = parse(args)?;
    cx.look(|cx| hashes(cx, &args)).await
}

fn hashes(cx: &Invocation<'_>, args: &HashesArgs) -> ToolResult {
    cx.memory().need_bodies()?;
    need_crate_names(cx, &args.symbol)?;
    let found = cx.find_symbol(&args.symbol)?;
    let gone = || {
        let message = format!("'{}' has no hashes.", args.symbol.trim());
        let error = ToolError::new(ErrorCode::NotFound, message);
        Failure::from(error.hint("Types and modules have them; name one, or a member of one."))
    };
    let symbol = *found.symbols.first().ok_or_else(gone)?;
    let (unit, place) = unit_around(cx.index, symbol).ok_or_else(gone)?;
    let hashes = cx
        .index
        .hashes_without(&unit, place, HashRules::default(), None)
        .map(|hashed| hashed.hashes)
        .ok_or_else(gone)?;
    let mut ids = match place {
        UnitLocation::Type(symbol) => {
            let parts = cx.index.parts(symbol).into_iter();
            parts.map(|part| part.symbol.file).collect()
        }
        UnitLocation::Module(file) => vec![file],
    };
    ids.dedup();
    let files = ids.iter().filter_map(|id| cx.index.file(*id));
    Ok(Box::new(HashedTypes {
        resolved: resolved_symbol(cx, symbol).ok_or_else(gone)?,
        files: files.map(|file| cx.display_path(file)).collect(),
        unsaved: ids.iter().any(|id| cx.is_unsaved(*id)),
        shown: ShownHashes::from_hashes(&hashes),
        unit,
    }))
}

impl Reply for HashedTypes {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.files.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = HashesData {
            resolved: self.resolved.clone(),
            path: self.unit.path.clone(),
            kind: self.unit.kind,
            type_id: self.unit.id(),
            files: self.files[..pieces].to_vec(),
            hashes: self.shown.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let ShownHashes {
            structure_hash,
            public_impl_hash,
            internal_impl_hash,
            impl_hash,
            xml_doc_hash,
            cosmetic_hash,
        } = &self.shown;
        format!(
            "// {} {} {}\n// {}\nStructure {structure_hash}\nPublicImpl {public_impl_hash}\n\
             InternalImpl {internal_impl_hash}\nImpl {impl_hash}\nXmlDoc {xml_doc_hash}\n\
             Cosmetic {cosmetic_hash}\n",
            self.unit.kind,
            self.unit.path,
            self.unit.id(),
            self.files[..pieces].join(", "),
        )
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

/// The row of `codecortex_hashes`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_hashes",
    reference_name: "hashes",
    title: "Layered hashes",
    description: "Show the hashes of a type or module, one each for visible declarations, public behaviour, internals, \
        documentation and looks. An equal hash means an unchanged part.",
    icon: "$(symbol-numeric)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[
        ("path", "symbol"),
        ("name", "symbol"),
        ("id", "symbol"),
        ("typeId", "symbol"),
    ],
    schema: schema_of::<HashesArgs>,
    output: schema_of::<HashesData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
