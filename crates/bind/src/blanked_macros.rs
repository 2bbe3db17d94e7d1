//! Macros that the parser was not shown: `class EXPORT Store`, `GUARDED_BY(mutex)`, Rust's `cfg_rt! { … }`. They are uses
//! all the same.

use rustc_hash::FxHashMap;

use crate::facts::{Bindings, Expr, NameId, Role, space};

/// Adds the names that are in a text but not in what of it was parsed, which is as long: those of which what stands
/// behind them says that they are macros.
pub(crate) fn add(
    bindings: &mut Bindings,
    text: &str,
    readable: &str,
    is_macro: impl Fn(&str) -> bool,
) {
    if text.len() != readable.len() || text == readable {
        return;
    }
    let mut found = names(text, readable);
    found.retain(|(at, name)| text.get(*at as usize + name.len()..).is_some_and(&is_macro));
    if found.is_empty() {
        return;
    }
    let known = bindings.names.iter().zip(0..);
    let mut known: FxHashMap<Box<str>, NameId> =
        known.map(|(name, id)| (name.clone(), id)).collect();
    for (at, name) in found {
        let next = bindings.names.len() as NameId;
        let id = *known.entry(name.into()).or_insert(next);
        if id == next {
            bindings.names.push(name.into());
        }
        bindings.exprs.push(Expr::Name {
            name: id,
            scope: 0,
            at,
            role: Role::Read,
            spaces: space::MACRO,
        });
    }
}

fn names<'t>(text: &'t str, readable: &str) -> Vec<(u32, &'t str)> {
    let (bytes, shown) = (text.as_bytes(), readable.as_bytes());
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = (at..bytes.len()).find(|index| bytes[*index] != shown[*index]) {
        // Names in comments are no uses.
        if text.as_bytes()[start..].starts_with(b"/*") {
            let end = text.get(start..).and_then(|text| text.find("*/"));
            at = end.map_or(bytes.len(), |end| start + end + 2);
            continue;
        }
        let length = bytes[start..].iter().take_while(|byte| is_name(**byte));
        let end = start + length.count();
        let begins = start == 0 || !is_name(bytes[start - 1]);
        if begins && end > start && !bytes[start].is_ascii_digit() {
            found.extend(text.get(start..end).map(|name| (start as u32, name)));
        }
        at = end.max(start + 1);
    }
    found
}
