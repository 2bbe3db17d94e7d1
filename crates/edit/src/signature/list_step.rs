//! What becomes of every list of parameters and arguments.

use codecortex_bind::facts::Role;
use codecortex_resolve::Resolver;

use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::signature::parameters::{ParameterList, PassedBy, WrittenParameter};
use crate::signature::plan::text_in;
use crate::signature::{ChangeSignature, SignatureWish, rules};

/// What becomes of every list.
#[derive(Clone, Debug)]
pub(super) enum ListStep {
    /// One more parameter at this place among the parameters, given by its place.
    AddByPlace(usize),
    /// One more parameter that is given by its name.
    AddByName,
    Remove(usize),
    /// The order afterwards: of each place the place before.
    Order(Vec<usize>),
}

impl ListStep {
    pub(super) fn new(
        resolver: &Resolver<'_>,
        change: &ChangeSignature,
        lists: &[ParameterList<'_>],
        texts: &RenameTexts,
    ) -> Result<Self, Refusal> {
        let refusal = |kind, message: String, of: &ParameterList<'_>| {
            let at = resolver.place(of.def).unwrap_or_default();
            Refusal::new(kind, message).at([(of.def.file, at)])
        };
        let refuse =
            |kind, message: String, of: &ParameterList<'_>| Err(refusal(kind, message, of));
        let Some(first) = lists.first() else {
            return Err(Refusal::new(
                RefusalKind::Unsupported,
                "Nothing is declared there.",
            ));
        };
        let shape = |list: &ParameterList<'_>| -> Vec<(bool, bool, PassedBy)> {
            let of = list.parameters.iter();
            of.map(|parameter| {
                (
                    parameter.is_variadic,
                    parameter.takes_names,
                    parameter.passed_by,
                )
            })
            .collect()
        };
        if let Some(other) = lists.iter().find(|list| shape(list) != shape(first)) {
            let message = "A declaration of it has other parameters.".to_owned();
            return refuse(RefusalKind::Unsupported, message, other);
        }
        let count = first.parameters.len();
        let known = |place: usize| match place < count {
            true => Ok(()),
            false => Err(refusal(
                RefusalKind::InvalidName,
                format!("There is no parameter {place}: it has {count}, counted from 0."),
                first,
            )),
        };
        match &change.wish {
            SignatureWish::Add { .. } => {
                if lists.iter().any(|list| list.has_star) {
                    return Ok(Self::AddByName);
                }
                let needed = |list: &ParameterList<'_>| {
                    let is_open = |parameter: &WrittenParameter| {
                        parameter.is_optional || parameter.is_variadic || parameter.takes_names
                    };
                    let place = list.parameters.iter().position(is_open);
                    place.unwrap_or(count)
                };
                let place = lists.iter().map(needed).min().unwrap_or(count);
                let is_literal =
                    |list: &&ParameterList<'_>| rules::may_be_literal(resolver, list.def);
                match lists.iter().find(is_literal).filter(|_| place < count) {
                    Some(list) => refuse(
                        RefusalKind::Unsure,
                        "Literals may implement it, whose parameters have other places.".to_owned(),
                        list,
                    ),
                    None => Ok(Self::AddByPlace(place)),
                }
            }
            SignatureWish::Remove(_) | SignatureWish::Move(..)
                if lists
                    .iter()
                    .any(|list| rules::may_be_literal(resolver, list.def)) =>
            {
                let message = "Literals may implement it, whose parameters have other places.";
                refuse(RefusalKind::Unsure, message.to_owned(), first)
            }
            SignatureWish::Remove(place) => {
                known(*place)?;
                match first
                    .parameters
                    .get(*place)
                    .is_some_and(|parameter| parameter.takes_names)
                {
                    true => refuse(
                        RefusalKind::Unsupported,
                        "It takes named arguments of any names.".to_owned(),
                        first,
                    ),
                    false => Ok(Self::Remove(*place)),
                }
            }
            SignatureWish::Move(from, to) => {
                known(*from)?;
                known(*to)?;
                let mut order: Vec<usize> = (0..count).collect();
                let moved = order.remove(*from);
                order.insert(*to, moved);
                for list in lists {
                    let text = text_in(resolver, texts, list.def.file)?;
                    check_order(resolver, list, &order, text)?;
                }
                match from == to {
                    true => refuse(
                        RefusalKind::InvalidName,
                        "It has that place already.".to_owned(),
                        first,
                    ),
                    false => Ok(Self::Order(order)),
                }
            }
        }
    }

    /// How many parameters there are more.
    pub(super) fn change(&self) -> isize {
        match self {
            Self::AddByPlace(_) => 1,
            Self::Remove(_) => -1,
            Self::AddByName | Self::Order(_) => 0,
        }
    }
}

/// Refuses an order of parameters that the language does not have.
fn check_order(
    resolver: &Resolver<'_>,
    list: &ParameterList<'_>,
    order: &[usize],
    text: &str,
) -> Result<(), Refusal> {
    let refuse = |message: &str| {
        let at = resolver.place(list.def).unwrap_or_default();
        Err(Refusal::new(RefusalKind::Unsupported, message).at([(list.def.file, at)]))
    };
    let mut is_open = false;
    for (place, from) in order.iter().enumerate() {
        let (Some(before), Some(parameter)) =
            (list.parameters.get(place), list.parameters.get(*from))
        else {
            continue;
        };
        if place != *from && (parameter.is_variadic || parameter.takes_names) {
            return refuse("A parameter that takes any number of arguments stays the last one.");
        }
        if before.passed_by != parameter.passed_by {
            return refuse("Parameters given by place and by name stay apart.");
        }
        let needs_order = parameter.passed_by != PassedBy::Name;
        if needs_order
            && is_open
            && !(parameter.is_optional || parameter.is_variadic || parameter.takes_names)
        {
            return refuse(
                "A parameter that must be given would stand behind one that may be left out.",
            );
        }
        is_open |= parameter.is_optional;
    }
    // A default value may use a parameter before it.
    let within = list.list.open..list.list.close;
    let uses = resolver.uses_between(list.def.file, within.start, within.end);
    for (place, from) in order.iter().enumerate() {
        let moved = (place != *from).then(|| list.name(*from, text)).flatten();
        let used = uses.iter().find(|(_, at, len, role)| {
            let written = text.get(*at as usize..(*at + *len) as usize);
            written.is_some_and(|written| Some(written) == moved) && role.0 != Role::Doc as u8
        });
        if used.is_some() {
            return refuse("A parameter uses another one of which the place changes.");
        }
    }
    Ok(())
}
