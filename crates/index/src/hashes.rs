//! The hashes of a type, or of what a module declares outside of types (SPEC H3–H5, D18, D19).
//!
//! Files know the digest of every layer of their declarations; here they become six hashes: parts of a
//! type are joined first, then each layer goes where its declaration's visibility sends it. Members are
//! sorted, so that their order is no structure.

use std::cmp::Ordering;

use codecortex_hashes::{HashRules, Hashes, Unordered, half, half_of, halves};
use codecortex_syntax::Visibility;
use codecortex_syntax::{
    Digest, FILE, Facts, Item, ItemFlags, ItemIndex, ItemKind, Language, Layer, Own,
};
use sha2::{Digest as _, Sha256};

use crate::overlay::Overlay;
use crate::{FileId, Index, IndexedFile, Symbol, TypePart};

/// The hashes of a type or module, with a part of one that is needed again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hashed {
    /// The hashes.
    pub hashes: Hashes,
    /// Of `cosmetic`, what is its own. A letter in a licence changes the rest for every type of a file.
    pub looks: Digest,
}

impl Index {
    /// The hashes of the type that `symbol` declares, all its parts and members taken in.
    #[must_use]
    pub fn type_hashes(&self, symbol: Symbol, rules: HashRules) -> Hashes {
        let hashed = self.type_hashes_without(symbol, rules, None);
        hashed.unwrap_or_default().hashes
    }

    /// The hashes of a type as if one file were not there; `None` where it would not be there either.
    #[must_use]
    pub fn type_hashes_without(
        &self,
        symbol: Symbol,
        rules: HashRules,
        without: Option<FileId>,
    ) -> Option<Hashed> {
        let (_, item) = self.get(symbol)?;
        let path = self.path_of(symbol);
        let identity = [
            item.kind.as_str().as_bytes(),
            path.as_bytes(),
            &[item.arity],
        ];
        let mut sum = Sum::new(rules);
        let parts = self.parts(symbol);
        for part in &parts {
            let id = part.symbol.file;
            if let Some(file) = self.file(id).filter(|_| Some(id) != without) {
                sum.part(&file.facts, part.symbol.item);
            }
        }
        let files = self.files_of(&parts, without)?;
        for member in self.outside_members(symbol, Overlay::Hidden) {
            if let Some((file, item)) = self.get(member)
                && Some(member.file) != without
            {
                sum.member(&file.facts, member.item, item);
            }
        }
        for file in files {
            sum.rest_of(&file.facts);
        }
        Some(sum.finish(&identity))
    }

    /// The files that a type has parts in, extensions not among them; `None` where there are none. One may be left
    /// out.
    fn files_of(&self, parts: &[TypePart], without: Option<FileId>) -> Option<Vec<&IndexedFile>> {
        let own = parts
            .iter()
            .filter(|part| !part.is_extension && Some(part.symbol.file) != without);
        let mut files: Vec<FileId> = own.map(|part| part.symbol.file).collect();
        files.sort_unstable();
        files.dedup();
        let files: Vec<&IndexedFile> = files.iter().filter_map(|file| self.file(*file)).collect();
        (!files.is_empty()).then_some(files)
    }

    /// A type's hash of looks where its own looks are known and what is beside it may be another now; `None` where it
    /// is not there.
    #[must_use]
    pub fn looks_of_type(&self, symbol: Symbol, own: &Digest) -> Option<Digest> {
        let files = self.files_of(&self.parts(symbol), None)?;
        let mut beside = Looks::default();
        for file in files {
            beside.of_file(&file.facts);
        }
        Some(all_looks(own, beside))
    }

    /// The hashes of what files declare outside of types, everything else of them included.
    #[must_use]
    pub fn module_hashes<'a>(
        &self,
        path: &str,
        files: impl Iterator<Item = &'a IndexedFile>,
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
        sum.finish(&[b"module", path.as_bytes(), &[0]]).hashes
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
        && !item.flags.contains(ItemFlags::LOCAL)
        && item.container.is_empty()
}

/// A member: what it is sorted by, and what is hashed of it. A module of ten thousand lines has thousands of them, and
/// all are put in order after each keystroke, so they have no strings of their own.
struct HashedMember<'a> {
    /// Its priority and how its name begins, which nearly always decides.
    first: u64,
    key: MemberKey<'a>,
    is_public: bool,
    layers: &'a [Own],
    /// Of a nested type, all that is hashed.
    head: Option<Digest>,
}

impl<'a> HashedMember<'a> {
    fn new(kind: ItemKind, key: MemberKey<'a>, is_public: bool) -> Self {
        let mut first = [0; 8];
        first[0] = priority(kind);
        for (to, letter) in first[1..].iter_mut().zip(key.bytes_from(0)) {
            *to = *letter;
        }
        Self {
            first: u64::from_be_bytes(first),
            key,
            is_public,
            layers: &[],
            head: None,
        }
    }

    fn in_order(&self, other: &Self) -> Ordering {
        let first = self.first.cmp(&other.first);
        first.then_with(|| self.key.cmp(&other.key))
    }

    /// Adds its digests to those of the hashes that they belong to.
    fn send(&self, to: &mut [Vec<Digest>; MemberHashes::COUNT]) {
        for own in self.layers {
            if let Some(list) = MemberHashes::for_layer(own.layer, self.is_public) {
                to[list as usize].push(own.digest);
            }
        }
        let list = MemberHashes::for_layer(Layer::Header, self.is_public);
        if let (Some(head), Some(list)) = (self.head, list) {
            to[list as usize].push(head);
        }
    }
}

/// The hashes that members are in by what they are called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberHashes {
    Structure,
    Public,
    Internal,
    Doc,
}

impl MemberHashes {
    const COUNT: usize = 4;

    /// Where a layer of a member goes; nowhere if it is only looks.
    fn for_layer(layer: Layer, is_public: bool) -> Option<Self> {
        Some(match layer {
            Layer::Cosmetic | Layer::Order => return None,
            Layer::Header if is_public => Self::Structure,
            Layer::Body if is_public => Self::Public,
            Layer::Doc => Self::Doc,
            _ => Self::Internal,
        })
    }
}

/// What a member is called: `name(parameters)`, or nothing for what is of no member.
#[derive(Clone, Copy, PartialEq, Eq)]
struct MemberKey<'a> {
    name: &'a str,
    params: Option<&'a str>,
}

impl<'a> MemberKey<'a> {
    /// Its pieces, of which it is one text.
    fn pieces(&self) -> [&'a str; 4] {
        match self.params {
            Some(params) => [self.name, "(", params, ")"],
            None => [self.name, "", "", ""],
        }
    }

    /// Those of them that one of the hashes takes in, by [`MemberHashes`].
    fn pieces_in(&self, list: usize) -> [&'a str; 4] {
        match list {
            _ if list == MemberHashes::Public as usize => [""; 4],
            _ if list == MemberHashes::Doc as usize => [self.name, "", "", ""],
            _ => self.pieces(),
        }
    }

    /// Its bytes behind so many of its name.
    fn bytes_from(&self, at: usize) -> impl Iterator<Item = &'a u8> {
        let [name, rest @ ..] = self.pieces();
        let rest = rest.into_iter().flat_map(str::as_bytes);
        name.as_bytes()[at..].iter().chain(rest)
    }
}

impl Ord for MemberKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.name.as_bytes(), other.name.as_bytes());
        let same = a.len().min(b.len());
        a[..same].cmp(&b[..same]).then_with(|| {
            match (self.params, other.params) {
                // Overloads of one name, of which some types have hundreds.
                (Some(a_params), Some(b_params)) if a.len() == b.len() => {
                    in_brackets(a_params.as_bytes(), b_params.as_bytes())
                }
                // Where one begins like the other, what follows it counts.
                _ => self.bytes_from(same).cmp(other.bytes_from(same)),
            }
        })
    }
}

/// The order of `a)` and `b)`.
fn in_brackets(a: &[u8], b: &[u8]) -> Ordering {
    let same = a.len().min(b.len());
    a[..same].cmp(&b[..same]).then_with(|| {
        let next = |of: &[u8]| of.get(same).copied().unwrap_or(b')');
        next(a).cmp(&next(b)).then(a.len().cmp(&b.len()))
    })
}

impl PartialOrd for MemberKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What hashes are made of, being gathered.
#[derive(Default)]
struct Sum<'a> {
    rules: HashRules,
    members: Vec<HashedMember<'a>>,
    /// Heads of the type's parts.
    pieces: Vec<Digest>,
    /// What is of the type or file itself and of no member, by [`MemberHashes`].
    own: [Vec<Digest>; MemberHashes::COUNT],
    looks: Looks,
    /// What only looks in the files that it is in, beside it.
    beside: Looks,
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
        for (layer, list) in [
            (Layer::Body, MemberHashes::Public),
            (Layer::Inner, MemberHashes::Internal),
            (Layer::Doc, MemberHashes::Doc),
        ] {
            self.own[list as usize].extend(facts.layer(item, layer));
        }
        self.looks_of(facts, item);
    }

    /// What only looks.
    fn looks_of(&mut self, facts: &Facts, item: ItemIndex) {
        self.looks.add(facts, item, &[Layer::Cosmetic]);
    }

    /// A place where a type, or more of it, is written.
    fn part(&mut self, facts: &'a Facts, part: ItemIndex) {
        self.own(facts, part);
        // What is in it stands behind it, up to what starts after its end.
        let end = facts
            .items
            .get(part as usize)
            .map_or(0, |item| item.end_byte);
        let behind = facts.items.get(part as usize + 1..).unwrap_or_default();
        let inside = behind
            .iter()
            .take_while(|item| item.start_byte < end)
            .count();
        self.members.reserve(inside);
        for (index, item) in (part as usize + 1..).zip(&behind[..inside]) {
            if owner(facts, item) != Some(part) || item.flags.contains(ItemFlags::LOCAL) {
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
        let (name, params) = (facts.str(item.name), None);
        self.members.push(HashedMember {
            head: Some(half(hash)),
            ..HashedMember::new(item.kind, MemberKey { name, params }, self.is_public(item))
        });
    }

    fn member(&mut self, facts: &'a Facts, index: ItemIndex, item: &Item) {
        let layers = facts.layers_of(index);
        for own in layers {
            self.looks.take(own);
        }
        let (name, params) = (facts.str(item.name), Some(facts.str(item.params)));
        self.members.push(HashedMember {
            layers,
            ..HashedMember::new(item.kind, MemberKey { name, params }, self.is_public(item))
        });
    }

    /// What a file says outside of its types, as a concern of theirs.
    fn rest_of(&mut self, facts: &'a Facts) {
        // Where modules declare something outside of types, it concerns them.
        if !has_modules(facts.language) {
            for layer in [Layer::Header, Layer::Body, Layer::Inner] {
                self.own[MemberHashes::Internal as usize].extend(facts.layer(FILE, layer));
            }
        }
        self.beside.of_file(facts);
    }

    /// What a file says outside of its declarations, as its module's own.
    fn module(&mut self, facts: &'a Facts) {
        self.own(facts, FILE);
        self.looks.all.extend(looks_of_bytes(facts));
    }

    fn is_public(&self, item: &Item) -> bool {
        match item.visibility {
            Visibility::Public | Visibility::Protected => true,
            Visibility::Internal => self.rules.internal_is_public,
            Visibility::Private => false,
        }
    }

    fn finish(mut self, identity: &[&[u8]]) -> Hashed {
        // Once for all hashes: sorting what is in each of them by itself, with what `Piecewise` saves, was a sixteenth
        // of a keystroke in ten thousand lines.
        self.members.sort_unstable_by(HashedMember::in_order);
        self.pieces.sort_unstable();
        self.pieces.dedup();
        self.own.iter_mut().for_each(|own| sort(own));
        let mut hashes = <[Piecewise; MemberHashes::COUNT]>::default();
        let structure = &mut hashes[MemberHashes::Structure as usize];
        for part in identity {
            structure.add(part);
            structure.add(&[0]);
        }
        self.pieces.iter().for_each(|piece| structure.add(piece));
        if self.rules.docs_are_structure {
            let mut docs = <[Piecewise; MemberHashes::COUNT]>::default();
            std::mem::swap(structure, &mut docs[MemberHashes::Doc as usize]);
            self.add(&mut docs);
            std::mem::swap(structure, &mut docs[MemberHashes::Doc as usize]);
        }
        self.add(&mut hashes);
        let [public, docs] = self.unordered();
        let looks = self.looks.hashed(None);
        let [structure, public_impl, internal_impl, doc] = hashes.map(Piecewise::finish);
        let (public_impl, doc) = (halves(&public_impl, &public), halves(&docs, &doc));
        let hashes = Hashes {
            structure,
            public_impl,
            internal_impl,
            doc,
            cosmetic: all_looks(&looks, self.beside),
        };
        Hashed { hashes, looks }
    }

    /// What it does for others, and its documentation, whatever the members are called that they are of.
    fn unordered(&self) -> [Digest; 2] {
        let [mut public, mut docs] = [Unordered::default(), Unordered::default()];
        let own = |list: MemberHashes| self.own[list as usize].iter();
        own(MemberHashes::Public).for_each(|digest| public.add(digest));
        own(MemberHashes::Doc).for_each(|digest| docs.add(digest));
        for member in &self.members {
            for own in member.layers {
                match MemberHashes::for_layer(own.layer, member.is_public) {
                    Some(MemberHashes::Public) => public.add(&own.digest),
                    Some(MemberHashes::Doc) => docs.add(&own.digest),
                    _ => {}
                }
            }
        }
        [public.finish(), docs.finish()]
    }

    /// Adds to each of the hashes what is of no member, then what is of members in their order, whatever order they
    /// came in.
    ///
    /// Structure and what is internal say what each member is called, as that is part of them. What a public member
    /// does stands there without its name: by another name it does the same, and who exchanges two bodies changes their
    /// order. Documentation stands with the name of a public member, so that who moves it to another one changes the
    /// hash, but not with its parameters, and that of others without any order. Where the names are others, it is the
    /// other half of these two hashes that counts ([`codecortex_hashes::differs`]): no name is documentation.
    fn add(&self, hashes: &mut [Piecewise; MemberHashes::COUNT]) {
        for (hash, own) in hashes.iter_mut().zip(&self.own) {
            for digest in own {
                hash.add(&[0, 0]);
                hash.add(digest);
            }
        }
        let mut digests = <[Vec<Digest>; MemberHashes::COUNT]>::default();
        let mut unnamed_docs = Vec::new();
        // What is called the same is in the order of the digests.
        let is_same = |a: &HashedMember<'_>, b: &HashedMember<'_>| a.in_order(b).is_eq();
        for same in self.members.chunk_by(is_same) {
            for member in same {
                member.send(&mut digests);
                if !member.is_public {
                    unnamed_docs.append(&mut digests[MemberHashes::Doc as usize]);
                }
            }
            let [priority, ..] = same[0].first.to_be_bytes();
            let key = same[0].key;
            for (list, (hash, digests)) in hashes.iter_mut().zip(&mut digests).enumerate() {
                digests.sort_unstable();
                for digest in digests.drain(..) {
                    hash.add(&[priority]);
                    let pieces = key.pieces_in(list);
                    pieces.iter().for_each(|piece| hash.add(piece.as_bytes()));
                    hash.add(&[0]);
                    hash.add(&digest);
                }
            }
        }
        sort(&mut unnamed_docs);
        let docs = &mut hashes[MemberHashes::Doc as usize];
        for digest in unnamed_docs {
            docs.add(&[0, 0]);
            docs.add(&digest);
        }
    }
}

/// What only looks.
#[derive(Default)]
struct Looks {
    /// All of it but orders.
    all: Vec<Digest>,
    /// The order of members and of imports.
    orders: Vec<Digest>,
}

impl Looks {
    /// Takes in a digest, if it is one of looks.
    fn take(&mut self, own: &Own) {
        match own.layer {
            Layer::Cosmetic => self.all.push(own.digest),
            Layer::Order => self.orders.push(own.digest),
            _ => {}
        }
    }

    /// Adds layers of a declaration, and its order.
    fn add(&mut self, facts: &Facts, item: ItemIndex, layers: &[Layer]) {
        for layer in layers {
            self.all.extend(facts.layer(item, *layer));
        }
        self.orders.extend(facts.layer(item, Layer::Order));
    }

    /// What only looks in a file beside its types, where that is a concern of theirs.
    fn of_file(&mut self, facts: &Facts) {
        if !has_modules(facts.language) {
            self.add(facts, FILE, &[Layer::Doc, Layer::Cosmetic]);
            self.all.extend(looks_of_bytes(facts));
        }
    }

    /// The hash of all, in whatever order it came in, and the one without orders. Both begin with what is given.
    fn hashed(self, beside: Option<&Digest>) -> Digest {
        let Self { mut all, orders } = self;
        let hash = |digests: &mut Vec<Digest>, before: Option<&[u8]>| {
            let mut hash = Piecewise::default();
            for piece in before.into_iter().flat_map(|before| [before, b":"]) {
                hash.add(piece);
            }
            sort(digests);
            digests.iter().for_each(|digest| hash.add(digest));
            hash.finish()
        };
        let [shown, other] = match beside {
            Some(beside) => half_of(beside).map(Some),
            None => [None, None],
        };
        let without = hash(&mut all, other);
        all.extend(orders);
        halves(&hash(&mut all, shown), &without)
    }
}

/// What a file's bytes say besides its text, if anything.
fn looks_of_bytes(facts: &Facts) -> Option<Digest> {
    Some(facts.cosmetic).filter(|looks| *looks != Digest::default())
}

/// The hash of all that only looks, of a type and beside it.
fn all_looks(own: &Digest, beside: Looks) -> Digest {
    beside.hashed(Some(own))
}

/// Sorts digests; as numbers that is several times as fast.
fn sort(digests: &mut [Digest]) {
    digests.sort_unstable_by_key(|digest| u128::from_be_bytes(*digest));
}

/// A hash of many small pieces: to hand in each by itself takes longer than to hash it.
struct Piecewise {
    hash: Sha256,
    /// What is not hashed yet.
    bytes: Vec<u8>,
}

impl Default for Piecewise {
    fn default() -> Self {
        Self {
            hash: Sha256::new(),
            bytes: Vec::with_capacity(Self::MAX),
        }
    }
}

impl Piecewise {
    const MAX: usize = 1024;

    fn add(&mut self, piece: &[u8]) {
        if self.bytes.len() + piece.len() > Self::MAX {
            self.hash.update(&self.bytes);
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(piece);
    }

    fn finish(self) -> Digest {
        half(self.hash.chain_update(&self.bytes))
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::MemberKey;

    proptest! {
        /// The order of keys is that of the texts that are hashed.
        #[test]
        fn keys_are_ordered_as_texts(
            a in ("[a-c!$]{0,3}", prop::option::of("[a-c,()!]{0,3}")),
            b in ("[a-c!$]{0,3}", prop::option::of("[a-c,()!]{0,3}")),
        ) {
            fn key((name, params): &(String, Option<String>)) -> MemberKey<'_> {
                let params = params.as_deref();
                MemberKey { name, params }
            }
            let (x, y) = (key(&a), key(&b));
            let texts = [x, y].map(|key| key.pieces().concat());
            prop_assert_eq!(x.cmp(&y), texts[0].cmp(&texts[1]));
        }
    }
}
