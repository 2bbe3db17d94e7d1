//! A secret's place, as every search for secrets returns it.

use std::ops::Range;

/// The bytes of a secret, and the rule that found it.
pub(crate) type SecretRange = (Range<usize>, &'static str);
