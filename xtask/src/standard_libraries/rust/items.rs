//! Items as Rust declares them, without bodies, a file a module.

use std::collections::{BTreeMap, BTreeSet};

use rustdoc_types::{
    Function, Generics, Id, Impl, Item, ItemEnum, StructKind, Trait, Type, Variant, VariantKind,
    Visibility,
};

use super::super::comments::first_sentence;
use super::module_tree::{ItemKey, ModuleTree, is_unstable};
use super::names::FileNames;

/// The files of all modules.
pub(super) fn files(tree: &ModuleTree<'_>) -> Vec<(String, String)> {
    let implementations = implementations(tree);
    let mut declared: BTreeMap<&str, Vec<(String, ItemKey)>> = BTreeMap::new();
    let mut exported: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (&key, places) in &tree.places {
        let Some(home) = tree.home(key) else { continue };
        declared
            .entry(&home.module)
            .or_default()
            .push((home.name.clone(), key));
        for place in places.iter().filter(|place| *place != home) {
            let renamed = if place.name == home.name {
                String::new()
            } else {
                format!(" as {}", place.name)
            };
            let export = format!("pub use {}::{}{renamed};\n", home.module, home.name);
            exported.entry(&place.module).or_default().push(export);
        }
    }
    let mut files = Vec::new();
    // a primitive type has a file also where there is no module of its name
    let modules: BTreeSet<&String> = tree.modules.iter().chain(implementations.keys()).collect();
    for module in modules {
        let mut items = declared.remove(module.as_str()).unwrap_or_default();
        items.sort();
        let names: Vec<String> = items.iter().map(|(name, _)| name.clone()).collect();
        let mut writer = ItemWriter {
            names: FileNames::new(tree, module, &names),
            text: String::new(),
        };
        for (name, key) in &items {
            writer.names.krate = key.krate;
            if let Some(item) = tree.item(*key) {
                writer.item(item, name);
            }
        }
        for &key in implementations.get(module).into_iter().flatten() {
            writer.names.krate = key.krate;
            if let Some(ItemEnum::Impl(of)) = tree.item(key).map(|item| &item.inner) {
                writer.implementation(of);
            }
        }
        let mut exports = exported.remove(module.as_str()).unwrap_or_default();
        exports.sort();
        exports.dedup();
        let mut text: String = exports.concat();
        for import in writer.names.imports() {
            text.extend(["use ", import, ";\n"]);
        }
        text.push_str(&writer.text);
        if !text.is_empty() {
            files.push((path_of(module), text));
        }
    }
    files
}

/// `std/vec.rs` for `std::vec`; the root is `std/lib.rs`.
fn path_of(module: &str) -> String {
    match module.split_once("::") {
        Some(_) => format!("{}.rs", module.replace("::", "/")),
        None => format!("{module}/lib.rs"),
    }
}

/// The written `impl`s by the module in which their type stands, or their trait for all types.
fn implementations(tree: &ModuleTree<'_>) -> BTreeMap<String, Vec<ItemKey>> {
    let mut all: BTreeMap<String, Vec<ItemKey>> = BTreeMap::new();
    for (krate, (_, described)) in tree.crates.iter().enumerate() {
        let mut keys = Vec::new();
        for (&id, item) in &described.index {
            let ItemEnum::Impl(of) = &item.inner else {
                continue;
            };
            let is_written = !of.is_synthetic && !of.is_negative && of.blanket_impl.is_none();
            let is_nameable = of.trait_.as_ref().is_none_or(|path| {
                tree.resolve(krate, path.id)
                    .is_some_and(|key| tree.home(key).is_some())
            });
            // what a crate repeats of another is described with that one
            if is_written && is_nameable && item.crate_id == 0 && !is_unstable(item) {
                // the order of the sources, which ids have not
                let place = item
                    .span
                    .as_ref()
                    .map(|span| (span.filename.clone(), span.begin));
                keys.push((place, ItemKey { krate, id }, of));
            }
        }
        keys.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
        for (_, key, of) in keys {
            if let Some(module) = module_of(tree, krate, of) {
                all.entry(module).or_default().push(key);
            }
        }
    }
    all
}

fn module_of(tree: &ModuleTree<'_>, krate: usize, of: &Impl) -> Option<String> {
    let home = |id: Id| {
        let key = tree.resolve(krate, id)?;
        tree.home(key).map(|place| place.module.clone())
    };
    let primitive = |name: &str| Some(format!("std::{name}"));
    let mut type_ = &of.for_;
    while let Type::BorrowedRef { type_: inner, .. } = type_ {
        type_ = inner;
    }
    match type_ {
        Type::ResolvedPath(path) => home(path.id),
        Type::DynTrait(object) => home(object.traits.first()?.trait_.id),
        Type::Primitive(name) => primitive(name),
        Type::Slice(_) => primitive("slice"),
        Type::Array { .. } => primitive("array"),
        Type::RawPointer { .. } => primitive("ptr"),
        Type::Tuple(_) => primitive("tuple"),
        Type::FunctionPointer(_) => primitive("fn"),
        _ => home(of.trait_.as_ref()?.id),
    }
}

/// The first sentence of an item's documentation, as a comment.
fn documentation(item: &Item, indent: &str) -> String {
    match first_sentence(item.docs.as_deref().unwrap_or_default()) {
        sentence if sentence.is_empty() => sentence,
        sentence => format!("{indent}/// {sentence}\n"),
    }
}

struct ItemWriter<'t, 'a> {
    names: FileNames<'t, 'a>,
    text: String,
}

impl<'a> ItemWriter<'_, 'a> {
    fn get(&self, id: Id) -> Option<&'a Item> {
        self.names.tree.item(ItemKey {
            krate: self.names.krate,
            id,
        })
    }

    fn item(&mut self, item: &Item, name: &str) {
        let deprecation = if item.deprecation.is_some() {
            "#[deprecated]\n"
        } else {
            ""
        };
        let text = match &item.inner {
            ItemEnum::Struct(of) => match &of.kind {
                StructKind::Unit => self.head("struct", name, &of.generics) + ";\n",
                StructKind::Tuple(fields) => {
                    let fields: Option<Vec<String>> =
                        fields.iter().map(|id| self.tuple_field((*id)?)).collect();
                    let parameters = self.names.parameters_text(&of.generics.params);
                    let conditions = self.names.where_text(&of.generics);
                    match fields {
                        Some(fields) => format!(
                            "pub struct {name}{parameters}({}){conditions};\n",
                            fields.join(", ")
                        ),
                        // a hidden field is no part of what the library offers
                        None => format!("pub struct {name}{parameters}{conditions} {{}}\n"),
                    }
                }
                StructKind::Plain { fields, .. } => {
                    self.head("struct", name, &of.generics) + &self.fields(fields, "pub ")
                }
            },
            ItemEnum::Union(of) => {
                self.head("union", name, &of.generics) + &self.fields(&of.fields, "pub ")
            }
            ItemEnum::Enum(of) => {
                let mut text = self.head("enum", name, &of.generics) + " {\n";
                for &id in &of.variants {
                    text.push_str(&self.variant(id));
                }
                text + "}\n"
            }
            ItemEnum::Trait(of) => self.trait_text(item, of, name),
            ItemEnum::Function(of) => format!("pub {}", self.function(name, of)),
            ItemEnum::TypeAlias(of) => {
                let parameters = self.names.parameters_text(&of.generics.params);
                format!(
                    "pub type {name}{parameters} = {};\n",
                    self.names.type_text(&of.type_)
                )
            }
            ItemEnum::Constant { type_, .. } => {
                format!("pub const {name}: {};\n", self.names.type_text(type_))
            }
            ItemEnum::Static(of) => {
                format!("pub static {name}: {};\n", self.names.type_text(&of.type_))
            }
            // what a macro expands to is not described
            ItemEnum::Macro(_) => {
                format!("#[macro_export]\nmacro_rules! {name} {{ () => {{}}; }}\n")
            }
            _ => return,
        };
        self.text
            .extend([&documentation(item, ""), deprecation, &text]);
    }

    fn head(&mut self, keyword: &str, name: &str, generics: &Generics) -> String {
        let parameters = self.names.parameters_text(&generics.params);
        let conditions = self.names.where_text(generics);
        format!("pub {keyword} {name}{parameters}{conditions}")
    }

    fn tuple_field(&mut self, id: Id) -> Option<String> {
        let ItemEnum::StructField(of) = &self.get(id)?.inner else {
            return None;
        };
        Some(format!("pub {}", self.names.type_text(of)))
    }

    fn fields(&mut self, fields: &[Id], visibility: &str) -> String {
        let mut text = " {\n".to_owned();
        for &id in fields {
            let Some(item) = self.get(id) else { continue };
            if let (ItemEnum::StructField(of), Some(name)) = (&item.inner, &item.name) {
                text.push_str(&format!(
                    "    {visibility}{name}: {},\n",
                    self.names.type_text(of)
                ));
            }
        }
        text + "}\n"
    }

    fn variant(&mut self, id: Id) -> String {
        let Some(item) = self.get(id).filter(|item| !is_unstable(item)) else {
            return String::new();
        };
        let (ItemEnum::Variant(Variant { kind, .. }), Some(name)) = (&item.inner, &item.name)
        else {
            return String::new();
        };
        match kind {
            VariantKind::Plain => format!("    {name},\n"),
            VariantKind::Tuple(fields) => {
                let fields = fields.iter().map(|id| {
                    let field = id
                        .and_then(|id| self.tuple_field(id))
                        .unwrap_or_else(|| "()".to_owned());
                    field.trim_start_matches("pub ").to_owned()
                });
                let fields: Vec<String> = fields.collect();
                format!("    {name}({}),\n", fields.join(", "))
            }
            VariantKind::Struct { fields, .. } => {
                let fields = self.fields(fields, "");
                format!("    {name}{},\n", fields.trim_end().replace('\n', " "))
            }
        }
    }

    fn trait_text(&mut self, item: &Item, of: &Trait, name: &str) -> String {
        let parameters = self.names.parameters_text(&of.generics.params);
        let bounds = self.names.bounds_text(&of.bounds);
        let bounds = if bounds.is_empty() {
            bounds
        } else {
            format!(": {bounds}")
        };
        let conditions = self.names.where_text(&of.generics);
        let keyword = if of.is_unsafe {
            "unsafe trait"
        } else {
            "trait"
        };
        let mut text = format!("pub {keyword} {name}{parameters}{bounds}{conditions} {{\n");
        let keeps_unstable = is_unstable(item);
        for &id in &of.items {
            if let Some(member) = self
                .get(id)
                .filter(|member| keeps_unstable || !is_unstable(member))
            {
                let mut member_text = self.member(member, "");
                // who implements the trait need not say it
                if matches!(&member.inner, ItemEnum::Function(of) if of.has_body) {
                    member_text.truncate(member_text.trim_end_matches([';', '\n']).len());
                    member_text.push_str(" {}\n");
                }
                text.push_str(&member_text);
            }
        }
        text + "}\n"
    }

    fn implementation(&mut self, of: &Impl) {
        let parameters = self.names.parameters_text(&of.generics.params);
        let type_ = self.names.type_text(&of.for_);
        let conditions = self.names.where_text(&of.generics);
        let trait_ = of
            .trait_
            .as_ref()
            .map(|path| format!("{} for ", self.names.implemented_text(path)));
        let mut members = String::new();
        for &id in &of.items {
            let Some(item) = self.get(id).filter(|item| !is_unstable(item)) else {
                continue;
            };
            let is_public = item.visibility == Visibility::Public;
            match (&trait_, &item.inner) {
                // the trait says the methods, and its signatures fit
                (Some(_), ItemEnum::AssocType { .. }) => members.push_str(&self.member(item, "")),
                (None, _) if is_public => members.push_str(&self.member(item, "pub ")),
                _ => {}
            }
        }
        if trait_.is_none() && members.is_empty() {
            return;
        }
        let trait_ = trait_.unwrap_or_default();
        let end = if members.is_empty() { " {}\n" } else { "}\n" };
        let start = if members.is_empty() { "" } else { " {\n" };
        self.text.push_str(&format!(
            "impl{parameters} {trait_}{type_}{conditions}{start}{members}{end}"
        ));
    }

    fn member(&mut self, item: &Item, visibility: &str) -> String {
        let Some(name) = &item.name else {
            return String::new();
        };
        let deprecation = if item.deprecation.is_some() {
            "#[deprecated] "
        } else {
            ""
        };
        let text = match &item.inner {
            ItemEnum::Function(of) => {
                format!("    {deprecation}{visibility}{}", self.function(name, of))
            }
            ItemEnum::AssocConst { type_, .. } => {
                format!(
                    "    {deprecation}{visibility}const {name}: {};\n",
                    self.names.type_text(type_)
                )
            }
            ItemEnum::AssocType {
                generics,
                bounds,
                type_,
            } => {
                let parameters = self.names.parameters_text(&generics.params);
                let bounds = self.names.bounds_text(bounds);
                let bounds = if bounds.is_empty() {
                    bounds
                } else {
                    format!(": {bounds}")
                };
                let conditions = self.names.where_text(generics);
                let value = type_
                    .as_ref()
                    .map(|of| format!(" = {}", self.names.type_text(of)));
                format!(
                    "    type {name}{parameters}{bounds}{}{conditions};\n",
                    value.unwrap_or_default()
                )
            }
            _ => return String::new(),
        };
        documentation(item, "    ") + &text
    }

    fn function(&mut self, name: &str, of: &Function) -> String {
        let mut keywords = String::new();
        for (is_set, keyword) in [
            (of.header.is_const, "const "),
            (of.header.is_async, "async "),
            (of.header.is_unsafe, "unsafe "),
        ] {
            keywords.push_str(if is_set { keyword } else { "" });
        }
        let parameters = self.names.parameters_text(&of.generics.params);
        let inputs: Vec<String> = of
            .sig
            .inputs
            .iter()
            .map(|(name, type_)| match self.receiver(name, type_) {
                Some(receiver) => receiver,
                None => {
                    let is_name = name
                        .chars()
                        .all(|character| character.is_alphanumeric() || character == '_');
                    let name = if is_name && !name.is_empty() {
                        name
                    } else {
                        "_"
                    };
                    format!("{name}: {}", self.names.type_text(type_))
                }
            })
            .collect();
        let output = self.names.output_text(of.sig.output.as_ref());
        let conditions = self.names.where_text(&of.generics);
        format!(
            "{keywords}fn {name}{parameters}({}){output}{conditions};\n",
            inputs.join(", ")
        )
    }

    /// `self`, `&self` or `&mut self`, where the first parameter is one of them.
    fn receiver(&self, name: &str, type_: &Type) -> Option<String> {
        let is_self = |of: &Type| matches!(of, Type::Generic(name) if name == "Self");
        match type_ {
            _ if name != "self" => None,
            of if is_self(of) => Some("self".to_owned()),
            Type::BorrowedRef {
                lifetime,
                is_mutable,
                type_,
            } if is_self(type_) => {
                let lifetime = lifetime
                    .as_ref()
                    .map(|name| format!("{name} "))
                    .unwrap_or_default();
                let keyword = if *is_mutable { "mut " } else { "" };
                Some(format!("&{lifetime}{keyword}self"))
            }
            _ => None,
        }
    }
}
