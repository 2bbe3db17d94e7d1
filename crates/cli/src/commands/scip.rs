//! `codecortex scip`: the index as a file that code search reads (SPEC X11; docs/scip.md).
//!
//! An index in SCIP's form is a message whose documents may be written one after the other: what one file
//! says is encoded and let go before the next is asked for.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::Root;
use codecortex_host::HostWorkspace;
use codecortex_scip::{ExportAccount, ScipDocument, ScipRange};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use protobuf::{EnumOrUnknown, Message, MessageField};
use scip::types::symbol_information::Kind;
use scip::types::{
    Index, Metadata, Occurrence, PositionEncoding, ProtocolVersion, Relationship, Signature,
    SymbolInformation, TextEncoding, ToolInfo,
};

use crate::args::ScipArgs;
use crate::failure::Failure;
use crate::progress;

/// What has a meaning of its own in a URI's path.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}');

pub(crate) fn run(command: &ScipArgs) -> Result<i32, Failure> {
    let mut workspace = command.workspace.open()?;
    let [root] = workspace.roots() else {
        return Err(Failure::OneRoot);
    };
    let root = root.clone();
    let account = if command.output == Path::new("-") {
        export(&mut workspace, &root, io::stdout().lock()).map_err(failed)?
    } else {
        to_file(&mut workspace, &root, &command.output).map_err(failed)?
    };
    progress::say(&summary(&account));
    for path in &account.changed {
        progress::say(&format!("left out, it is another by now: {path}"));
    }
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}

fn failed(source: io::Error) -> Failure {
    Failure::Io {
        what: "the index cannot be written",
        source,
    }
}

/// Writes beside the file and puts that in its place: nobody reads half of an index.
fn to_file(workspace: &mut HostWorkspace, root: &Root, path: &Path) -> io::Result<ExportAccount> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = File::create(&beside).and_then(|file| {
        let account = export(workspace, root, BufWriter::new(file))?;
        std::fs::rename(&beside, path)?;
        Ok(account)
    });
    if written.is_err() {
        // What is not there any more needs no removal.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn export(
    workspace: &mut HostWorkspace,
    root: &Root,
    mut out: impl Write,
) -> io::Result<ExportAccount> {
    let start = Index {
        metadata: MessageField::some(metadata(root)),
        ..Index::default()
    };
    out.write_all(&start.write_to_bytes()?)?;
    let account = workspace.export_scip(0, |document| {
        let part = Index {
            documents: vec![of_document(document)],
            ..Index::default()
        };
        out.write_all(&part.write_to_bytes()?)
    })?;
    out.flush()?;
    Ok(account)
}

fn metadata(root: &Root) -> Metadata {
    let path = utf8_percent_encode(&root.path, RESERVED).to_string();
    let slash = if path.starts_with('/') { "" } else { "/" };
    Metadata {
        version: EnumOrUnknown::new(ProtocolVersion::UnspecifiedProtocolVersion),
        tool_info: MessageField::some(ToolInfo {
            name: "codecortex".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..ToolInfo::default()
        }),
        project_root: format!("file://{slash}{path}"),
        text_document_encoding: EnumOrUnknown::new(TextEncoding::UTF8),
        ..Metadata::default()
    }
}

fn of_document(document: ScipDocument) -> scip::types::Document {
    let language = language(document.language);
    let occurrences = document.occurrences.into_iter().map(|found| Occurrence {
        range: range(found.range),
        symbol: found.symbol.to_string(),
        symbol_roles: found.roles,
        enclosing_range: found.enclosing.map(range).unwrap_or_default(),
        ..Occurrence::default()
    });
    let symbols = document.symbols.into_iter().map(|known| {
        let signature = Signature {
            language: language.to_owned(),
            text: known.signature,
            ..Signature::default()
        };
        let relationships = known.relationships.into_iter().map(|other| Relationship {
            symbol: other.symbol.to_string(),
            is_implementation: true,
            is_reference: other.is_reference,
            ..Relationship::default()
        });
        SymbolInformation {
            symbol: known.symbol.to_string(),
            documentation: Some(known.documentation)
                .filter(|text| !text.is_empty())
                .into_iter()
                .collect(),
            relationships: relationships.collect(),
            kind: EnumOrUnknown::new(kind(known.kind)),
            display_name: known.name,
            signature_documentation: match signature.text.is_empty() {
                true => MessageField::none(),
                false => MessageField::some(signature),
            },
            enclosing_symbol: known.enclosing.as_deref().unwrap_or("").to_owned(),
            ..SymbolInformation::default()
        }
    });
    scip::types::Document {
        relative_path: document.path,
        language: language.to_owned(),
        position_encoding: EnumOrUnknown::new(PositionEncoding::UTF8CodeUnitOffsetFromLineStart),
        occurrences: occurrences.collect(),
        symbols: symbols.collect(),
        ..scip::types::Document::default()
    }
}

/// Three numbers for what is on one line, four for the rest. The fields with types of their own say the same and
/// are not understood everywhere.
fn range([line, start, end_line, end]: ScipRange) -> Vec<i32> {
    let whole = [line, start, end_line, end];
    let whole = whole.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    match line == end_line {
        true => vec![whole[0], whole[1], whole[3]],
        false => whole.to_vec(),
    }
}

/// The name that SCIP has for a language.
fn language(id: &'static str) -> &'static str {
    const NAMES: [(&str, &str); 21] = [
        ("csharp", "CSharp"),
        ("typescript", "TypeScript"),
        ("typescriptreact", "TypeScriptReact"),
        ("javascript", "JavaScript"),
        ("javascriptreact", "JavaScriptReact"),
        ("python", "Python"),
        ("rust", "Rust"),
        ("go", "Go"),
        ("java", "Java"),
        ("c", "C"),
        ("cpp", "CPP"),
        ("ruby", "Ruby"),
        ("php", "PHP"),
        ("kotlin", "Kotlin"),
        ("swift", "Swift"),
        ("scala", "Scala"),
        ("lua", "Lua"),
        ("shellscript", "ShellScript"),
        ("dart", "Dart"),
        ("elixir", "Elixir"),
        ("zig", "Zig"),
    ];
    let known = NAMES.iter().find(|(known, _)| *known == id);
    known.map_or(id, |(_, name)| name)
}

fn kind(word: &str) -> Kind {
    match word {
        "namespace" => Kind::Namespace,
        "module" => Kind::Module,
        "class" | "record" => Kind::Class,
        "struct" => Kind::Struct,
        "interface" => Kind::Interface,
        "trait" => Kind::Trait,
        "enum" => Kind::Enum,
        "union" => Kind::Union,
        "delegate" => Kind::Delegate,
        "typeAlias" => Kind::TypeAlias,
        "typeParameter" => Kind::TypeParameter,
        "extension" => Kind::Extension,
        "function" | "lambda" => Kind::Function,
        "method" | "destructor" => Kind::Method,
        "constructor" => Kind::Constructor,
        "operator" => Kind::Operator,
        "property" => Kind::Property,
        "field" => Kind::Field,
        "constant" => Kind::Constant,
        "event" => Kind::Event,
        "enumMember" => Kind::EnumMember,
        "macro" => Kind::Macro,
        "parameter" => Kind::Parameter,
        "variable" | "alias" => Kind::Variable,
        _ => Kind::UnspecifiedKind,
    }
}

fn summary(account: &ExportAccount) -> String {
    let ExportAccount {
        documents,
        occurrences,
        symbols,
        ..
    } = account;
    format!("{documents} documents, {symbols} symbols, {occurrences} occurrences")
}
