//! Extract method: statements or an expression become a function beside the one that they are in.

use codecortex_bind::Dialect;
use codecortex_bind::facts::ScopeKind;

use crate::extract::extracted_function::ExtractedFunction;
use crate::extract::flow::{DataFlow, SharedVariable};
use crate::extract::host::{FunctionHost, has_modifier};
use crate::extract::jumps::jumps_of;
use crate::extract::method_hazards::{
    check_caught, check_constructor, check_dropped, check_narrowed,
};
use crate::extract::method_object::object_of;
use crate::extract::method_parameters::{generics, parameters, type_parameters};
use crate::extract::method_result::{result_of, result_type};
use crate::extract::selection::{PlannedExtraction, SelectedCode};
use crate::extract::{method_text, script_tests};
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::range_of;

/// Plans a function for the selection. Where it cannot stand beside the function around, scripts have it in there.
pub(super) fn plan(of: &SelectedCode<'_, '_>) -> Result<PlannedExtraction, Refusal> {
    let refusal = match plan_beside(of) {
        Ok(planned) => return Ok(planned),
        Err(refusal) => refusal,
    };
    let is_script = matches!(of.dialect, Dialect::TypeScript | Dialect::JavaScript);
    let depends_on_place = matches!(refusal.kind, RefusalKind::Unsure | RefusalKind::Unsupported);
    if !is_script || !depends_on_place {
        return Err(refusal);
    }
    let mut within = plan_within(of).map_err(|_| refusal.clone())?;
    let message = format!(
        "The function is in the one around: {}",
        lowered(&refusal.message)
    );
    within.notes.push(message);
    Ok(within)
}

/// A sentence to stand behind a colon.
fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

/// Plans a function before the selected statements, which sees all that they see.
fn plan_within(of: &SelectedCode<'_, '_>) -> Result<PlannedExtraction, Refusal> {
    let part = of.selected_part()?;
    let at = part.range.start as usize;
    let first = part.nodes.first().copied().filter(|_| !part.is_expression);
    let Some(first) = first else {
        return of.refuse(RefusalKind::Unsupported, "No statement is selected.", at);
    };
    let host = FunctionHost::new(of, first)?;
    let jumps = jumps_of(of, &part.nodes)?;
    let flow = DataFlow::new(of, host, part.range.clone(), &part.nodes, true);
    let variables = flow.variables()?;
    let result = result_of(of, &host, &part, &jumps, &variables)?;
    check_constructor(of, &host, &part)?;
    check_narrowed(of, &part, true)?;
    script_tests::check(of, &host, &part, true)?;
    of.check_free(&range_of(host.outermost))?;
    let shared: Vec<SharedVariable> = variables
        .into_iter()
        .filter(|of| of.is_output && of.is_bound_inside)
        .collect();
    let function = ExtractedFunction {
        parameters: Vec::new(),
        result_type: result_type(of, &host, &part, &result, jumps.awaits)?,
        generics: Default::default(),
        is_async: jumps.awaits,
        shared_defs: shared_defs(of, &shared),
        uses_object: false,
        receiver: None,
        host,
        part,
        result,
    };
    Ok(method_text::plan_within(of, &function))
}

/// Plans a function beside the one around.
fn plan_beside(of: &SelectedCode<'_, '_>) -> Result<PlannedExtraction, Refusal> {
    let part = of.selected_part()?;
    let Some(first) = part.nodes.first().copied() else {
        return of.refuse(
            RefusalKind::Unsupported,
            "Nothing is selected.",
            of.range.start as usize,
        );
    };
    let host = FunctionHost::new(of, first)?;
    let jumps = jumps_of(of, &part.nodes)?;
    let flow = DataFlow::new(of, host, part.range.clone(), &part.nodes, false);
    let variables = flow.variables()?;
    let result = result_of(of, &host, &part, &jumps, &variables)?;
    check_caught(of, &host, &part)?;
    check_dropped(of, &part, &variables)?;
    check_narrowed(of, &part, false)?;
    script_tests::check(of, &host, &part, false)?;
    check_constructor(of, &host, &part)?;
    let (uses_object, receiver) = object_of(of, &host, &part, &jumps, &variables)?;
    let mut function = ExtractedFunction {
        parameters: parameters(of, &variables)?,
        result_type: result_type(of, &host, &part, &result, jumps.awaits)?,
        generics: (String::new(), String::new()),
        is_async: jumps.awaits,
        host,
        part,
        result,
        uses_object,
        receiver,
        shared_defs: shared_defs(of, &variables),
    };
    function.generics = generics(of, &function)?;
    if !function.generics.0.is_empty() {
        let own = type_parameters(of, &function.host);
        function
            .shared_defs
            .extend(own.into_iter().map(|(_, at)| at));
    }
    check_name(of, &function)?;
    method_text::plan(of, &function)
}

/// Where the variables are defined that code needs or gives.
fn shared_defs(of: &SelectedCode<'_, '_>, variables: &[SharedVariable]) -> Vec<u32> {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return Vec::new();
    };
    let shared = variables
        .iter()
        .filter(|of| of.is_input || of.is_output || of.is_written);
    let keys: Vec<(u32, u32)> = shared
        .map(|variable| {
            let def = bound.def(variable.def);
            (def.scope, def.name)
        })
        .collect();
    let defs = bound
        .defs()
        .iter()
        .filter(|def| keys.contains(&(def.scope, def.name)));
    defs.map(|def| def.at).collect()
}

/// Refuses a name that something has where the new function is seen.
fn check_name(of: &SelectedCode<'_, '_>, function: &ExtractedFunction<'_>) -> Result<(), Refusal> {
    let root = range_of(of.tree.root_node());
    of.check_free(&(0..root.end))?;
    let workspace = of.resolver.workspace();
    let Some(name) = workspace.name(of.name) else {
        return Ok(());
    };
    let is_member = function.host.owner.is_some();
    let is_wide = matches!(
        of.dialect,
        Dialect::Go | Dialect::Cpp | Dialect::C | Dialect::AngelScript
    );
    for file in workspace.files_with(name) {
        let Some(bound) = workspace.file(*file) else {
            continue;
        };
        let Some(local) = bound.local(name) else {
            continue;
        };
        let taken = bound.defs_of(local).find(|def| {
            let kind = bound.scope(bound.def(*def).scope).kind;
            match kind {
                ScopeKind::Class => is_member,
                ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module => is_wide,
                _ => false,
            }
        });
        if let Some(def) = taken {
            let message = format!("`{}` means something there already.", of.name);
            let places = [(*file, bound.def(def).at)];
            return Err(Refusal::new(RefusalKind::Taken, message).at(places));
        }
    }
    let outermost = function.host.outermost;
    if of.dialect == Dialect::Rust
        && (has_modifier(of, outermost, "unsafe") || has_modifier(of, outermost, "const"))
    {
        let message = "The function around is `unsafe` or `const`.";
        return of.refuse(RefusalKind::Unsupported, message, outermost.start_byte());
    }
    Ok(())
}
