//! What Kotlin says and its grammar cannot read. What stands in its place is as long, so every offset stays, and names
//! stay names.
//!
//! | said                                     | read                              | rule          |
//! | ---------------------------------------- | --------------------------------- | ------------- |
//! | `{ val a = 1 }` of a class               | `{ val a = 1;}`                   | [`bodies`]    |
//! | `var a = 1; private set`                 | `var a = 1  private set`          | [`bodies`]    |
//! | `field = b`, `field: B = b` of a property | `= b`, `& B = b`                 | [`bodies`]    |
//! | `is A if b ->`, `else if b ->`           | `is A ,  b ->`, `b ->`            | [`branches`]  |
//! | `if (a) b; else c`                       | `if (a) b  else c`                | [`branches`]  |
//! | `context(a: A, b: B)`                    | `@(A)@(B)`                        | [`contexts`]  |
//! | `@all:A`, `[]`                           | `@get:A`, `""`                    | [`small`]     |
//! | `val [a] = b`, `(val a, val c = d) = b`  | `val (a) = b`, `val( a,     c : d) = b` | [`small`] |
//! | `$$"$a $$b"`                             | `"a $b"`                          | [`tokens`]    |

use std::ops::Range;

use self::tokens::KotlinTokens;

mod bodies;
mod branches;
mod contexts;
mod frames;
mod small;
mod tokens;

/// Stretches of a text and what is read in their place: as many bytes, or fewer, which blanks follow.
struct Edits {
    all: Vec<(Range<usize>, &'static str)>,
}

impl Edits {
    /// Has a sign or word read in the place of a stretch that is as long or longer.
    fn put(&mut self, range: Range<usize>, text: &'static str) {
        if text.len() <= range.len() {
            self.all.push((range, text));
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        self.put(range, "");
    }
}

/// `text` as its grammar reads it, if that is not as it is: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let tokens = KotlinTokens::from_text(text);
    let mut edits = Edits { all: Vec::new() };
    for range in &tokens.idle_dollars {
        edits.blank(range.clone());
    }
    small::edit(&tokens, &mut edits);
    contexts::edit(&tokens, &mut edits);
    frames::edit(&tokens, &mut edits);
    if edits.all.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (range, text) in edits.all {
        let place = bytes.get_mut(range)?;
        if place.get(..text.len())?.iter().any(u8::is_ascii_control) {
            // A line would lose its end.
            continue;
        }
        for byte in place
            .iter_mut()
            .filter(|byte| !matches!(**byte, b'\n' | b'\r'))
        {
            *byte = b' ';
        }
        place
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
    }
    // Whole tokens were replaced; if not, the text is left as it was.
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests;
