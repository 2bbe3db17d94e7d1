//! Whether a run of letters and digits is words or chance.
//!
//! Entropy alone does not tell a long identifier from a token of its length. Neighbours do: of two letters that stand
//! together in words, nearly all are among half of the pairs there could be, and digits stand at few places.

/// After each letter, the letters that follow it in 98.5 % of the pairs of identifiers and prose.
const FOLLOWERS: [&[u8]; 26] = [
    b"abcdefgijklmnprstuvwxyz", // a
    b"abcdeijlmorsuy",
    b"acdefhiklorstuy",
    b"abcdefgiloprsuy",
    b"abcdefghilmnopqrstuvwxy", // e
    b"acdefilorstuy",
    b"aeghilnorsu",
    b"aeiorstu",
    b"abcdefgklmnoprstvxz", // i
    b"aehosv",
    b"aeins",
    b"abdefijlopstuvy",
    b"abeilmopsu", // m
    b"acdefgiklmnopstuvy",
    b"abcdfgijklmnoprstuvwxy",
    b"adehilmoprstuy",
    b"u", // q
    b"abcdefgiklmnoprstuvy",
    b"acefhiklmoprstuwy",
    b"acefhijlmoprstuwy",
    b"abcdefgilmnprst", // u
    b"aei",
    b"aehinors",
    b"aceimpt",
    b"lmnpstw",
    b"aeu", // z
];

/// Share of pairs from which on a run is chance; long identifiers stay below 0.25, tokens of 24 letters are above it in
/// 99 of 100.
const ODD_LEAST: f64 = 0.25;
/// Bytes of a run from which on it is looked at.
pub(crate) const RUN_LEAST: usize = 24;

/// The share of pairs that words do not have: letters that seldom stand together, and a digit beside a letter.
pub(crate) fn oddness(run: &[u8]) -> f64 {
    let odd = run.windows(2).filter(|pair| is_odd(pair[0], pair[1]));
    odd.count() as f64 / run.len().saturating_sub(1).max(1) as f64
}

fn is_odd(a: u8, b: u8) -> bool {
    if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() {
        let is_hump = a.is_ascii_lowercase() && b.is_ascii_uppercase();
        let followers = FOLLOWERS[usize::from(a.to_ascii_lowercase() - b'a')];
        return !is_hump && !followers.contains(&b.to_ascii_lowercase());
    }
    a.is_ascii_alphanumeric()
        && b.is_ascii_alphanumeric()
        && a.is_ascii_digit() != b.is_ascii_digit()
}

/// Whether a run of [`RUN_LEAST`] bytes or more is chance. One of hexadecimal digits alone is not looked at here.
pub(crate) fn is_chance(run: &[u8]) -> bool {
    let count = |has: fn(&u8) -> bool| run.iter().filter(|byte| has(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let letters = count(u8::is_ascii_alphabetic);
    // Alphabets and tables count up.
    let counting = run
        .windows(2)
        .filter(|pair| pair[1] == pair[0].wrapping_add(1));
    run.len() >= RUN_LEAST
        && digits >= 1
        && letters >= run.len() / 2
        && counting.count() * 3 < run.len()
        && oddness(run) >= ODD_LEAST
        && entropy(run) >= 3.5
}

/// Whether a part of a run is a word: letters that stand together as they do in words.
pub(crate) fn is_wordy(part: &[u8]) -> bool {
    part.len() >= 3 && part.iter().all(u8::is_ascii_alphabetic) && oddness(part) <= 0.25
}

/// Shannon's entropy in bits a byte.
pub(crate) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let all = bytes.len() as f64;
    let of = |count: u32| {
        let share = f64::from(count) / all;
        -share * share.log2()
    };
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| of(count))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_chance() {
        for words in [
            "AbstractSingletonProxyFactoryBeanConfigurationTest2",
            "what_is_taken_up_again_after_2_restarts",
            "getElementsByClassName2AndValue3",
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "0000000000000000000000000000000a",
        ] {
            assert!(!is_chance(words.as_bytes()), "{words}");
        }
        for chance in [
            "k3j8x0q5w2z7v1n6m4p9c8bd",
            "tQ7zLk2Vx9Rb4Wm8Np3Yc6Df",
            "Zx9QpL2vT8mK4wR7nB3yHc1J",
        ] {
            assert!(is_chance(chance.as_bytes()), "{chance}");
        }
    }
}
