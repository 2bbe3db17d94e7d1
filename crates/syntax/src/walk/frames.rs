//! The declarations that the walk is inside of.

use super::Walk;
use super::frame::DeclarationFrame;
use crate::facts::{Item, ItemFlags, ItemIndex, Visibility};

impl<'t> Walk<'t> {
    /// What follows inside the current node belongs to `item`.
    pub(crate) fn open(&mut self, item: ItemIndex) {
        self.open_from(item, self.depth);
    }

    /// What follows the current node in its parent belongs to `item`.
    pub(crate) fn open_in_parent(&mut self, item: ItemIndex) {
        self.open_from(item, self.depth.saturating_sub(1));
    }

    pub(super) fn open_from(&mut self, item: ItemIndex, depth: usize) {
        self.frames.push(DeclarationFrame {
            depth,
            item: Some(item),
            code: false,
            member_depth: None,
            access: None,
            flags: ItemFlags::default(),
        });
    }

    /// What follows inside the current node is code that runs, outside of any callable item.
    pub(crate) fn open_code(&mut self) {
        if !self.in_code() {
            self.frames.push(DeclarationFrame {
                depth: self.depth,
                item: None,
                code: true,
                member_depth: None,
                access: None,
                flags: ItemFlags::default(),
            });
        }
    }

    /// What follows inside the current node belongs to `item`, if any; functions in an object
    /// literal whose entries are at `member_depth` are its members.
    pub(crate) fn open_members(&mut self, item: Option<ItemIndex>, member_depth: usize) {
        self.frames.push(DeclarationFrame {
            depth: self.depth,
            item,
            code: false,
            member_depth: Some(member_depth),
            access: None,
            flags: ItemFlags::default(),
        });
    }

    /// Whether the current node is an entry of the object literal given to [`Self::open_members`].
    pub(crate) fn at_member_depth(&self) -> bool {
        let top = self.frames.last();
        top.is_some_and(|frame| frame.member_depth == Some(self.depth))
    }

    /// How many levels below the innermost open declaration the current node is.
    pub(crate) fn levels_below_frame(&self) -> Option<usize> {
        self.frames.last().map(|frame| self.depth - frame.depth)
    }

    /// What follows inside the current node has that visibility unless it says otherwise.
    pub(crate) fn open_scope(&mut self, access: Visibility) {
        self.open_members(None, usize::MAX);
        self.set_access(access);
    }

    /// What follows inside the current node are members that all are something.
    pub(crate) fn open_flagged(&mut self, flags: ItemFlags) {
        self.open_members(None, usize::MAX);
        if let Some(frame) = self.frames.last_mut() {
            frame.flags = flags;
        }
    }

    /// What follows inside the node `up` levels above the current one belongs to `item`.
    pub(crate) fn open_above(&mut self, item: ItemIndex, up: usize) {
        self.open_from(item, self.depth.saturating_sub(up));
    }

    /// The access section in force.
    pub(crate) fn access(&self) -> Option<Visibility> {
        self.frames.last().and_then(|frame| frame.access)
    }

    /// Sets the access section in force for the members that follow (C++).
    pub(crate) fn set_access(&mut self, visibility: Visibility) {
        if let Some(frame) = self.frames.last_mut() {
            frame.access = Some(visibility);
        }
    }

    /// Index of the item that the walk is directly inside of.
    pub(crate) fn parent_index(&self) -> Option<ItemIndex> {
        self.frames.iter().rev().find_map(|frame| frame.item)
    }

    /// The item that the walk is directly inside of.
    pub(crate) fn parent(&self) -> Option<&Item> {
        self.facts.items.get(self.parent_index()? as usize)
    }

    /// The nearest type around, with its index.
    pub(crate) fn enclosing_type(&self) -> Option<ItemIndex> {
        self.frames
            .iter()
            .rev()
            .filter_map(|frame| frame.item)
            .find(|item| self.facts.items[*item as usize].kind.is_type())
    }

    /// Whether the walk is inside code that runs.
    pub(crate) fn in_code(&self) -> bool {
        match self.frames.last() {
            Some(frame) if frame.code => return true,
            // What an object literal lists is not run by what it belongs to.
            Some(frame) if frame.member_depth.is_some() => return false,
            _ => {}
        }
        self.parent().is_some_and(|item| {
            item.kind.is_callable() || item.flags.contains(ItemFlags::LOCAL) && !item.kind.is_type()
        })
    }
}
