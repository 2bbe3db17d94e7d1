//! Parse tables on demand, in the module for WebAssembly.
//!
//! A native program maps the constants of all grammars and reads from the disk what it touches. A module's instance copies
//! them when it is made, 34 MB into the memory of every worker. So `cargo xtask wasm` takes the large tables out of what
//! is copied (`xtask/src/passive_data.rs`), and here they are copied to the heap when a language's grammar is asked for
//! the first time.

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::with_tables;

#[cfg(target_family = "wasm")]
pub(crate) use module::with_tables;

#[cfg(not(target_family = "wasm"))]
mod native {
    use crate::Language;

    /// The grammar of a language as it was linked: its tables are where they belong.
    pub(crate) fn with_tables(
        _: Language,
        linked: tree_sitter::Language,
    ) -> Option<tree_sitter::Language> {
        Some(linked)
    }
}

#[cfg(target_family = "wasm")]
#[allow(
    unsafe_code,
    reason = "a grammar is a table of C, and this moves what it has addresses of"
)]
mod module {
    use std::ffi::c_void;
    use std::mem::ManuallyDrop;
    use std::sync::OnceLock;

    use crate::scanner::GrammarTable;
    use crate::{LANGUAGES, Language};

    // Made by `cargo xtask wasm`.
    #[link(wasm_import_module = "passive_data")]
    unsafe extern "C" {
        /// Bytes of the table that was linked at an address; 0 where none was taken from there.
        safe fn size(address: *const c_void) -> usize;
        /// Writes the table that was linked at `address`, which has a size, to `to`.
        fn copy(address: *const c_void, to: *mut c_void);
    }

    /// The grammar of a language with its tables in memory. `linked`: without.
    pub(crate) fn with_tables(
        language: Language,
        linked: tree_sitter::Language,
    ) -> Option<tree_sitter::Language> {
        static WHOLE: [OnceLock<Option<GrammarTable>>; LANGUAGES.len()] =
            [const { OnceLock::new() }; LANGUAGES.len()];
        WHOLE[language as usize]
            .get_or_init(|| {
                let mut table = GrammarTable::for_grammar(&linked)?;
                table.move_tables(copied);
                Some(table)
            })
            .as_ref()
            .map(GrammarTable::language)
    }

    /// Where a table is, after it was copied if it had not been linked there. It stays as long as the instance.
    fn copied(address: *const c_void) -> *const c_void {
        /// As tables are aligned where they are linked.
        type Unit = u128;
        let size = size(address);
        if size == 0 {
            return address;
        }
        let room = Vec::<Unit>::with_capacity(size.div_ceil(size_of::<Unit>()));
        let to = ManuallyDrop::new(room).as_mut_ptr().cast::<c_void>();
        // SAFETY: the room has at least `size` bytes, belongs to nobody else, and is never freed.
        unsafe { copy(address, to) };
        to
    }
}
