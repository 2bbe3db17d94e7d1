//! Parameters and type parameters of an extracted function.

use codecortex_bind::Dialect;
use codecortex_bind::facts::DefKind;
use codecortex_resolve::ExprRef;

use crate::extract::extracted_function::{ExtractedFunction, ExtractedParameter};
use crate::extract::flow::SharedVariable;
use crate::extract::host::FunctionHost;
use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{range_of, text_of};
use crate::words::words_like;

/// The parameters of the new function.
pub(super) fn parameters(
    of: &SelectedCode<'_, '_>,
    variables: &[SharedVariable],
) -> Result<Vec<ExtractedParameter>, Refusal> {
    let by_parameter = matches!(of.dialect, Dialect::Python | Dialect::Go | Dialect::Rust);
    let mut parameters = Vec::new();
    for variable in variables.iter().filter(|of| of.is_input) {
        if !(variable.is_receiver && by_parameter) {
            parameters.push(parameter(of, variable)?);
        }
    }
    Ok(parameters)
}

fn parameter(
    of: &SelectedCode<'_, '_>,
    variable: &SharedVariable,
) -> Result<ExtractedParameter, Refusal> {
    let untyped = matches!(of.dialect, Dialect::JavaScript | Dialect::Python);
    let mut ty = match untyped {
        true => String::new(),
        false => typed(of, variable)?,
    };
    let bound = of.resolver.workspace().file(of.file);
    let at = bound.map_or(0, |bound| bound.def(variable.def).at) as usize;
    let refuse = |message: String| of.refuse(RefusalKind::Unsupported, message, at);
    let mut passed = "";
    let mut is_assigned = variable.is_written;
    match of.dialect {
        Dialect::Rust => {
            let is_copied = ty.starts_with('&') || is_number(&ty);
            if ty.starts_with("impl ") || ty.starts_with("&mut ") && variable.is_used_behind {
                return refuse(format!("`{}` cannot be lent by its type.", variable.name));
            }
            if !is_copied && variable.is_used_behind && !variable.is_written {
                (passed, ty) = match variable.is_reached_into && is_mutable(of, variable) {
                    true => ("&mut ", format!("&mut {ty}")),
                    false => ("&", format!("&{ty}")),
                };
                if !works_when_lent(of, &variable.name) {
                    return refuse(format!("`{}` may not be lent there.", variable.name));
                }
            }
            // What is given away is changed in the parameter.
            is_assigned |= passed.is_empty()
                && !is_copied
                && variable.is_reached_into
                && is_mutable(of, variable);
        }
        Dialect::Go => {
            let is_shared = ["*", "[]", "map[", "func", "chan", "interface"]
                .iter()
                .any(|of| ty.starts_with(of));
            if variable.is_reached_into
                && variable.is_used_behind
                && !is_shared
                && !is_interface(of, variable)
            {
                return refuse(format!(
                    "`{}` would be a copy of what is changed.",
                    variable.name
                ));
            }
        }
        Dialect::CSharp | Dialect::AngelScript => {
            let is_value = !is_class(of, variable);
            if variable.is_reached_into && variable.is_used_behind && is_value {
                return refuse(format!(
                    "`{}` may be a copy of what is changed.",
                    variable.name
                ));
            }
        }
        Dialect::Cpp if !ty.ends_with(['&', '*']) && (variable.is_written || !is_number(&ty)) => {
            ty.push('&');
        }
        Dialect::Cpp if ty.ends_with('*') && variable.is_written => ty.push('&'),
        Dialect::C if variable.is_written && variable.is_output => {
            return refuse(format!("`{}` gets another value.", variable.name));
        }
        _ => {}
    }
    Ok(ExtractedParameter {
        name: variable.name.clone(),
        ty,
        passed,
        is_assigned,
    })
}

/// Whether a type is a number or another plain value of the language.
fn is_number(ty: &str) -> bool {
    const PLAIN: &str = "bool char int short long unsigned float double size_t i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 \
        usize isize f32 f64 int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t const";
    ty.split_ascii_whitespace()
        .all(|word| PLAIN.split_ascii_whitespace().any(|of| of == word))
}

/// Whether the selected code means the same where a variable of Rust is a reference to its value: methods and fields are
/// looked up through it, `&x` is a reference too. As an argument of its own it would be of another type.
fn works_when_lent(of: &SelectedCode<'_, '_>, name: &str) -> bool {
    let range = of.range.start as usize..of.range.end as usize;
    let text = of.text.get(range).unwrap_or_default();
    words_like(text, name).all(|at| {
        let (before, rest) = text.split_at(at as usize);
        let rest = rest.get(name.len()..).unwrap_or_default().trim_start();
        let is_member = before.trim_end().ends_with('.') || rest.starts_with(':');
        rest.starts_with('.') || is_member || before.ends_with('&')
    })
}

/// Whether a variable of Rust is declared with `mut`.
fn is_mutable(of: &SelectedCode<'_, '_>, variable: &SharedVariable) -> bool {
    let bound = of.resolver.workspace().file(of.file);
    let at = bound.map(|bound| bound.def(variable.def).at);
    let name = at.and_then(|at| crate::tree::leaf_at(of.tree, at));
    let declared = name.and_then(|name| name.parent());
    declared.is_some_and(|of| {
        let mut cursor = of.walk();
        of.kind() == "mut_pattern"
            || of
                .children(&mut cursor)
                .any(|of| of.kind() == "mutable_specifier")
    })
}

/// The kind of the type that a variable is declared with, in the workspace.
fn declared_kind(of: &SelectedCode<'_, '_>, variable: &SharedVariable) -> Option<DefKind> {
    let bound = of.resolver.workspace().file(of.file)?;
    let ty = bound.def(variable.def).ty;
    let target = of.resolver.target(ExprRef {
        file: of.file,
        expr: ty,
    });
    of.resolver.kind(*target.defs.first()?)
}

fn is_interface(of: &SelectedCode<'_, '_>, variable: &SharedVariable) -> bool {
    declared_kind(of, variable) == Some(DefKind::Interface)
}

fn is_class(of: &SelectedCode<'_, '_>, variable: &SharedVariable) -> bool {
    matches!(
        declared_kind(of, variable),
        Some(DefKind::Class | DefKind::Interface | DefKind::Delegate)
    ) || of.dialect == Dialect::CSharp && declared_kind(of, variable).is_none()
}

/// The type of a variable, or the refusal that nobody wrote it.
pub(super) fn typed(
    of: &SelectedCode<'_, '_>,
    variable: &SharedVariable,
) -> Result<String, Refusal> {
    if let Some(ty) = of.type_of_variable(variable.def) {
        return Ok(ty);
    }
    let bound = of.resolver.workspace().file(of.file);
    let at = bound.map_or(0, |bound| bound.def(variable.def).at);
    let message = format!("The type of `{}` is not written.", variable.name);
    of.refuse(RefusalKind::Unsure, message, at as usize)
}

/// The type parameters of the function around and of those in it, with their places.
pub(super) fn type_parameters(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
) -> Vec<(String, u32)> {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return Vec::new();
    };
    let outer = range_of(host.outermost);
    let defs = bound.defs().iter();
    defs.filter(|def| def.kind == DefKind::TypeParam && outer.contains(&def.at))
        .map(|def| (of.resolver.text(bound.name(def.name)).to_owned(), def.at))
        .collect()
}

/// The type parameters that the new function needs, with what constrains them.
pub(super) fn generics(
    of: &SelectedCode<'_, '_>,
    function: &ExtractedFunction<'_>,
) -> Result<(String, String), Refusal> {
    let host = &function.host;
    let range = &function.part.range;
    let names = type_parameters(of, host);
    let code = of
        .text
        .get(range.start as usize..range.end as usize)
        .unwrap_or_default();
    let mut texts: Vec<&str> = function
        .parameters
        .iter()
        .map(|of| of.ty.as_str())
        .collect();
    texts.extend([code, function.result_type.as_str()]);
    let is_word = |text: &str, name: &str| crate::words::words_like(text, name).next().is_some();
    let used: Vec<&(String, u32)> = names
        .iter()
        .filter(|(name, at)| !range.contains(at) && texts.iter().any(|text| is_word(text, name)))
        .collect();
    let Some(list) = host.outermost.child_by_field_name("type_parameters") else {
        return match used.first() {
            None => Ok(Default::default()),
            Some((name, at)) => of.refuse(
                RefusalKind::Unsupported,
                format!("The type parameter `{name}` cannot be given on."),
                *at as usize,
            ),
        };
    };
    let has_lifetime = of.dialect == Dialect::Rust && texts.iter().any(|text| text.contains('\''));
    if used.is_empty() && !has_lifetime {
        return Ok(Default::default());
    }
    if let Some((name, at)) = used.iter().find(|(_, at)| !range_of(list).contains(at)) {
        let message = format!("The type parameter `{name}` is that of another function.");
        return of.refuse(RefusalKind::Unsupported, message, *at as usize);
    }
    let mut cursor = host.outermost.walk();
    let constraints = host.outermost.named_children(&mut cursor).filter(|of| {
        matches!(
            of.kind(),
            "where_clause" | "type_parameter_constraints_clause"
        )
    });
    let constraints: Vec<&str> = constraints.map(|node| text_of(node, of.text)).collect();
    Ok((text_of(list, of.text).to_owned(), constraints.join(" ")))
}
