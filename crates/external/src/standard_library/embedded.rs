//! The archives that are part of the program.
//!
//! A native program maps them with its other constants. The module for WebAssembly has them as passive data
//! (`xtask/src/passive_data.rs`), which is copied to the heap when a lookup first asks for a library.

use std::borrow::Cow;

use codecortex_syntax::Language;

/// The archive of a language.
pub(super) fn archive_bytes(language: Language) -> Option<Cow<'static, [u8]>> {
    let linked: &'static [u8] = match language {
        Language::Java => include_bytes!("../../data/java.stdlib"),
        Language::Python => include_bytes!("../../data/python.stdlib"),
        Language::CSharp => include_bytes!("../../data/csharp.stdlib"),
        Language::Go => include_bytes!("../../data/go.stdlib"),
        Language::Rust => include_bytes!("../../data/rust.stdlib"),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            include_bytes!("../../data/typescript.stdlib")
        }
        _ => return None,
    };
    read(linked)
}

#[cfg(not(target_family = "wasm"))]
fn read(linked: &'static [u8]) -> Option<Cow<'static, [u8]>> {
    Some(Cow::Borrowed(linked))
}

#[cfg(target_family = "wasm")]
use module::read;

#[cfg(target_family = "wasm")]
#[allow(unsafe_code, reason = "they are functions of the module itself")]
mod module {
    use std::borrow::Cow;
    use std::ffi::c_void;

    // Made by `cargo xtask wasm`.
    #[link(wasm_import_module = "passive_data")]
    unsafe extern "C" {
        /// Bytes of the data that was linked at an address; 0 where none was taken from there.
        safe fn size(address: *const c_void) -> usize;
        /// Writes the data that was linked at `address`, which has a size, to `to`.
        fn copy(address: *const c_void, to: *mut c_void);
    }

    /// A copy of what was linked somewhere; none where it was not taken from there: the heap may have that place.
    pub(super) fn read(linked: &'static [u8]) -> Option<Cow<'static, [u8]>> {
        let address = linked.as_ptr().cast::<c_void>();
        if size(address) != linked.len() {
            return None;
        }
        let mut bytes = vec![0_u8; linked.len()];
        // SAFETY: the room has as many bytes as the data, and belongs to nobody else.
        unsafe { copy(address, bytes.as_mut_ptr().cast::<c_void>()) };
        Some(Cow::Owned(bytes))
    }
}
