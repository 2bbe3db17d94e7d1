//! The hashes of a type, or of what a module declares outside of types (SPEC H3–H5, D18, D19).
//!
//! Files know the digest of every layer of their declarations; here they become six hashes: parts of a
//! type are joined first, then each layer goes where its declaration's visibility sends it. Members are
//! sorted, so that their order is no structure.

use std::cmp::Ordering;

use codecortex_syntax::Visibility;
use codecortex_syntax::{Digest, FILE, Facts, Flags, Item, ItemIndex, ItemKind, Language, Layer};
use codecortex_text::base32;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{File, FileId, Index, Symbol};

/// What the hashes take in, by configuration (SPEC H7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashRules {
    /// Whether what only the assembly, package or module sees counts as public.
    pub internal_is_public: bool,
    /// Whether documentation is structure.
    pub docs_are_structure: bool,
}

/// Full hashes. They are compared as they are and shown as eight letters by [`render`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hashes {
    /// What others see.
    pub structure: Digest,
    /// What it does for others.
    pub public_impl: Digest,
    /// What only it knows of.
    pub internal_impl: Digest,
    /// Documentation.
    pub doc: Digest,
    /// Comments, white space, order.
    pub cosmetic: Digest,
}

impl Hashes {
    /// Both implementations as one: `H(publicImpl : internalImpl)`.
    #[must_use]
    pub fn implementation(&self) -> Digest {
        half(
            Sha256::new()
                .chain_update(self.public_impl)
                .chain_update(b":")
                .chain_update(self.internal_impl),
        )
    }
}

/// A set of kinds of change, of which the first is the one that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Changes(u8);

/// What kind of change a type has seen, the gravest first (SPEC H4, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChangeClass {
    /// What others see.
    Structure,
    /// What it does for others.
    PublicBehavior,
    /// The structure of what it depends on.
    #[serde(rename = "Structure-Dependency")]
    StructureDependency,
    /// What only it knows of.
    Internal,
    /// Documentation.
    Docs,
    /// Looks.
    Cosmetic,
}

impl ChangeClass {
    /// Every class, the gravest first.
    pub const ALL: [Self; 6] = [
        Self::Structure,
        Self::PublicBehavior,
        Self::StructureDependency,
        Self::Internal,
        Self::Docs,
        Self::Cosmetic,
    ];

    /// The word in answers and files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Structure => "Structure",
            Self::PublicBehavior => "PublicBehavior",
            Self::StructureDependency => "Structure-Dependency",
            Self::Internal => "Internal",
            Self::Docs => "Docs",
            Self::Cosmetic => "Cosmetic",
        }
    }
}

impl Changes {
    /// What differs between two states of a type.
    #[must_use]
    pub fn between(before: &Hashes, after: &Hashes) -> Self {
        let mut changes = Self::default();
        for (class, differs) in [
            (ChangeClass::Structure, before.structure != after.structure),
            (
                ChangeClass::PublicBehavior,
                before.public_impl != after.public_impl,
            ),
            (
                ChangeClass::Internal,
                before.internal_impl != after.internal_impl,
            ),
            (ChangeClass::Docs, before.doc != after.doc),
            (ChangeClass::Cosmetic, before.cosmetic != after.cosmetic),
        ] {
            if differs {
                changes.insert(class);
            }
        }
        changes
    }

    /// Adds a class.
    pub fn insert(&mut self, class: ChangeClass) {
        self.0 |= 1 << class as u8;
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The gravest, if anything changed.
    #[must_use]
    pub fn class(self) -> Option<ChangeClass> {
        self.classes().next()
    }

    /// All of them, the gravest first.
    pub fn classes(self) -> impl Iterator<Item = ChangeClass> {
        let all = ChangeClass::ALL.into_iter();
        all.filter(move |class| self.0 & (1 << *class as u8) != 0)
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Letters of a hash as it is shown, and where that is not enough to tell two apart.
const SHOWN: usize = 8;
const SHOWN_LONG: usize = 12;

/// A hash as it is shown: the first eight bytes in Crockford's Base32, upper case, cut to eight letters.
#[must_use]
pub fn render(hash: &Digest) -> String {
    rendered(hash, SHOWN)
}

/// A hash that is shown as another one is: with twelve letters.
#[must_use]
pub fn render_long(hash: &Digest) -> String {
    rendered(hash, SHOWN_LONG)
}

fn rendered(hash: &Digest, length: usize) -> String {
    base32(&hash[..8], length).to_ascii_uppercase()
}

impl Index {
    /// The hashes of the type that `symbol` declares, all its parts and members taken in.
    #[must_use]
    pub fn type_hashes(&self, symbol: Symbol, rules: HashRules) -> Hashes {
        self.type_hashes_without(symbol, rules, None)
            .unwrap_or_default()
    }

    /// The hashes of a type as if one file were not there; `None` where it would not be there either.
    #[must_use]
    pub fn type_hashes_without(
        &self,
        symbol: Symbol,
        rules: HashRules,
        without: Option<FileId>,
    ) -> Option<Hashes> {
        let (_, item) = self.get(symbol)?;
        let path = self.path_of(symbol);
        let identity = [
            item.kind.as_str().as_bytes(),
            path.as_bytes(),
            &[item.arity],
        ];
        let mut sum = Sum::new(rules);
        let mut files = Vec::new();
        for part in self.parts(symbol) {
            let id = part.symbol.file;
            let Some(file) = self.file(id).filter(|_| Some(id) != without) else {
                continue;
            };
            sum.part(&file.facts, part.symbol.item);
            if !part.is_extension {
                files.push(id);
            }
        }
        if files.is_empty() {
            return None;
        }
        for member in self.outside_members(symbol) {
            if let Some((file, item)) = self.get(member)
                && Some(member.file) != without
            {
                sum.member(&file.facts, member.item, item);
            }
        }
        files.sort_unstable();
        files.dedup();
        for file in files.iter().filter_map(|file| self.file(*file)) {
            // Where modules declare nothing outside of types, the rest of a file concerns its types.
            if !has_modules(file.facts.language) {
                sum.rest_of(&file.facts);
            }
        }
        Some(sum.finish(&identity))
    }

    /// The hashes of what files declare outside of types, everything else of them included.
    #[must_use]
    pub fn module_hashes<'a>(
        &self,
        path: &str,
        files: impl Iterator<Item = &'a File>,
        rules: HashRules,
    ) -> Hashes {
        let mut sum = Sum::new(rules);
        for file in files {
            let facts = &file.facts;
            for (index, item) in facts.items.iter().enumerate() {
                if is_free(facts, item) {
                    sum.member(facts, index as ItemIndex, item);
                }
            }
            sum.module(facts);
        }
        sum.finish(&[b"module", path.as_bytes(), &[0]])
    }
}

/// Whether a language declares things outside of types, so that its modules have hashes of their own.
#[must_use]
pub fn has_modules(language: Language) -> bool {
    !matches!(language, Language::CSharp | Language::Java)
}

/// Whether a declaration belongs to its module and to no type.
#[must_use]
pub fn is_free(facts: &Facts, item: &Item) -> bool {
    let mut around = item
        .parent
        .and_then(|parent| facts.items.get(parent as usize));
    while let Some(parent) = around {
        if !parent.kind.is_namespace() {
            return false;
        }
        around = parent
            .parent
            .and_then(|parent| facts.items.get(parent as usize));
    }
    !(item.kind.is_type() || item.kind.is_namespace())
        && item.kind != ItemKind::Extension
        && !item.flags.contains(Flags::LOCAL)
        && item.container.is_empty()
}

/// A member's entry: what it is sorted by, and its digest. A module of ten thousand lines has thousands
/// of them, and all are sorted after each keystroke, so they have no strings of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<'a> {
    priority: u8,
    key: Key<'a>,
    digest: Digest,
}

/// What a member is called: `name(parameters)`, or nothing for what is of no member.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key<'a> {
    name: &'a str,
    params: Option<&'a str>,
}

impl<'a> Key<'a> {
    /// Its pieces, of which it is one text.
    fn pieces(&self) -> [&'a str; 4] {
        match self.params {
            Some(params) => [self.name, "(", params, ")"],
            None => [self.name, "", "", ""],
        }
    }

    /// Its bytes behind so many of its name.
    fn bytes_from(&self, at: usize) -> impl Iterator<Item = &'a u8> {
        let [name, rest @ ..] = self.pieces();
        let rest = rest.into_iter().flat_map(str::as_bytes);
        name.as_bytes()[at..].iter().chain(rest)
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.name.as_bytes(), other.name.as_bytes());
        let same = a.len().min(b.len());
        // Where one begins like the other, what follows it counts.
        a[..same]
            .cmp(&b[..same])
            .then_with(|| self.bytes_from(same).cmp(other.bytes_from(same)))
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Entry<'a> {
    /// Of something that is no member.
    fn own(digest: Digest) -> Self {
        let (name, params) = ("", None);
        Self {
            priority: 0,
            key: Key { name, params },
            digest,
        }
    }
}

/// What hashes are made of, being gathered.
#[derive(Default)]
struct Sum<'a> {
    rules: HashRules,
    pieces: Vec<Digest>,
    structure: Vec<Entry<'a>>,
    public: Vec<Entry<'a>>,
    internal: Vec<Entry<'a>>,
    doc: Vec<Entry<'a>>,
    cosmetic: Vec<Digest>,
}

impl<'a> Sum<'a> {
    fn new(rules: HashRules) -> Self {
        Self {
            rules,
            ..Self::default()
        }
    }

    /// What is of a type or file itself and of no member.
    fn own(&mut self, facts: &'a Facts, item: ItemIndex) {
        self.pieces.extend(facts.layer(item, Layer::Header));
        for (layer, to) in [
            (Layer::Body, &mut self.public),
            (Layer::Inner, &mut self.internal),
            (Layer::Doc, &mut self.doc),
        ] {
            let digests = facts.layer(item, layer);
            to.extend(digests.copied().map(Entry::own));
        }
        self.looks_of(facts, item);
    }

    /// What only looks.
    fn looks_of(&mut self, facts: &Facts, item: ItemIndex) {
        self.cosmetic.extend(facts.layer(item, Layer::Cosmetic));
        self.cosmetic.extend(facts.layer(item, Layer::Order));
    }

    /// A place where a type, or more of it, is written.
    fn part(&mut self, facts: &'a Facts, part: ItemIndex) {
        self.own(facts, part);
        // What is in it stands behind it, up to what starts after its end.
        let end = facts
            .items
            .get(part as usize)
            .map_or(0, |item| item.end_byte);
        let inside = facts.items.iter().enumerate().skip(part as usize + 1);
        for (index, item) in inside.take_while(|(_, item)| item.start_byte < end) {
            if owner(facts, item) != Some(part) || item.flags.contains(Flags::LOCAL) {
                continue;
            }
            if item.kind.is_type() {
                self.nested(facts, index as ItemIndex, item);
            } else {
                self.member(facts, index as ItemIndex, item);
            }
        }
    }

    /// Of a nested type, its head; the rest is its own.
    fn nested(&mut self, facts: &'a Facts, index: ItemIndex, item: &Item) {
        let mut pieces: Vec<&Digest> = facts.layer(index, Layer::Header).collect();
        pieces.sort_unstable();
        let hash = pieces
            .iter()
            .fold(Sha256::new(), |hash, piece| hash.chain_update(piece));
        let entry = Entry {
            priority: priority(item.kind),
            key: Key {
                name: facts.str(item.name),
                params: None,
            },
            digest: half(hash),
        };
        if self.is_public(item) {
            self.structure.push(entry);
        } else {
            self.internal.push(entry);
        }
    }

    fn member(&mut self, facts: &'a Facts, index: ItemIndex, item: &Item) {
        let is_public = self.is_public(item);
        let entry = |digest| Entry {
            priority: priority(item.kind),
            key: Key {
                name: facts.str(item.name),
                params: Some(facts.str(item.params)),
            },
            digest,
        };
        for own in facts.layers_of(index) {
            let to = match own.layer {
                Layer::Cosmetic | Layer::Order => {
                    self.cosmetic.push(own.digest);
                    continue;
                }
                Layer::Header if is_public => &mut self.structure,
                Layer::Body if is_public => &mut self.public,
                Layer::Doc => &mut self.doc,
                _ => &mut self.internal,
            };
            to.push(entry(own.digest));
        }
    }

    /// What a file says outside of its types, as a concern of theirs.
    fn rest_of(&mut self, facts: &'a Facts) {
        for layer in [Layer::Header, Layer::Body, Layer::Inner] {
            let digests = facts.layer(FILE, layer);
            self.internal.extend(digests.copied().map(Entry::own));
        }
        self.cosmetic.extend(facts.layer(FILE, Layer::Doc));
        self.looks_of(facts, FILE);
        self.looks(facts);
    }

    fn looks(&mut self, facts: &Facts) {
        if facts.looks != Digest::default() {
            self.cosmetic.push(facts.looks);
        }
    }

    /// What a file says outside of its declarations, as its module's own.
    fn module(&mut self, facts: &'a Facts) {
        self.own(facts, FILE);
        self.looks(facts);
    }

    fn is_public(&self, item: &Item) -> bool {
        match item.visibility {
            Visibility::Public | Visibility::Protected => true,
            Visibility::Internal => self.rules.internal_is_public,
            Visibility::Private => false,
        }
    }

    fn finish(mut self, identity: &[&[u8]]) -> Hashes {
        self.pieces.sort_unstable();
        self.pieces.dedup();
        self.cosmetic.sort_unstable();
        let mut structure = Sha256::new();
        for part in identity {
            structure.update(part);
            structure.update([0]);
        }
        self.pieces.iter().for_each(|piece| structure.update(piece));
        let structure = if self.rules.docs_are_structure {
            add(structure, self.doc.clone())
        } else {
            structure
        };
        Hashes {
            structure: half(add(structure, self.structure)),
            public_impl: half(add(Sha256::new(), self.public)),
            internal_impl: half(add(Sha256::new(), self.internal)),
            doc: half(add(Sha256::new(), self.doc)),
            cosmetic: half(
                self.cosmetic
                    .iter()
                    .fold(Sha256::new(), |hash, digest| hash.chain_update(digest)),
            ),
        }
    }
}

/// Adds entries in their order, whatever order they came in.
fn add(mut hash: Sha256, mut entries: Vec<Entry<'_>>) -> Sha256 {
    entries.sort_unstable();
    for entry in entries {
        hash.update([entry.priority]);
        for piece in entry.key.pieces() {
            hash.update(piece);
        }
        hash.update([0]);
        hash.update(entry.digest);
    }
    hash
}

/// The nearest type, or block of members of one, around an item.
fn owner(facts: &Facts, item: &Item) -> Option<ItemIndex> {
    let mut parent = item.parent;
    while let Some(index) = parent {
        let around = facts.items.get(index as usize)?;
        if around.kind.is_type() || around.kind == ItemKind::Extension {
            return Some(index);
        }
        parent = around.parent;
    }
    None
}

/// Type > Field > Property > Event > Method (`000` §3.3).
fn priority(kind: ItemKind) -> u8 {
    match kind {
        kind if kind.is_type() || kind.is_namespace() => 1,
        ItemKind::Field | ItemKind::Constant | ItemKind::Variable | ItemKind::EnumMember => 2,
        ItemKind::Property => 3,
        ItemKind::Event => 4,
        _ => 5,
    }
}

fn half(hash: Sha256) -> Digest {
    let full: [u8; 32] = hash.finalize().into();
    let mut half = Digest::default();
    half.copy_from_slice(&full[..16]);
    half
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Key;

    proptest! {
        /// The order of keys is that of the texts that are hashed.
        #[test]
        fn keys_are_ordered_as_texts(
            a in ("[a-c!$]{0,3}", prop::option::of("[a-c,(]{0,3}")),
            b in ("[a-c!$]{0,3}", prop::option::of("[a-c,(]{0,3}")),
        ) {
            fn key((name, params): &(String, Option<String>)) -> Key<'_> {
                let params = params.as_deref();
                Key { name, params }
            }
            let (x, y) = (key(&a), key(&b));
            let texts = [x, y].map(|key| key.pieces().concat());
            prop_assert_eq!(x.cmp(&y), texts[0].cmp(&texts[1]));
        }
    }
}
