//! Types, generics and bounds as Rust writes them.

use rustdoc_types::{
    AssocItemConstraintKind, GenericArg, GenericArgs, GenericBound, GenericParamDef,
    GenericParamDefKind, Generics, Path, PolyTrait, Term, TraitBoundModifier, Type, WherePredicate,
};

use super::names::FileNames;

impl FileNames<'_, '_> {
    /// A type.
    pub(super) fn type_text(&mut self, of: &Type) -> String {
        match of {
            Type::ResolvedPath(path) => self.path_text(path),
            Type::DynTrait(object) => {
                let mut bounds: Vec<String> = object
                    .traits
                    .iter()
                    .map(|of| self.object_bound(of))
                    .collect();
                bounds.extend(object.lifetime.clone());
                format!("dyn {}", bounds.join(" + "))
            }
            Type::Generic(name) | Type::Primitive(name) if name == "never" => "!".to_owned(),
            Type::Generic(name) | Type::Primitive(name) => name.clone(),
            Type::FunctionPointer(pointer) => {
                let parameters = self.higher_ranked(&pointer.generic_params);
                let inputs: Vec<String> = pointer
                    .sig
                    .inputs
                    .iter()
                    .map(|(_, input)| self.type_text(input))
                    .collect();
                let is_unsafe = if pointer.header.is_unsafe {
                    "unsafe "
                } else {
                    ""
                };
                let output = self.output_text(pointer.sig.output.as_ref());
                format!("{parameters}{is_unsafe}fn({}){output}", inputs.join(", "))
            }
            Type::Tuple(elements) => {
                let texts: Vec<String> = elements
                    .iter()
                    .map(|element| self.type_text(element))
                    .collect();
                match texts.as_slice() {
                    [only] => format!("({only},)"),
                    all => format!("({})", all.join(", ")),
                }
            }
            Type::Slice(element) => format!("[{}]", self.type_text(element)),
            Type::Array { type_, len } => format!("[{}; {len}]", self.type_text(type_)),
            Type::Pat { type_, .. } => self.type_text(type_),
            Type::ImplTrait(bounds) => format!("impl {}", self.bounds_text(bounds)),
            Type::Infer => "_".to_owned(),
            Type::RawPointer { is_mutable, type_ } => {
                let keyword = if *is_mutable { "mut" } else { "const" };
                format!("*{keyword} {}", self.nested_text(type_))
            }
            Type::BorrowedRef {
                lifetime,
                is_mutable,
                type_,
            } => {
                let lifetime = lifetime
                    .as_ref()
                    .map(|name| format!("{name} "))
                    .unwrap_or_default();
                let keyword = if *is_mutable { "mut " } else { "" };
                format!("&{lifetime}{keyword}{}", self.nested_text(type_))
            }
            Type::QualifiedPath {
                name,
                args,
                self_type,
                trait_,
            } => {
                let arguments = args
                    .as_ref()
                    .map(|args| self.arguments_text(args))
                    .unwrap_or_default();
                let of = self.type_text(self_type);
                match trait_ {
                    Some(path) if !matches!(**self_type, Type::Generic(_)) => {
                        format!("<{of} as {}>::{name}{arguments}", self.path_text(path))
                    }
                    _ => format!("{of}::{name}{arguments}"),
                }
            }
        }
    }

    /// A type behind a reference or pointer: several bounds stand in brackets there.
    fn nested_text(&mut self, of: &Type) -> String {
        let text = self.type_text(of);
        let is_sum = matches!(of, Type::DynTrait(_) | Type::ImplTrait(_)) && text.contains(" + ");
        if is_sum { format!("({text})") } else { text }
    }

    fn object_bound(&mut self, of: &PolyTrait) -> String {
        format!(
            "{}{}",
            self.higher_ranked(&of.generic_params),
            self.path_text(&of.trait_)
        )
    }

    /// A path with its arguments.
    pub(super) fn path_text(&mut self, path: &Path) -> String {
        let arguments = path
            .args
            .as_ref()
            .map(|args| self.arguments_text(args))
            .unwrap_or_default();
        self.text(path) + &arguments
    }

    /// A path as the head of an `impl` has it: `FnOnce<(A,)>`, which is `FnOnce(A)` elsewhere.
    pub(super) fn implemented_text(&mut self, path: &Path) -> String {
        match path.args.as_deref() {
            Some(GenericArgs::Parenthesized { inputs, .. }) => {
                let inputs = self.type_text(&Type::Tuple(inputs.clone()));
                format!("{}<{inputs}>", self.text(path))
            }
            _ => self.path_text(path),
        }
    }

    fn arguments_text(&mut self, arguments: &GenericArgs) -> String {
        match arguments {
            GenericArgs::AngleBracketed { args, constraints } => {
                let mut texts: Vec<String> = args
                    .iter()
                    .map(|argument| match argument {
                        GenericArg::Lifetime(name) => name.clone(),
                        GenericArg::Type(of) => self.type_text(of),
                        GenericArg::Const(constant) => constant.expr.clone(),
                        GenericArg::Infer => "_".to_owned(),
                    })
                    .collect();
                for constraint in constraints {
                    let arguments = constraint
                        .args
                        .as_ref()
                        .map(|args| self.arguments_text(args))
                        .unwrap_or_default();
                    let value = match &constraint.binding {
                        AssocItemConstraintKind::Equality(term) => {
                            format!(" = {}", self.term_text(term))
                        }
                        AssocItemConstraintKind::Constraint(bounds) => {
                            format!(": {}", self.bounds_text(bounds))
                        }
                    };
                    texts.push(format!("{}{arguments}{value}", constraint.name));
                }
                if texts.is_empty() {
                    String::new()
                } else {
                    format!("<{}>", texts.join(", "))
                }
            }
            GenericArgs::Parenthesized { inputs, output } => {
                let inputs: Vec<String> =
                    inputs.iter().map(|input| self.type_text(input)).collect();
                format!(
                    "({}){}",
                    inputs.join(", "),
                    self.output_text(output.as_ref())
                )
            }
            GenericArgs::ReturnTypeNotation => "(..)".to_owned(),
        }
    }

    fn term_text(&mut self, term: &Term) -> String {
        match term {
            Term::Type(of) => self.type_text(of),
            Term::Constant(constant) => constant.expr.clone(),
        }
    }

    /// ` -> T`, empty for a unit.
    pub(super) fn output_text(&mut self, output: Option<&Type>) -> String {
        output
            .map(|of| format!(" -> {}", self.type_text(of)))
            .unwrap_or_default()
    }

    /// Bounds with ` + ` between them.
    pub(super) fn bounds_text(&mut self, bounds: &[GenericBound]) -> String {
        let texts: Vec<String> = bounds
            .iter()
            .filter_map(|bound| match bound {
                GenericBound::TraitBound {
                    trait_,
                    generic_params,
                    modifier,
                } => {
                    let mark = if *modifier == TraitBoundModifier::Maybe {
                        "?"
                    } else {
                        ""
                    };
                    let parameters = self.higher_ranked(generic_params);
                    Some(format!("{mark}{parameters}{}", self.path_text(trait_)))
                }
                GenericBound::Outlives(name) => Some(name.clone()),
                // which parameters a hidden type captures says nothing of its members
                GenericBound::Use(_) => None,
            })
            .collect();
        texts.join(" + ")
    }

    fn higher_ranked(&mut self, parameters: &[GenericParamDef]) -> String {
        match self.parameters_text(parameters) {
            text if text.is_empty() => text,
            text => format!("for{text} "),
        }
    }

    /// The parameters of generics with their brackets, empty without any.
    pub(super) fn parameters_text(&mut self, parameters: &[GenericParamDef]) -> String {
        let mut texts = Vec::new();
        for parameter in parameters {
            let name = &parameter.name;
            match &parameter.kind {
                GenericParamDefKind::Lifetime { outlives } if outlives.is_empty() => {
                    texts.push(name.clone())
                }
                GenericParamDefKind::Lifetime { outlives } => {
                    texts.push(format!("{name}: {}", outlives.join(" + ")));
                }
                // `impl Trait` as a parameter's type
                GenericParamDefKind::Type {
                    is_synthetic: true, ..
                } => {}
                GenericParamDefKind::Type {
                    bounds, default, ..
                } => {
                    let bounds = self.bounds_text(bounds);
                    let bounds = if bounds.is_empty() {
                        bounds
                    } else {
                        format!(": {bounds}")
                    };
                    let default = default
                        .as_ref()
                        .map(|of| format!(" = {}", self.type_text(of)));
                    texts.push(format!("{name}{bounds}{}", default.unwrap_or_default()));
                }
                GenericParamDefKind::Const { type_, default } => {
                    let default = default
                        .as_ref()
                        .map(|value| format!(" = {value}"))
                        .unwrap_or_default();
                    texts.push(format!("const {name}: {}{default}", self.type_text(type_)));
                }
            }
        }
        if texts.is_empty() {
            String::new()
        } else {
            format!("<{}>", texts.join(", "))
        }
    }

    /// ` where …`, empty without conditions.
    pub(super) fn where_text(&mut self, generics: &Generics) -> String {
        let mut texts = Vec::new();
        for predicate in &generics.where_predicates {
            match predicate {
                WherePredicate::BoundPredicate {
                    type_,
                    bounds,
                    generic_params,
                } => {
                    let bounds = self.bounds_text(bounds);
                    if !bounds.is_empty() {
                        let parameters = self.higher_ranked(generic_params);
                        texts.push(format!("{parameters}{}: {bounds}", self.type_text(type_)));
                    }
                }
                WherePredicate::LifetimePredicate { lifetime, outlives } => {
                    texts.push(format!("{lifetime}: {}", outlives.join(" + ")));
                }
                // no source can say it
                WherePredicate::EqPredicate { .. } => {}
            }
        }
        if texts.is_empty() {
            String::new()
        } else {
            format!(" where {}", texts.join(", "))
        }
    }
}
