//! The arguments of one call: one more, one less, or another order.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Role};
use codecortex_resolve::{ExprRef, FileNo};

use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::TextPart;
use crate::signature::SignatureWish;
use crate::signature::arguments::{ArgumentList, CallArgument};
use crate::signature::parameters::{ParameterList, PassedBy};
use crate::signature::plan::SignaturePlan;

/// A call whose arguments change.
pub(super) struct ChangedCall<'c, 't> {
    pub(super) place: (FileNo, u32),
    pub(super) read: &'c ArgumentList<'t>,
    /// Arguments before those of the parameters.
    pub(super) offset: usize,
    /// Arguments by place, without those.
    pub(super) given: usize,
    /// The first of them that stands for any number.
    pub(super) spread: Option<usize>,
    pub(super) dialect: Dialect,
}

impl SignaturePlan<'_, '_> {
    pub(super) fn argument_code(&self, name: Option<&str>) -> Vec<TextPart> {
        let SignatureWish::Add { argument, .. } = &self.change.wish else {
            return Vec::new();
        };
        let code = TextPart::Code(argument.clone());
        match name {
            Some(name) => vec![TextPart::Text(name.to_owned()), code],
            None => vec![code],
        }
    }

    pub(super) fn add_argument(
        &mut self,
        list: &ParameterList<'_>,
        call: &ChangedCall<'_, '_>,
        at: usize,
    ) -> Result<(), Refusal> {
        let file = call.place.0;
        let text = self.text(file)?;
        self.check_not_given(call)?;
        // Several results of a call may be all arguments of another in Go.
        let is_forwarded = call.dialect == Dialect::Go
            && list.arity().1.is_none()
            && call.read.arguments.len() == 1
            && call
                .read
                .arguments
                .first()
                .is_some_and(|argument| argument.may_act);
        if is_forwarded {
            let message = "The results of a call may be all arguments of this one.";
            return self.refuse(RefusalKind::Unsure, message, call.place);
        }
        let is_behind_spread = call.spread.is_some_and(|spread| spread < at);
        if !is_behind_spread && call.given >= at {
            let code = self.argument_code(None);
            call.read
                .list
                .insert(self.rewrite(file), text, at + call.offset, &code);
            return Ok(());
        }
        let is_last = at == list.parameters.len();
        if is_behind_spread && !(is_last && call.dialect == Dialect::Python) {
            let message = "The place of an argument behind a spread one is not known.";
            return self.refuse(RefusalKind::Unsupported, message, call.place);
        }
        let can_be_named = match call.dialect {
            Dialect::Python => {
                // Behind `/` everything has a name; before it nothing has one.
                let before = at
                    .checked_sub(1)
                    .and_then(|before| list.parameters.get(before));
                before.is_none_or(|before| before.passed_by != PassedBy::Place)
            }
            Dialect::CSharp => true,
            _ => false,
        };
        match can_be_named {
            true => self.add_named(call),
            false => {
                let message = "An argument before the new one is left out.";
                self.refuse(RefusalKind::Unsupported, message, call.place)
            }
        }
    }

    /// Refuses a call that gives a named argument of the new name already.
    pub(super) fn check_not_given(&self, call: &ChangedCall<'_, '_>) -> Result<(), Refusal> {
        let SignatureWish::Add { name, .. } = &self.change.wish else {
            return Ok(());
        };
        let mut names = call
            .read
            .arguments
            .iter()
            .filter_map(|argument| argument.name.as_ref());
        match names.any(|given| given == name) {
            true => self.refuse(
                RefusalKind::Taken,
                format!("A call gives an argument `{name}` already."),
                call.place,
            ),
            false => Ok(()),
        }
    }

    pub(super) fn add_named(&mut self, call: &ChangedCall<'_, '_>) -> Result<(), Refusal> {
        let SignatureWish::Add { name, .. } = &self.change.wish else {
            return Ok(());
        };
        self.check_not_given(call)?;
        let sign = match call.dialect {
            Dialect::CSharp => ": ",
            _ => "=",
        };
        let code = self.argument_code(Some(&format!("{name}{sign}")));
        let file = call.place.0;
        let text = self.text(file)?;
        let end = call.read.list.items.len();
        call.read.list.insert(self.rewrite(file), text, end, &code);
        Ok(())
    }

    pub(super) fn remove_argument(
        &mut self,
        list: &ParameterList<'_>,
        call: &ChangedCall<'_, '_>,
        at: usize,
    ) -> Result<(), Refusal> {
        let Some(parameter) = list.parameters.get(at) else {
            return Ok(());
        };
        let by_name = |argument: &CallArgument| {
            let name = argument.name.clone();
            name.is_some_and(|name| self.names.contains(&(at, name)))
        };
        let named = call.read.arguments.iter().position(by_name);
        let is_kept_apart = call
            .spread
            .is_some_and(|spread| spread < at || spread == at && !parameter.is_variadic);
        if is_kept_apart {
            let message = "The place of an argument behind a spread one is not known.";
            return self.refuse(RefusalKind::Unsupported, message, call.place);
        }
        let dropped = match named {
            Some(named) => named..named + 1,
            None if at < call.given && parameter.passed_by != PassedBy::Name => {
                let first = at + call.offset;
                match parameter.is_variadic {
                    true => first..call.offset + call.given,
                    false => first..first + 1,
                }
            }
            None if parameter.is_optional || parameter.is_variadic => return Ok(()),
            None => {
                // `**names` may give it.
                let message = "A call does not write the argument of the parameter.";
                return self.refuse(RefusalKind::Unsure, message, call.place);
            }
        };
        let file = call.place.0;
        for argument in call.read.arguments.get(dropped.clone()).unwrap_or_default() {
            if argument.may_act {
                let message = "An argument that would be dropped may do something.";
                return self.refuse(
                    RefusalKind::Unsupported,
                    message,
                    (file, argument.range.start),
                );
            }
            self.check_dropped(file, &argument.range, call.dialect)?;
        }
        let text = self.text(file)?;
        call.read.list.remove_all(self.rewrite(file), text, dropped);
        Ok(())
    }

    /// Refuses to drop the last use of a local variable or an import of Go, which no program may have.
    pub(super) fn check_dropped(
        &self,
        file: FileNo,
        range: &std::ops::Range<u32>,
        dialect: Dialect,
    ) -> Result<(), Refusal> {
        if dialect != Dialect::Go {
            return Ok(());
        }
        for (expr, at, ..) in self.resolver.uses_between(file, range.start, range.end) {
            let target = self.resolver.target(ExprRef { file, expr });
            for def in target.defs.iter().chain(&target.via_aliases) {
                let kind = self.resolver.kind(*def);
                let is_bound = kind == Some(DefKind::Alias)
                    || kind == Some(DefKind::Variable) && self.resolver.is_local(*def);
                if !is_bound {
                    continue;
                }
                let references = self.resolver.references(*def);
                let mut others = references.iter().filter(|reference| {
                    (reference.file, reference.at) != (file, at)
                        && Some(reference.at) != self.resolver.place(*def)
                        && reference.role.0 != Role::Write as u8
                });
                if others.next().is_none() {
                    let name = self.resolver.name(*def);
                    let message = format!("Nothing else would use `{name}`, which Go rejects.");
                    return self.refuse(RefusalKind::Unsupported, message, (file, at));
                }
            }
        }
        Ok(())
    }

    pub(super) fn move_arguments(
        &mut self,
        list: &ParameterList<'_>,
        call: &ChangedCall<'_, '_>,
        order: &[usize],
    ) -> Result<(), Refusal> {
        let is_moved = |place: &usize| order.get(*place) != Some(place);
        let (Some(first), Some(last)) = (
            (0..order.len()).find(is_moved),
            (0..order.len()).rev().find(is_moved),
        ) else {
            return Ok(());
        };
        if call.spread.is_some_and(|spread| spread <= last) {
            let message = "The place of an argument behind a spread one is not known.";
            return self.refuse(RefusalKind::Unsupported, message, call.place);
        }
        if call.given <= first {
            return Ok(());
        }
        if call.given <= last && matches!(call.dialect, Dialect::Python | Dialect::CSharp) {
            return self.name_arguments(list, call, first);
        }
        if call.given <= last {
            let message =
                "A call gives some of the moved arguments by place and leaves others out.";
            return self.refuse(RefusalKind::Unsupported, message, call.place);
        }
        let moved = first + call.offset..last + call.offset + 1;
        let arguments = call.read.arguments.get(moved).unwrap_or_default();
        if arguments.iter().filter(|argument| argument.may_act).count() > 1 {
            let message = "Arguments that may do something would be evaluated in another order.";
            return self.refuse(RefusalKind::Unsupported, message, call.place);
        }
        let mut places: Vec<usize> = (0..call.read.list.items.len()).collect();
        for (place, from) in order.iter().enumerate().take(last + 1) {
            if let Some(slot) = places.get_mut(place + call.offset) {
                *slot = from + call.offset;
            }
        }
        call.read.list.reorder(self.rewrite(call.place.0), &places);
        Ok(())
    }

    /// Gives the arguments from a place on by their names, where some of those that change their places are left out.
    pub(super) fn name_arguments(
        &mut self,
        list: &ParameterList<'_>,
        call: &ChangedCall<'_, '_>,
        first: usize,
    ) -> Result<(), Refusal> {
        let file = call.place.0;
        for place in first..call.given {
            let mut names = self.names.iter().filter(|(of, _)| *of == place);
            let name = names.next().map(|(_, name)| name.clone());
            let has_others = names.next().is_some();
            let by_place = list.parameters.get(place).map(|of| of.passed_by);
            let (Some(name), false, Some(PassedBy::PlaceOrName), Some(argument)) = (
                name,
                has_others,
                by_place,
                call.read.arguments.get(place + call.offset),
            ) else {
                let message =
                    "A call gives some of the moved arguments by place and leaves others out.";
                return self.refuse(RefusalKind::Unsupported, message, call.place);
            };
            let sign = if call.dialect == Dialect::CSharp {
                ": "
            } else {
                "="
            };
            let at = argument.range.start;
            self.rewrite(file)
                .insert(at, vec![TextPart::Text(format!("{name}{sign}"))]);
        }
        Ok(())
    }
}
