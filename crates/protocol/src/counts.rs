//! Numbers with what they count, in sentences of answers.

use std::fmt::Display;

/// A number and the noun of what it counts, which has an `s` of more or fewer than one: `1 place`, `0 places`.
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {one}{ending}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular() {
        let said = [0_u32, 1, 2].map(|count| counted(count, "place"));
        assert_eq!(said, ["0 places", "1 place", "2 places"]);
    }
}
