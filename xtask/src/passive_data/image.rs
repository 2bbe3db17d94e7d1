//! The constants of a module by their addresses.

use anyhow::{Context, Result};
use memchr::memmem;
use walrus::ir::Value;
use walrus::{ConstExpr, DataId, DataKind, Module};

use super::grammar::Table;

/// What the memory of a new instance holds, as far as it is no zero.
pub(super) struct Image<'a> {
    segments: Vec<(u32, &'a [u8])>,
}

impl<'a> Image<'a> {
    /// That of a module.
    pub(super) fn of(module: &'a Module) -> Self {
        let segments = active_segments(module)
            .into_iter()
            .map(|(start, id)| (start, module.data.get(id).value.as_slice()))
            .collect();
        Self { segments }
    }

    /// All bytes from an address to the end of its segment.
    pub(super) fn from(&self, address: u32) -> Result<&'a [u8]> {
        self.segments
            .iter()
            .find_map(|(start, bytes)| {
                let at = address.checked_sub(*start)? as usize;
                bytes.get(at..).filter(|rest| !rest.is_empty())
            })
            .with_context(|| format!("nothing lies at {address:#x}"))
    }

    /// So many bytes from an address on.
    pub(super) fn bytes(&self, address: u32, length: u32) -> Result<&'a [u8]> {
        self.from(address)?
            .get(..length as usize)
            .with_context(|| format!("{length} bytes at {address:#x} go beyond their segment"))
    }

    /// Where some bytes lie, of which there is one copy.
    pub(super) fn find(&self, wanted: &[u8]) -> Option<Table> {
        let length = u32::try_from(wanted.len())
            .ok()
            .filter(|length| *length > 0)?;
        self.segments.iter().find_map(|(start, bytes)| {
            let at = memmem::find(bytes, wanted)?;
            Some(Table {
                address: start + u32::try_from(at).ok()?,
                length,
            })
        })
    }

    /// The number of four bytes at an address.
    pub(super) fn u32(&self, address: u32) -> Result<u32> {
        let bytes = self.bytes(address, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// The number of two bytes at an address.
    pub(super) fn u16(&self, address: u32) -> Result<u16> {
        let bytes = self.bytes(address, 2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}

/// Where each segment that an instance copies begins.
pub(super) fn active_segments(module: &Module) -> Vec<(u32, DataId)> {
    module
        .data
        .iter()
        .filter_map(|data| match &data.kind {
            DataKind::Active {
                offset: ConstExpr::Value(Value::I32(start)),
                ..
            } => Some((*start as u32, data.id())),
            _ => None,
        })
        .collect()
}
