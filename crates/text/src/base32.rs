//! Crockford's Base32: no letter that can be taken for a digit (SPEC D18).

use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};

static CROCKFORD: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification
        .symbols
        .push_str("0123456789abcdefghjkmnpqrstvwxyz");
    // 32 distinct ASCII symbols are always a valid specification.
    specification
        .encoding()
        .unwrap_or(data_encoding::BASE32HEX_NOPAD)
});

/// The first `length` letters of what `bytes` are in Base32, lower case; fewer where there are fewer.
#[must_use]
pub fn base32(bytes: &[u8], length: usize) -> String {
    let mut letters = CROCKFORD.encode(bytes);
    letters.truncate(length);
    letters
}

#[cfg(test)]
mod tests {
    use super::base32;

    #[test]
    fn letters_are_crockford_s() {
        assert_eq!(base32(&[0, 0xff, 0x44, 0x32, 0x14], 8), "03zm8cgm");
        assert_eq!(base32(&[0xff; 5], 4), "zzzz");
        assert_eq!(base32(&[], 8), "");
    }
}
