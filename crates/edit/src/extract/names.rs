//! The new name: an identifier that nothing in the function has, and what the names of the selected code are bound to.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeKind};
use codecortex_resolve::{DefRef, ExprRef};

use crate::extract::selection::SelectedCode;
use crate::identifiers::{NameProblem, name_problem};
use crate::refusal::{Refusal, RefusalKind};

/// Refuses what no variable can be called.
pub(super) fn check_name(dialect: Dialect, name: &str) -> Result<(), Refusal> {
    let problem = match name.starts_with('#') {
        true => Some(NameProblem::NoIdentifier),
        false => name_problem(dialect, name),
    };
    let message = match problem {
        None => return Ok(()),
        Some(NameProblem::NoIdentifier) => format!("`{name}` is no identifier of the language."),
        Some(NameProblem::Keyword) => format!("`{name}` is reserved by the language."),
    };
    Err(Refusal::new(RefusalKind::InvalidName, message))
}

impl SelectedCode<'_, '_> {
    /// Refuses a name that is declared or used in a range.
    pub(super) fn check_free(&self, range: &Range<u32>) -> Result<(), Refusal> {
        let workspace = self.resolver.workspace();
        let Some((bound, local)) = workspace
            .file(self.file)
            .and_then(|bound| Some((bound, bound.local(workspace.name(self.name)?)?)))
        else {
            return Ok(());
        };
        let declared = bound.defs_of(local).map(|def| *bound.def(def));
        let declared = declared
            .filter(|def| {
                let kind = bound.scope(def.scope).kind;
                !matches!(kind, ScopeKind::Class | ScopeKind::Object)
            })
            .map(|def| def.at);
        let used = bound.uses().filter(|(expr, name, ..)| {
            *name == local && matches!(bound.expr(*expr), Expr::Name { .. })
        });
        let used = used.map(|(_, _, at, _)| at);
        let met: Vec<u32> = declared
            .chain(used)
            .filter(|at| *at != NONE && range.contains(at))
            .collect();
        if met.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` means something there already.", self.name);
        let places = met.into_iter().map(|at| (self.file, at));
        Err(Refusal::new(RefusalKind::Taken, message).at(places))
    }

    /// Refuses an expression that uses what its own statement declares, or declares what is used outside of it.
    pub(super) fn check_bindings(
        &self,
        expression: &Range<u32>,
        statement: &Range<u32>,
    ) -> Result<(), Refusal> {
        let Some(bound) = self.resolver.workspace().file(self.file) else {
            return Ok(());
        };
        for (expr, at, ..) in
            self.resolver
                .uses_between(self.file, expression.start, expression.end)
        {
            for def in self.local_targets(expr) {
                let declared = bound.def(def).at;
                let is_inner = statement.contains(&declared) && !expression.contains(&declared);
                if is_inner {
                    let message = format!(
                        "It uses `{}`, which the statement itself declares.",
                        self.resolver.name(DefRef {
                            file: self.file,
                            def
                        })
                    );
                    return self.refuse(RefusalKind::Unsupported, message, at as usize);
                }
            }
        }
        self.check_declared_inside(expression)
    }

    /// Refuses code that declares what is used outside of it.
    fn check_declared_inside(&self, range: &Range<u32>) -> Result<(), Refusal> {
        let Some(bound) = self.resolver.workspace().file(self.file) else {
            return Ok(());
        };
        for (number, def) in bound.defs().iter().enumerate() {
            let is_local = matches!(
                def.kind,
                DefKind::Variable | DefKind::Constant | DefKind::Parameter | DefKind::Function
            );
            if !is_local || !range.contains(&def.at) || def.at == NONE {
                continue;
            }
            let scope = bound.scope(def.scope);
            if range.start <= scope.start && scope.end <= range.end {
                continue; // of a function or comprehension within
            }
            let def = DefRef {
                file: self.file,
                def: number as u32,
            };
            let mut uses = self.resolver.references(def).into_iter();
            let outside = uses.find(|of| of.file != self.file || !range.contains(&of.at));
            if let Some(outside) = outside {
                let name = self.resolver.name(def);
                let message = format!("It declares `{name}`, which is used outside of it.");
                let places = [(outside.file, outside.at)];
                return Err(Refusal::new(RefusalKind::Unsupported, message).at(places));
            }
        }
        Ok(())
    }

    /// The definitions in this file that a name means.
    pub(super) fn local_targets(&self, expr: u32) -> Vec<u32> {
        let workspace = self.resolver.workspace();
        let is_name = workspace
            .file(self.file)
            .is_some_and(|bound| matches!(bound.expr(expr), Expr::Name { .. }));
        if !is_name {
            return Vec::new();
        }
        let target = self.resolver.target(ExprRef {
            file: self.file,
            expr,
        });
        let met = target.defs.iter().chain(&target.via_aliases);
        let own = met.filter(|def| def.file == self.file);
        own.map(|def| def.def).collect()
    }
}
