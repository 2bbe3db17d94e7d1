//! Type hierarchy: the direct bases and derived types.

use gen_lsp_types::TypeHierarchyItem;
use serde_json::{Value, json};

use crate::answers::{DeclaredSymbol, HierarchyAnswer};
use crate::error::LspError;
use crate::kinds::symbol_kind;
use crate::question::{PAGE, Question, Tools};
use crate::requests::{At, to_value};

/// Kinds that have a hierarchy.
const TYPES: [&str; 7] = [
    "class",
    "record",
    "struct",
    "union",
    "interface",
    "trait",
    "enum",
];

pub(crate) async fn prepare_type_hierarchy<T: Tools>(
    question: &Question<'_, T>,
    at: At,
) -> Result<Value, LspError> {
    let found = question.declared_at(&at).await?;
    let found = found.filter(|found| TYPES.contains(&found.kind.as_str()));
    let item = found.and_then(|found| type_item(question, &found));
    Ok(item.map_or(Value::Null, |item| to_value(&[item])))
}

fn type_item<T: Tools>(
    question: &Question<'_, T>,
    declared: &DeclaredSymbol,
) -> Option<TypeHierarchyItem> {
    let name = question.location(&declared.file_path, declared.name_range)?;
    let whole = question.location(&declared.file_path, declared.range)?;
    Some(TypeHierarchyItem {
        name: declared.name.clone(),
        kind: symbol_kind(&declared.kind),
        tags: None,
        detail: Some(declared.path.clone()),
        uri: name.uri,
        range: whole.range,
        selection_range: name.range,
        data: None,
    })
}

pub(crate) async fn relatives<T: Tools>(
    question: &Question<'_, T>,
    item: TypeHierarchyItem,
    is_up: bool,
) -> Result<Value, LspError> {
    let at = question
        .symbol_at(&item.uri, item.selection_range.start)
        .await?;
    let Some(resolved) = at.and_then(|at| at.resolved) else {
        return Ok(Value::Null);
    };
    let args = json!({
        "name": resolved.member_id.unwrap_or(resolved.type_id),
        "maxSuperDepth": u32::from(is_up),
        "maxSubDepth": u32::from(!is_up),
        "maxSubBreadth": PAGE,
        "includePreview": false,
    });
    let found: Option<HierarchyAnswer> = question
        .ask_if_known("codecortex_getClassHierarchy", args)
        .await?;
    let items = found.map_or_else(Vec::new, |found| related(question, &found, is_up));
    Ok(to_value(&items))
}

fn related<T: Tools>(
    question: &Question<'_, T>,
    found: &HierarchyAnswer,
    is_up: bool,
) -> Vec<TypeHierarchyItem> {
    let lists = match is_up {
        true => &found.bases_by_class,
        false => &found.derived_by_parent,
    };
    let paths = lists.get(&found.root).into_iter().flatten();
    let declared = paths.filter_map(|path| {
        let source = found.source_by_class.get(path)?;
        let name_range = source.name_range?;
        Some(DeclaredSymbol {
            name: last_name(path).to_owned(),
            kind: "class".to_owned(),
            path: path.clone(),
            file_path: source.file_path.clone()?,
            range: name_range,
            name_range,
            sites: Vec::new(),
        })
    });
    declared
        .filter_map(|declared| type_item(question, &declared))
        .collect()
}

/// The last part of a path, in whatever notation.
fn last_name(path: &str) -> &str {
    let name = path.rsplit(['.', ':', '+', '/', '\\', '#']).next();
    name.filter(|name| !name.is_empty()).unwrap_or(path)
}
