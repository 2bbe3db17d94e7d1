//! Methods of the library whose lambdas and results depend on one another, as signatures: `Aggregate(A,(A,T)~A):A`.
//!
//! A signature is a name, parameters, and what is given behind the colon. A capital letter alone is a type parameter, told by
//! what the call is given; `T` is what iterating the receiver gives, a digit a type argument of the receiver. `(A,B)~R` is a
//! function, `[A]` an array, `(A,B)` a tuple, `_` anything. A parameter with `?` behind it may be left out, one with `...`
//! may be repeated. Of several the first is meant that can take the arguments.

mod table;

use codecortex_bind::facts::Expr;

use super::support::{named, receiver};
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// What a call of a method of the library gives.
pub(super) fn result(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Ty> {
    let call = LibraryCall::new(resolver, callee, args)?;
    let (signature, known) = call.signature(call.args.len())?;
    let given = known.instance(signature.result)?;
    Some(match call.is_async {
        true => known.outside("Task", vec![given]),
        false => given,
    })
}

/// What a method of the library takes as an argument, which may be what it writes into one.
pub(super) fn argument(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: u32,
    index: u32,
) -> Option<Ty> {
    let call = LibraryCall::new(resolver, callee, args)?;
    let index = (index as usize).checked_sub(call.receivers)?;
    // Nothing but what stands before a function tells what it is given.
    let (signature, known) = call.signature(index)?;
    let (takes, _) = signature.parameter(index)?;
    match function(takes) {
        Some((params, _)) => {
            let params = params.into_iter();
            let params = params.map(|of| known.instance(of).unwrap_or(Ty::Unknown));
            Some(Ty::External(None, params.collect()))
        }
        None => known.instance(takes).filter(|ty| !ty.is_unknown()),
    }
}

/// A call of something that a signature may be of.
struct LibraryCall<'r, 'w> {
    resolver: &'r Resolver<'w>,
    file: FileNo,
    receiver: Ty,
    signatures: Vec<MethodSignature>,
    args: Vec<ExprRef>,
    /// How many arguments stand for the receiver: one where a static class is named.
    receivers: usize,
    /// Whether it is the asynchronous form of the method.
    is_async: bool,
}

impl<'r, 'w> LibraryCall<'r, 'w> {
    fn new(resolver: &'r Resolver<'w>, callee: ExprRef, args: u32) -> Option<Self> {
        let (of, name) = receiver(resolver, callee)?;
        let name = resolver.workspace.text(name);
        let (base, is_async) = match name.strip_suffix("Async") {
            Some(base) if table::has(base) && !table::has(name) => (base, true),
            _ => (name, false),
        };
        if !table::has(base) {
            return None;
        }
        let mut receiver = resolver.type_of(of).ty;
        let mut args = resolver.each(callee.file, args, |at| at);
        let mut receivers = 0;
        if matches!(receiver, Ty::ExternalType(..))
            && table::is_static_sequence(named(resolver, &receiver))
        {
            receivers = 1;
            receiver = resolver.type_of(*args.first()?).ty;
            args.remove(0);
        }
        let own = table::of_type(type_name(resolver, &receiver), base);
        let mut call = Self {
            resolver,
            file: callee.file,
            receiver,
            signatures: own,
            args,
            receivers,
            is_async,
        };
        if call.signatures.is_empty() && call.element().is_some() {
            call.signatures = table::of_sequences(base);
        }
        (!call.signatures.is_empty()).then_some(call)
    }

    /// What iterating the receiver gives, if it is known to be a sequence.
    fn element(&self) -> Option<Ty> {
        element(self.resolver, self.file, &self.receiver)
    }

    /// The signature that is meant, with what its type parameters stand for by the arguments before a place, and by all that
    /// are no functions.
    fn signature(&self, before: usize) -> Option<(&MethodSignature, TypeParamBindings<'_, 'w>)> {
        // A function of as many parameters comes first.
        [true, false].into_iter().find_map(|is_exact| {
            let mut fitting = self
                .signatures
                .iter()
                .filter(|signature| self.has_shape(signature, is_exact));
            fitting.find_map(|signature| Some((signature, self.known(signature, before)?)))
        })
    }

    /// Whether a signature takes so many arguments, and functions where functions are given.
    fn has_shape(&self, signature: &MethodSignature, is_exact: bool) -> bool {
        let spare = usize::from(self.is_async);
        let least = signature.least();
        if self.args.len() < least || self.args.len() > signature.most().saturating_add(spare) {
            return false;
        }
        self.args.iter().enumerate().all(|(index, at)| {
            let Some((takes, _)) = signature.parameter(index) else {
                return self.is_async;
            };
            match (function(takes), self.lambda_arity(*at)) {
                (Some((params, _)), Some(count)) if is_exact => params.len() == count,
                (Some((params, _)), Some(count)) => params.len() >= count,
                (None, Some(_)) => false,
                // A function may be named.
                (_, None) => true,
            }
        })
    }

    fn lambda_arity(&self, at: ExprRef) -> Option<usize> {
        let Expr::Function { def } = self.resolver.expr(self.value(at)) else {
            return None;
        };
        let bound = self.resolver.file(at.file)?;
        Some(bound.params(def).count())
    }

    /// What is given by an argument, which may be named.
    fn value(&self, at: ExprRef) -> ExprRef {
        match self.resolver.expr(at) {
            Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
            _ => at,
        }
    }

    /// What the type parameters of a signature stand for; nothing where it cannot take an argument.
    fn known(
        &self,
        signature: &MethodSignature,
        before: usize,
    ) -> Option<TypeParamBindings<'_, 'w>> {
        let mut known = TypeParamBindings {
            call: self,
            params: Vec::new(),
        };
        for (index, at) in self.args.iter().enumerate() {
            let Some((takes, _)) = signature.parameter(index) else {
                continue;
            };
            let at = self.value(*at);
            match function(takes) {
                Some((_, gives)) if index < before => {
                    if let Some(given) = self.returned(at) {
                        known.tell(gives, &given);
                    }
                }
                Some(_) => {}
                None if mentions_param(takes) => {
                    let given = self.resolver.type_of(at).ty;
                    if !known.tell(takes, &given) {
                        return None;
                    }
                }
                None => {}
            }
        }
        Some(known)
    }

    /// What a function returns that is given.
    fn returned(&self, at: ExprRef) -> Option<Ty> {
        match self.resolver.type_of(at).ty {
            Ty::Function(defs, subst) => {
                let def: DefRef = *defs.first()?;
                Some(self.resolver.declared_result(def).ty.with(&subst))
            }
            ty => super::delegates::result(self.resolver, &ty),
        }
    }
}

/// What iterating something gives that is known to be a sequence.
fn element(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let is_known = match of {
        Ty::Array(_) | Ty::Instance(..) => true,
        Ty::External(Some(name), _) => {
            let name = resolver.workspace.text(*name);
            let table = resolver.rules(file).library_types();
            table.find(name, "@iter").is_some()
        }
        _ => false,
    };
    let element = library_types::unwrap(resolver, file, of, "iter").filter(|_| is_known)?;
    (!matches!(element, Ty::Unknown | Ty::External(None, _))).then_some(element)
}

fn type_name<'w>(resolver: &Resolver<'w>, of: &Ty) -> &'w str {
    match of {
        Ty::Array(_) => "[]",
        of => named(resolver, of),
    }
}

/// What type parameters of a signature stand for.
struct TypeParamBindings<'c, 'w> {
    call: &'c LibraryCall<'c, 'w>,
    params: Vec<(char, Ty)>,
}

impl TypeParamBindings<'_, '_> {
    fn outside(&self, name: &str, args: Vec<Ty>) -> Ty {
        super::support::outside(self.call.resolver, name, args)
    }

    /// The type that a template stands for.
    fn instance(&self, template: &str) -> Option<Ty> {
        if template == "T"
            && let Some(element) = self.call.element()
        {
            return Some(element);
        }
        if let Some(param) = param(template) {
            let known = self.params.iter().find(|(known, _)| *known == param);
            return known.map(|(_, ty)| ty.clone());
        }
        if let Ok(index) = template.parse::<usize>() {
            return match &self.call.receiver {
                Ty::External(_, args) | Ty::ExternalType(_, args) => args.get(index).cloned(),
                _ => None,
            };
        }
        let inner = |of: &str| self.instance(of).unwrap_or(Ty::Unknown);
        Some(match shape(template) {
            TemplateShape::Anything => Ty::external(),
            TemplateShape::Array(of) => Ty::array(inner(of)),
            TemplateShape::Tuple(parts) => Ty::Tuple(parts.into_iter().map(inner).collect()),
            TemplateShape::Generic(name, args) => {
                self.outside(name, args.into_iter().map(inner).collect())
            }
            TemplateShape::Named(name) => {
                Ty::External(self.call.resolver.workspace.name(name), none())
            }
        })
    }

    /// Learns from what is given for a template; says whether it can be that.
    fn tell(&mut self, template: &str, given: &Ty) -> bool {
        let resolver = self.call.resolver;
        if let Some(param) = param(template) {
            let is_told = param == 'T' && self.call.element().is_some();
            let is_known = self.params.iter().any(|(known, _)| *known == param);
            if !is_told && !is_known && !given.is_unknown() {
                self.params.push((param, given.clone()));
            }
            return true;
        }
        if given.is_unknown() || matches!(given, Ty::External(None, _)) {
            return true;
        }
        match shape(template) {
            TemplateShape::Array(of) => self.tell_element(of, given),
            TemplateShape::Generic("IEnumerable", args) => {
                args.first().is_none_or(|of| self.tell_element(of, given))
            }
            TemplateShape::Tuple(parts) => {
                if let Ty::Tuple(given) = given {
                    for (part, given) in parts.into_iter().zip(given.iter()) {
                        self.tell(part, given);
                    }
                }
                true
            }
            TemplateShape::Generic(name, args) => {
                let Ty::External(_, given_args) = given else {
                    return false;
                };
                let is_same = named(resolver, given) == name
                    || name == "Task" && named(resolver, given) == "ValueTask";
                if !is_same || given_args.len() != args.len() {
                    return false;
                }
                let mut pairs = args.into_iter().zip(given_args.iter());
                pairs.all(|(part, given)| self.tell(part, given))
            }
            TemplateShape::Anything | TemplateShape::Named(_) => true,
        }
    }
}

impl TypeParamBindings<'_, '_> {
    fn tell_element(&mut self, template: &str, given: &Ty) -> bool {
        match element(self.call.resolver, self.call.file, given) {
            Some(element) => self.tell(template, &element),
            None => false,
        }
    }
}

/// How a template is built.
enum TemplateShape<'t> {
    Anything,
    Array(&'t str),
    Tuple(Vec<&'t str>),
    Generic(&'t str, Vec<&'t str>),
    Named(&'t str),
}

fn shape(template: &str) -> TemplateShape<'_> {
    let between = |open, close| {
        let inner = template.strip_prefix(open)?;
        inner.strip_suffix(close)
    };
    if template == "_" {
        TemplateShape::Anything
    } else if let Some(of) = between('[', ']') {
        TemplateShape::Array(of)
    } else if let Some(parts) = between('(', ')') {
        TemplateShape::Tuple(split(parts))
    } else if let Some((name, args)) = template
        .strip_suffix('>')
        .and_then(|rest| rest.split_once('<'))
    {
        TemplateShape::Generic(name, split(args))
    } else {
        TemplateShape::Named(template)
    }
}

/// The parameters and the result of a function's template.
fn function(template: &str) -> Option<(Vec<&str>, &str)> {
    let (params, result) = template.split_once('~')?;
    let params = params.strip_prefix('(')?.strip_suffix(')')?;
    Some((split(params), result))
}

/// The type parameter that a template is.
fn param(template: &str) -> Option<char> {
    let mut letters = template.chars();
    let first = letters.next().filter(char::is_ascii_uppercase)?;
    letters.next().is_none().then_some(first)
}

fn mentions_param(template: &str) -> bool {
    let words = template.split(|sign: char| !sign.is_alphanumeric());
    words.into_iter().any(|word| param(word).is_some())
}

/// Splits at commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// What a method takes and gives.
#[derive(Clone, Debug)]
struct MethodSignature {
    /// Templates of its parameters.
    params: Vec<&'static str>,
    result: &'static str,
}

impl MethodSignature {
    /// Reads `Name(params):result`.
    fn read(written: &'static str) -> Option<(&'static str, Self)> {
        let (name, rest) = written.split_once('(')?;
        let (params, result) = rest.rsplit_once("):")?;
        let params = split(params);
        Some((name, Self { params, result }))
    }

    /// The template of what is given at a place, and whether it may be left out.
    fn parameter(&self, index: usize) -> Option<(&'static str, bool)> {
        let repeated = self.params.last().filter(|last| last.ends_with("..."));
        let written = self.params.get(index).or(repeated)?;
        Some(
            match (written.strip_suffix('?'), written.strip_suffix("...")) {
                (Some(of), _) | (_, Some(of)) => (of, true),
                _ => (written, false),
            },
        )
    }

    fn least(&self) -> usize {
        let is_required = |index: &usize| {
            self.parameter(*index)
                .is_some_and(|(_, is_optional)| !is_optional)
        };
        (0..self.params.len()).filter(is_required).count()
    }

    fn most(&self) -> usize {
        match self.params.last() {
            Some(last) if last.ends_with("...") => usize::MAX,
            _ => self.params.len(),
        }
    }
}
