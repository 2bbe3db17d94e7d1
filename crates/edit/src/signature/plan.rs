//! From places to replacements: the lists of parameters, and the arguments of every call.

use std::collections::BTreeMap;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, Role, flag};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Tree};

use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::rewrite::{TextPart, TextRewrite};
use crate::signature::arguments::ArgumentList;
use crate::signature::calls::ChangedCall;
use crate::signature::list_step::ListStep;
use crate::signature::parameters::{ParameterList, PassedBy};
use crate::signature::sites::{UseSite, site_at};
use crate::signature::{ChangeSignature, SignatureWish, rules};
use crate::source_change::{KeptPieces, SourceChange, Untouched, UntouchedReason};
use crate::tree::{children, descendants, need_tree};

/// Plans the replacements of a change of a signature.
pub(super) fn plan(
    change: &ChangeSignature,
    resolver: &Resolver<'_>,
    texts: &RenameTexts,
) -> Result<SourceChange, Refusal> {
    let mut trees: FxHashMap<FileNo, Tree> = FxHashMap::default();
    for file in &change.files {
        let path = resolver.workspace().path(*file).unwrap_or_default();
        let text = text_in(resolver, texts, *file)?;
        trees.insert(*file, need_tree(path, text)?);
    }
    let mut lists = Vec::new();
    for def in &change.family {
        let text = text_in(resolver, texts, def.file)?;
        let Some(tree) = trees.get(&def.file) else {
            continue;
        };
        lists.push(ParameterList::new(resolver, *def, tree, text)?);
    }
    // A default value stands in one of several declarations.
    for place in 0..lists
        .iter()
        .map(|list| list.parameters.len())
        .max()
        .unwrap_or(0)
    {
        let of =
            |list: &ParameterList<'_>| list.parameters.get(place).is_some_and(|of| of.is_optional);
        if lists.iter().any(of) {
            let parameters = lists
                .iter_mut()
                .filter_map(|list| list.parameters.get_mut(place));
            parameters.for_each(|parameter| parameter.is_optional = true);
        }
    }
    let mut plan = SignaturePlan {
        change,
        resolver,
        texts,
        trees: &trees,
        names: FxHashSet::default(),
        rewrites: BTreeMap::new(),
        step: ListStep::new(resolver, change, &lists, texts)?,
    };
    for list in &lists {
        plan.check(list)?;
        let text = text_in(resolver, texts, list.def.file)?;
        plan.names.extend(
            (0..list.parameters.len())
                .filter_map(|at| Some((at, list.name(at, text)?)))
                .map(|(at, name)| (at, name.to_owned())),
        );
        plan.change_declaration(list, text)?;
    }
    let first = lists
        .first()
        .ok_or_else(|| Refusal::new(RefusalKind::Unsupported, "Nothing is declared there."))?;
    plan.change_calls(first, &lists)?;
    plan.check_unresolved()?;
    plan.finish()
}

pub(super) fn text_in<'t>(
    resolver: &Resolver<'_>,
    texts: &'t RenameTexts,
    file: FileNo,
) -> Result<&'t str, Refusal> {
    texts.get(&file).map(String::as_str).ok_or_else(|| {
        let path = resolver.workspace().path(file).unwrap_or_default();
        Refusal::new(RefusalKind::Unsure, format!("{path} cannot be read."))
    })
}

pub(super) struct SignaturePlan<'p, 'w> {
    pub(super) change: &'p ChangeSignature,
    pub(super) resolver: &'p Resolver<'w>,
    pub(super) texts: &'p RenameTexts,
    pub(super) trees: &'p FxHashMap<FileNo, Tree>,
    /// The names of parameters by their places, in all declarations.
    pub(super) names: FxHashSet<(usize, String)>,
    pub(super) rewrites: BTreeMap<FileNo, TextRewrite>,
    pub(super) step: ListStep,
}

impl<'p> SignaturePlan<'p, '_> {
    pub(super) fn refuse<T>(
        &self,
        kind: RefusalKind,
        message: impl Into<String>,
        place: (FileNo, u32),
    ) -> Result<T, Refusal> {
        Err(Refusal::new(kind, message).at([place]))
    }

    pub(super) fn text(&self, file: FileNo) -> Result<&'p str, Refusal> {
        text_in(self.resolver, self.texts, file)
    }

    pub(super) fn rewrite(&mut self, file: FileNo) -> &mut TextRewrite {
        self.rewrites.entry(file).or_default()
    }

    pub(super) fn dialect(&self, file: FileNo) -> Dialect {
        self.resolver.dialect(file).unwrap_or(Dialect::JavaScript)
    }

    /// Rules of a declaration.
    pub(super) fn check(&self, list: &ParameterList<'_>) -> Result<(), Refusal> {
        let text = self.text(list.def.file)?;
        rules::check_attributes(self.resolver, list, text)?;
        rules::check_functional_interface(self.resolver, list)?;
        if let SignatureWish::Add { name, .. } = &self.change.wish {
            rules::check_new_name(self.resolver, list, name)?;
        }
        if let ListStep::Remove(place) = self.step {
            self.check_unused(list, place)?;
        }
        Ok(())
    }

    /// Refuses to take a parameter away that something uses.
    pub(super) fn check_unused(
        &self,
        list: &ParameterList<'_>,
        place: usize,
    ) -> Result<(), Refusal> {
        let Some(bound) = self.resolver.workspace().file(list.def.file) else {
            return Ok(());
        };
        let Some(item) = list
            .parameters
            .get(place)
            .and_then(|parameter| Some((parameter, list.list.items.get(parameter.item)?)))
        else {
            return Ok(());
        };
        let (parameter, item) = item;
        let range = match (&parameter.name, self.dialect(list.def.file)) {
            (Some(name), Dialect::Go) => name.clone(),
            _ => item.range.clone(),
        };
        let mut places = Vec::new();
        for (number, def) in bound.defs().iter().enumerate() {
            if !range.contains(&def.at) {
                continue;
            }
            if def.flags & flag::MEMBER != 0 {
                let message = "The parameter is a member of its type as well.";
                return self.refuse(RefusalKind::Unsupported, message, (list.def.file, def.at));
            }
            let of = DefRef {
                file: list.def.file,
                def: number as u32,
            };
            for reference in self.resolver.references(of) {
                let place = (reference.file, reference.at);
                let is_own = reference.file == of.file && range.contains(&reference.at);
                let is_doc = reference.role.0 == Role::Doc as u8;
                if !is_own && !is_doc && !self.is_keyword(place) {
                    places.push(place);
                }
            }
        }
        match places.is_empty() {
            true => Ok(()),
            false => {
                let message = "The parameter is used.";
                Err(Refusal::new(RefusalKind::Taken, message).at(places))
            }
        }
    }

    /// Whether a place is the name of a named argument.
    pub(super) fn is_keyword(&self, (file, at): (FileNo, u32)) -> bool {
        let bound = self.resolver.workspace().file(file);
        let (used, _) = self.resolver.at(file, at);
        let expr = bound.zip(used).map(|(bound, expr)| bound.expr(expr));
        matches!(expr, Some(Expr::Keyword { .. }))
    }

    pub(super) fn change_declaration(
        &mut self,
        list: &ParameterList<'_>,
        text: &str,
    ) -> Result<(), Refusal> {
        let file = list.def.file;
        let dialect = self.dialect(file);
        let step = self.step.clone();
        match step {
            ListStep::AddByPlace(place) => {
                let code = self.written_parameter(list, dialect);
                let items = &list.list.items;
                let item = list
                    .parameters
                    .get(place)
                    .map_or(items.len(), |parameter| parameter.item);
                if let [only] = &items[..]
                    && matches!(dialect, Dialect::C | Dialect::Cpp)
                    && text.get(only.range.start as usize..only.range.end as usize) == Some("void")
                {
                    self.rewrite(file).replace(only.range.clone(), code);
                    return Ok(());
                }
                list.list.insert(self.rewrite(file), text, item, &code);
            }
            ListStep::AddByName => {
                let code = self.written_parameter(list, dialect);
                let last = list
                    .parameters
                    .iter()
                    .find(|parameter| parameter.takes_names);
                let item = last.map_or(list.list.items.len(), |parameter| parameter.item);
                list.list.insert(self.rewrite(file), text, item, &code);
            }
            ListStep::Remove(_) | ListStep::Order(_) if is_grouped(list) => {
                let parts = grouped_parts(list, &step);
                let has_comment = list.declaration.child_by_field_name("parameters");
                let has_comment = has_comment
                    .is_some_and(|list| children(list).into_iter().any(crate::tree::is_comment));
                if has_comment {
                    let message = "Comments stand among parameters that share a type.";
                    return self.refuse(RefusalKind::Unsupported, message, (file, list.list.open));
                }
                let range = list.list.open..list.list.close;
                self.rewrite(file).replace(range, parts);
            }
            ListStep::Remove(place) => {
                if let Some(parameter) = list.parameters.get(place) {
                    if dialect == Dialect::Python
                        && parameter.passed_by == PassedBy::Name
                        && !has_other_keyword(list, place)
                    {
                        let message = "A bare `*` would have no parameter behind it.";
                        return self.refuse(
                            RefusalKind::Unsupported,
                            message,
                            (file, list.list.open),
                        );
                    }
                    list.list.remove(self.rewrite(file), text, parameter.item);
                }
            }
            ListStep::Order(order) => {
                let items: Vec<usize> = list.parameters.iter().map(|of| of.item).collect();
                let mut order_of_items: Vec<usize> = (0..list.list.items.len()).collect();
                for (place, from) in order.iter().enumerate() {
                    if let (Some(slot), Some(item)) = (items.get(place), items.get(*from))
                        && let Some(entry) = order_of_items.get_mut(*slot)
                    {
                        *entry = *item;
                    }
                }
                list.list.reorder(self.rewrite(file), &order_of_items);
            }
        }
        Ok(())
    }

    /// The new parameter as its language writes it.
    pub(super) fn written_parameter(
        &self,
        list: &ParameterList<'_>,
        dialect: Dialect,
    ) -> Vec<TextPart> {
        let SignatureWish::Add { name, ty, .. } = &self.change.wish else {
            return Vec::new();
        };
        let text = |text: String| TextPart::Text(text);
        let code = || TextPart::Code(ty.clone());
        match dialect {
            Dialect::JavaScript => vec![text(name.clone())],
            _ if ty.is_empty() => vec![text(name.clone())],
            Dialect::TypeScript | Dialect::Python | Dialect::Rust => {
                vec![text(format!("{name}: ")), code()]
            }
            Dialect::Go if list.is_unnamed => vec![code()],
            Dialect::Go => vec![text(format!("{name} ")), code()],
            _ => vec![code(), text(format!(" {name}"))],
        }
    }

    pub(super) fn change_calls(
        &mut self,
        first: &ParameterList<'_>,
        lists: &[ParameterList<'_>],
    ) -> Result<(), Refusal> {
        let name = self.change.name.clone();
        rules::check_overloads(self.resolver, lists, &name, self.step.change())?;
        let sites: FxHashSet<(FileNo, u32)> = lists
            .iter()
            .filter_map(|list| Some((list.def.file, self.resolver.place(list.def)?)))
            .collect();
        for place in &self.change.places {
            if !sites.contains(place) && !self.only_names(*place) {
                self.change_place(first, *place)?;
            }
        }
        let Some(construction) = &self.change.construction else {
            return Ok(());
        };
        for place in &construction.places {
            let is_own = self.is_declared_at(place.file, place.at);
            if place.is_called {
                self.change_place(first, (place.file, place.at))?;
            } else if place.is_read && !is_own && !self.only_names((place.file, place.at)) {
                self.check_class_value((place.file, place.at))?;
            }
        }
        self.change_heirs(first)
    }

    pub(super) fn is_declared_at(&self, file: FileNo, at: u32) -> bool {
        self.resolver
            .definitions_named_at(file, at)
            .iter()
            .any(|def| self.resolver.kind(*def).is_some_and(|kind| kind.is_type()))
    }

    /// Whether a place is in an import or a comment.
    pub(super) fn only_names(&self, (file, at): (FileNo, u32)) -> bool {
        let bound = self.resolver.workspace().file(file);
        let (used, defined) = self.resolver.at(file, at);
        let role = bound
            .zip(used)
            .and_then(|(bound, expr)| bound.expr(expr).written());
        let is_named = role.is_some_and(|(_, _, role)| matches!(role, Role::Import | Role::Doc));
        let is_alias = defined.and_then(|def| self.resolver.kind(def)) == Some(DefKind::Alias);
        is_named || is_alias && used.is_none()
    }

    pub(super) fn change_place(
        &mut self,
        list: &ParameterList<'_>,
        place: (FileNo, u32),
    ) -> Result<(), Refusal> {
        let (file, at) = place;
        let text = self.text(file)?;
        let dialect = self.dialect(file);
        let trees = self.trees;
        let tree = trees.get(&file);
        let site = tree.and_then(|tree| site_at(tree, text, at));
        let name = &self.change.name;
        match site {
            Some(UseSite::Named) => Ok(()),
            Some(UseSite::Call { arguments, callee }) => {
                let offset = self.receivers_among_arguments(list, file, callee, dialect)?;
                self.change_arguments(list, place, arguments, offset, dialect)
            }
            Some(UseSite::MacroCall { arguments, is_path }) => {
                let offset = usize::from(is_path && list.has_receiver);
                let Some(read) = ArgumentList::of_tokens(arguments, text) else {
                    let message =
                        format!("The arguments of `{name}` in a macro cannot be told apart.");
                    return self.refuse(RefusalKind::Unsupported, message, place);
                };
                self.change_argument_list(list, place, &read, offset, dialect)
            }
            Some(UseSite::Value) | None => {
                let message = format!("`{name}` is used in another way than by a call.");
                self.refuse(RefusalKind::Unsure, message, place)
            }
        }
    }

    /// How many arguments stand before those of the parameters: the receiver, where it is given as an argument.
    pub(super) fn receivers_among_arguments(
        &self,
        list: &ParameterList<'_>,
        file: FileNo,
        callee: Node<'_>,
        dialect: Dialect,
    ) -> Result<usize, Refusal> {
        let kind = callee.kind();
        if dialect == Dialect::Go {
            let object = callee.child_by_field_name("operand");
            let is_method = self.resolver.owner_of(list.def).is_some();
            return match object {
                Some(object) if is_method && self.names_type(file, object) => self.refuse(
                    RefusalKind::Unsupported,
                    "A method is called through its type.",
                    (file, callee.start_byte() as u32),
                ),
                _ => Ok(0),
            };
        }
        if !list.has_receiver {
            return Ok(0);
        }
        let is_path = kind == "scoped_identifier"
            || kind == "generic_function"
                && callee
                    .child_by_field_name("function")
                    .is_some_and(|node| node.kind() == "scoped_identifier");
        let flags = self
            .resolver
            .definition(list.def)
            .map_or(0, |def| def.flags);
        match dialect {
            Dialect::Rust => Ok(usize::from(is_path)),
            Dialect::Python if flags & flag::CLASS_METHOD != 0 => Ok(0),
            Dialect::Python | Dialect::CSharp => {
                let object = callee
                    .child_by_field_name("object")
                    .or_else(|| callee.child_by_field_name("expression"));
                match object {
                    Some(object) => Ok(usize::from(self.names_type(file, object))),
                    // `A(1)`, and a method that is called by its name alone.
                    None => Ok(0),
                }
            }
            _ => Ok(0),
        }
    }

    /// Whether what stands before a name is a type, by its last word.
    pub(super) fn names_type(&self, file: FileNo, object: Node<'_>) -> bool {
        let words = descendants(object, |node| {
            !node.kind().contains("argument") && !node.kind().contains("string")
        });
        let Some(last) = words
            .into_iter()
            .rev()
            .find(|node| node.kind().contains("identifier"))
        else {
            return false;
        };
        if last.end_byte() != object.end_byte() && !object.kind().contains("parenthesized") {
            return false;
        }
        let (used, _) = self.resolver.at(file, last.start_byte() as u32);
        let Some(expr) = used else {
            return false;
        };
        let target = self.resolver.target(ExprRef { file, expr });
        let kinds = target
            .defs
            .iter()
            .filter_map(|def| self.resolver.kind(*def));
        let mut kinds = kinds.peekable();
        kinds.peek().is_some() && kinds.all(|kind| kind.is_type() || kind == DefKind::TypeAlias)
    }

    pub(super) fn change_arguments(
        &mut self,
        list: &ParameterList<'_>,
        place: (FileNo, u32),
        arguments: Node<'_>,
        offset: usize,
        dialect: Dialect,
    ) -> Result<(), Refusal> {
        let text = self.text(place.0)?;
        let read = match arguments.kind() {
            "generator_expression" => None,
            _ => ArgumentList::new(arguments, text, dialect),
        };
        match read {
            Some(read) => self.change_argument_list(list, place, &read, offset, dialect),
            None => self.refuse(
                RefusalKind::Unsupported,
                "The arguments of a call are not a list in brackets.",
                place,
            ),
        }
    }

    pub(super) fn change_argument_list(
        &mut self,
        list: &ParameterList<'_>,
        place: (FileNo, u32),
        read: &ArgumentList<'_>,
        offset: usize,
        dialect: Dialect,
    ) -> Result<(), Refusal> {
        let by_place = read.by_place();
        let spread = read
            .arguments
            .iter()
            .position(|argument| argument.is_spread);
        let Some(given) = by_place.checked_sub(offset) else {
            return self.refuse(
                RefusalKind::Unsure,
                "The receiver of a call is not given.",
                place,
            );
        };
        let (needed, most) = list.arity();
        let named = read.arguments.len() - by_place;
        let is_wrong =
            spread.is_none() && (most.is_some_and(|most| given > most) || given + named < needed);
        if is_wrong {
            let message = "A call gives another number of arguments than there are parameters.";
            return self.refuse(RefusalKind::Unsure, message, place);
        }
        let spread = spread.filter(|spread| *spread < by_place);
        let call = ChangedCall {
            place,
            read,
            offset,
            given,
            spread: spread.map(|spread| spread.saturating_sub(offset)),
            dialect,
        };
        match self.step.clone() {
            ListStep::AddByPlace(at) => self.add_argument(list, &call, at),
            ListStep::AddByName => self.add_named(&call),
            ListStep::Remove(at) => self.remove_argument(list, &call, at),
            ListStep::Order(order) => self.move_arguments(list, &call, &order),
        }
    }

    /// Refuses words of the name in code that nothing resolves.
    pub(super) fn check_unresolved(&self) -> Result<(), Refusal> {
        let name = &self.change.name;
        for file in &self.change.files {
            let text = self.text(*file)?;
            let words = rules::unresolved_words(self.resolver, *file, text, name);
            if !words.is_empty() {
                let path = self.resolver.workspace().path(*file).unwrap_or_default();
                let message = format!("The code has `{name}` in {path} where it is not resolved.");
                let places = words.into_iter().map(|at| (*file, at));
                return Err(Refusal::new(RefusalKind::Unsure, message).at(places));
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<SourceChange, Refusal> {
        let mut change = SourceChange {
            drops_replaced: true,
            ..SourceChange::default()
        };
        let mut kept = Vec::new();
        for (file, rewrite) in &self.rewrites {
            if rewrite.is_empty() {
                continue;
            }
            let done = rewrite.finish(*file, self.text(*file)?)?;
            kept.extend(done.kept);
            change
                .written
                .extend(done.written.into_iter().map(|range| (*file, range)));
            change.files.push(done.change);
        }
        change.kept = KeptPieces::new(kept);
        let unsure = self.change.unsure.iter();
        change.not_touched = unsure
            .map(|(file, at)| Untouched {
                file: *file,
                at: *at,
                reason: UntouchedReason::Name,
            })
            .collect();
        Ok(change)
    }
}

/// Whether several parameters share an element of the list (Go).
fn is_grouped(list: &ParameterList<'_>) -> bool {
    let mut items = list.parameters.iter().map(|parameter| parameter.item);
    let mut last = None;
    items.any(|item| last.replace(item) == Some(item))
}

/// All parameters of Go written apart.
fn grouped_parts(list: &ParameterList<'_>, step: &ListStep) -> Vec<TextPart> {
    let order: Vec<usize> = match step {
        ListStep::Order(order) => order.clone(),
        ListStep::Remove(place) => (0..list.parameters.len())
            .filter(|at| at != place)
            .collect(),
        _ => Vec::new(),
    };
    let mut parts = Vec::new();
    for parameter in order.iter().filter_map(|place| list.parameters.get(*place)) {
        if !parts.is_empty() {
            parts.push(TextPart::Text(", ".to_owned()));
        }
        if let Some(name) = &parameter.name {
            parts.push(TextPart::Source(name.clone()));
            parts.push(TextPart::Text(" ".to_owned()));
        }
        if parameter.is_variadic {
            parts.push(TextPart::Text("...".to_owned()));
        }
        parts.extend(parameter.ty.clone().map(TextPart::Source));
    }
    parts
}

/// Whether a parameter that is given by name is beside another one, or behind `*args`.
fn has_other_keyword(list: &ParameterList<'_>, place: usize) -> bool {
    let others = list.parameters.iter().enumerate();
    let is_beside = |(at, parameter): (usize, &crate::signature::parameters::WrittenParameter)| {
        at != place
            && (parameter.passed_by == PassedBy::Name && !parameter.takes_names
                || parameter.is_variadic)
    };
    others.into_iter().any(is_beside)
}
