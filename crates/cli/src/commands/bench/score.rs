//! How much of what a commit changed is in a text.

use std::collections::{HashMap, HashSet};

use super::tasks::{Gold, GoldFile, squash};

/// Parts of what was changed, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// Files that are named.
    pub(super) file: f64,
    /// Declarations that are named in their file's section; absent where none was changed.
    pub(super) symbol: Option<f64>,
    /// Changed places of which half of the lines are in their file's section.
    pub(super) hunk: Option<f64>,
    /// 1 / rank of the first file.
    pub(super) mrr: f64,
}

/// Scores a text. A line with the path of a file begins what is said of it.
pub(super) fn score(text: &str, gold: &Gold, paths: &[&str]) -> Score {
    let (sections, order) = sections(text, paths);
    let found = |file: &GoldFile| sections.get(file.path.as_str());
    let files = gold.files.len() as f64;
    let named = gold
        .files
        .iter()
        .filter(|file| found(file).is_some())
        .count();
    let wanted: HashSet<&str> = gold.files.iter().map(|file| file.path.as_str()).collect();
    let rank = order.iter().position(|path| wanted.contains(path));
    let symbols = gold.files.iter().flat_map(|file| {
        let words = found(file)
            .map(|section| words(section))
            .unwrap_or_default();
        file.symbols
            .iter()
            .map(move |symbol| words.contains(symbol.as_str()))
    });
    let hunks = gold.files.iter().flat_map(|file| {
        let lines: HashSet<String> = found(file)
            .into_iter()
            .flatten()
            .map(|line| bare(line))
            .collect();
        file.hunks.iter().map(move |hunk| {
            let told = hunk.iter().filter(|line| lines.contains(*line)).count();
            told * 2 >= hunk.len()
        })
    });
    Score {
        file: named as f64 / files.max(1.0),
        symbol: part(symbols),
        hunk: part(hunks),
        mrr: rank.map_or(0.0, |rank| 1.0 / (rank + 1) as f64),
    }
}

fn part(found: impl Iterator<Item = bool>) -> Option<f64> {
    let (all, yes) = found.fold((0, 0), |(all, yes), is| (all + 1, yes + usize::from(is)));
    (all > 0).then(|| yes as f64 / f64::from(all))
}

/// Lines that are said of each file, and the files in the order in which they are named.
fn sections<'t>(
    text: &'t str,
    paths: &[&'t str],
) -> (HashMap<&'t str, Vec<&'t str>>, Vec<&'t str>) {
    let known: HashSet<&str> = paths.iter().copied().collect();
    let mut sections: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut order = Vec::new();
    let mut current = None;
    for line in text.lines() {
        let mut words = line
            .split(|c: char| c.is_whitespace() || matches!(c, ':' | '`' | '"' | ',' | '(' | ')'));
        if let Some(path) = words.find_map(|word| known.get(word)) {
            current = Some(*path);
            if !sections.contains_key(path) {
                order.push(*path);
            }
            sections.entry(path).or_default();
        }
        if let Some(path) = current {
            sections.entry(path).or_default().push(line);
        }
    }
    (sections, order)
}

fn words<'t>(section: &[&'t str]) -> HashSet<&'t str> {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
    let lines = section.iter();
    lines
        .flat_map(|line| line.split(move |c: char| !is_inside(c)))
        .collect()
}

/// A line without the number before it.
fn bare(line: &str) -> String {
    let trimmed = line.trim_start();
    let rest = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = rest.len() < trimmed.len() && rest.starts_with([':', ' ', '\t', '|', '-']);
    squash(if has_number {
        rest.trim_start_matches([':', ' ', '\t', '|', '-'])
    } else {
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold() -> Gold {
        let file = |path: &str, symbol: &str, line: &str| GoldFile {
            path: path.to_owned(),
            symbols: vec![symbol.to_owned()],
            hunks: vec![vec![line.to_owned()]],
        };
        Gold {
            files: vec![
                file("src/a.py", "total", "return x + 1"),
                file("src/b.py", "name", "x = 1"),
            ],
        }
    }

    #[test]
    fn a_section_is_what_follows_a_path() {
        let paths = ["src/a.py", "src/b.py", "src/c.py"];
        let text = "src/c.py\n  name total\nsrc/a.py\n 12: def total(x):\n 13:     return x  + 1\n";
        let found = score(text, &gold(), &paths);
        assert_eq!(
            (found.file, found.symbol, found.hunk),
            (0.5, Some(0.5), Some(0.5))
        );
        assert_eq!(found.mrr, 0.5);
        let nothing = score("", &gold(), &paths);
        assert_eq!((nothing.file, nothing.mrr), (0.0, 0.0));
    }
}
