//! Extension blocks (C# 14): `extension<T>(Box<T> box) { … }`. Each member is bound as if it said all of its block's
//! head itself: type parameters, constraints, the receiver as its first parameter. What is one in the text is one
//! symbol all the same, since it stands in one place.

use crate::children::ChildRange;
use crate::facts::{DefId, DefKind, NONE, ScopeId, flag};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk};

const WORD: &str = "extension";

impl<'t> CSharpWalk<'t> {
    /// Whether what the grammar is shown as a class is an extension block.
    pub(super) fn is_extension_block(&self, child: &CSharpChild<'t>) -> bool {
        let rest = self.text(child.node).strip_prefix(WORD);
        child.kind == Kind::Class
            && rest.is_some_and(|rest| rest.trim_start().starts_with(['(', '<']))
    }

    /// The members of a block, which are its class's.
    pub(super) fn extension_block(&mut self, child: CSharpChild<'t>, scope: ScopeId, owner: DefId) {
        let children = self.open(child.node);
        let outer = self.lang.extension.replace(children);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::DeclarationList {
                self.body(part, scope, owner);
            }
        }
        self.lang.extension = outer;
        self.close(children);
    }

    /// The receiver as the first parameter of a member; its type as `types` sees it. Gives the flags that the member has
    /// for it.
    pub(super) fn receiver(
        &mut self,
        inner: ScopeId,
        types: ScopeId,
        range: std::ops::Range<usize>,
    ) -> u32 {
        let Some(block) = self.lang.extension else {
            return 0;
        };
        for i in block {
            let part = self.child(i);
            match part.kind {
                Kind::ParameterList => {
                    self.parameters(part, inner, types);
                }
                // Without a name it is shown as a base.
                Kind::BaseList => {
                    let list = self.open(part.node);
                    let first = list.iter().next().map(|i| self.child(i));
                    let ty = first.map_or(NONE, |ty| self.ty(ty, types));
                    self.close(list);
                    let def = self
                        .b
                        .define("", DefKind::Parameter, inner, NONE, range.clone());
                    self.b.edit(def).ty = ty;
                }
                Kind::TypeConstraints => self.constraints(part, types),
                _ => {}
            }
        }
        flag::EXTENSION
    }

    /// What a member of a block is besides: one of the type itself where it is static.
    pub(super) fn extended(&mut self, def: DefId, flags: u32) {
        let def = self.b.edit(def);
        def.flags |= flags;
        if flags & flag::EXTENSION != 0 && def.flags & flag::STATIC != 0 {
            def.flags |= flag::CLASS_METHOD;
        }
    }

    /// The block that a member is in, if its own head does not stand for itself.
    pub(super) fn block_around(&self, kind: DefKind) -> Option<ChildRange> {
        let is_member = matches!(kind, DefKind::Method | DefKind::Property | DefKind::Event);
        self.lang.extension.filter(|_| is_member)
    }
}
