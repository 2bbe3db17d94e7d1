//! Calls as people and models make them, about what a tree really declares; the same in every run.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;

use codecortex_syntax::{ItemFlags, Outcome, analyse};
use serde_json::{Value, json};

use crate::corpus::{LIMITS, load};
use crate::samples::Dice;
use crate::workspace::Workspace;

/// A declaration that a query can be about.
struct Declared {
    name: String,
    container: Option<String>,
    doc: String,
    is_type: bool,
    file: u32,
    /// Where its name is: line and character from 1.
    place: (u32, u32),
}

/// One JSON object a line: `{"id","class","tool","args"}`.
pub(crate) fn lines(root: &Path, each: usize) -> io::Result<String> {
    let files = load(root)?;
    let (mut declared, mut paths) = (Vec::new(), Vec::new());
    let mut words = Words::default();
    for file in &files {
        if let (Outcome::Facts(facts), Some(text)) =
            (analyse(&file.path, &file.bytes, LIMITS), file.text())
        {
            collect(&facts, paths.len() as u32, &mut declared);
            words.count(&text);
            paths.push((file.bytes.len(), file.path.clone()));
        }
    }
    let mut workspace = Workspace::open(&files);
    let mut writer = Writer {
        each,
        ..Writer::default()
    };
    searches(&mut writer, &declared);
    resolutions(&mut writer, &declared, &mut workspace);
    uses(&mut writer, &declared, &words, &paths);
    outlines(&mut writer, &declared, &mut paths, &mut workspace);
    questions(&mut writer, &declared);
    Ok(writer.out)
}

fn collect(facts: &codecortex_syntax::Facts, file: u32, declared: &mut Vec<Declared>) {
    for item in &facts.items {
        let name = facts.str(item.name);
        if name.len() < 4 || item.flags.contains(ItemFlags::LOCAL) {
            continue;
        }
        let parent = item.parent.map(|parent| &facts.items[parent as usize]);
        declared.push(Declared {
            name: name.to_owned(),
            container: parent.map(|parent| facts.str(parent.name).to_owned()),
            doc: facts.str(item.doc).to_owned(),
            is_type: item.kind.is_type(),
            file,
            place: (item.name_start.line + 1, item.name_start.character + 1),
        });
    }
}

/// How often each word is in the tree: what a search by name would find.
#[derive(Default)]
struct Words(HashMap<String, u32>);

impl Words {
    fn count(&mut self, text: &str) {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for word in text.split(|c| !is_part(c)).filter(|word| word.len() > 3) {
            match self.0.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    self.0.insert(word.to_owned(), 1);
                }
            }
        }
    }
}

#[derive(Default)]
struct Writer {
    each: usize,
    id: u32,
    out: String,
    seen: BTreeSet<String>,
}

impl Writer {
    /// Writes calls that `make` gives until there are enough, none twice.
    fn write(&mut self, class: &str, tool: &str, mut make: impl FnMut(&mut Dice) -> Option<Value>) {
        let mut dice = Dice::new();
        let mut written = 0;
        for _ in 0..self.each * 50 {
            let Some(args) = make(&mut dice) else {
                continue;
            };
            if !self.seen.insert(format!("{class} {args}")) {
                continue;
            }
            self.id += 1;
            let tool = format!("codecortex_{tool}");
            let line = json!({ "id": self.id, "class": class, "tool": tool, "args": args });
            self.out.push_str(&format!("{line}\n"));
            written += 1;
            if written == self.each {
                break;
            }
        }
    }

    fn search(&mut self, class: &str, mut make: impl FnMut(&mut Dice) -> Option<String>) {
        self.write(class, "searchApi", |dice| {
            Some(json!({ "labelQuery": make(dice)? }))
        });
    }

    fn resolve(&mut self, class: &str, mut make: impl FnMut(&mut Dice) -> Option<String>) {
        self.write(class, "resolveSymbol", |dice| {
            Some(json!({ "symbol": make(dice)? }))
        });
    }
}

fn searches(writer: &mut Writer, declared: &[Declared]) {
    writer.search("search name", |dice| {
        Some(dice.choose(declared)?.name.clone())
    });
    writer.search("search part", |dice| {
        let name: Vec<char> = dice.choose(declared)?.name.chars().collect();
        let length = 3 + dice.below(3);
        let start = dice.below(name.len().saturating_sub(length) + 1);
        Some(name.iter().skip(start).take(length).collect())
    });
    writer.search("search humps", |dice| {
        let humps: String = humps(&dice.choose(declared)?.name);
        (2..6).contains(&humps.len()).then_some(humps)
    });
    writer.search("search typo", |dice| {
        let mut name: Vec<char> = dice.choose(declared)?.name.chars().collect();
        let at = 1 + dice.below(name.len() - 2);
        name.swap(at, at + 1);
        (name.len() > 5).then(|| name.into_iter().collect())
    });
    writer.search("search doc words", |dice| {
        let doc = &dice.choose(declared)?.doc;
        let words: Vec<&str> = doc
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| word.len() > 3)
            .collect();
        let first = words.get(dice.below(words.len()))?;
        let second = words.get(dice.below(words.len()))?;
        Some(format!("{first} {second}"))
    });
    writer.search("search container and name", |dice| {
        let found = dice.choose(declared)?;
        Some(format!("{} {}", found.container.as_ref()?, found.name))
    });
}

fn resolutions(writer: &mut Writer, declared: &[Declared], workspace: &mut Workspace<'_>) {
    writer.resolve("resolve exact", |dice| {
        full_path(workspace, &dice.choose(declared)?.name)
    });
    writer.resolve("resolve id", |dice| {
        let path = full_path(workspace, &dice.choose(declared)?.name)?;
        let data = workspace.data("codecortex_resolveSymbol", &json!({ "symbol": path }))?;
        let found = &data["resolved"];
        let id = found["memberId"].as_str().or(found["typeId"].as_str())?;
        Some(id.to_owned())
    });
    writer.resolve("resolve suffix", |dice| {
        let found = dice.choose(declared)?;
        Some(format!("{}.{}", found.container.as_ref()?, found.name))
    });
    writer.resolve("resolve name", |dice| {
        Some(dice.choose(declared)?.name.clone())
    });
    writer.resolve("resolve wildcard", |dice| {
        let found = dice.choose(declared)?;
        let start: String = found.name.chars().take(4).collect();
        Some(match &found.container {
            Some(container) if dice.below(2) == 0 => format!("{container}.{start}*"),
            _ => format!("{start}*"),
        })
    });
    writer.resolve("resolve missing", |dice| {
        Some(format!(
            "{}Qq{}",
            dice.choose(declared)?.name,
            dice.below(10)
        ))
    });
}

/// Questions about uses, by how often the name is written: rare ≤ 5, mid ≤ 40, common ≤ 2,000, hub above.
fn uses(writer: &mut Writer, declared: &[Declared], words: &Words, paths: &[(usize, String)]) {
    const CLASSES: [(&str, std::ops::RangeInclusive<u32>); 4] = [
        ("references rare", 0..=5),
        ("references mid", 6..=40),
        ("references common", 41..=2_000),
        ("references hub", 2_001..=u32::MAX),
    ];
    let at = |found: &Declared| {
        let (line, character) = found.place;
        let position = json!({ "line": line, "character": character });
        json!({ "filePath": paths[found.file as usize].1, "position": position })
    };
    for (class, range) in CLASSES {
        let fitting = declared.iter().filter(|found| {
            let count = words.0.get(&found.name).copied().unwrap_or_default();
            range.contains(&count)
        });
        let fitting: Vec<&Declared> = fitting.collect();
        writer.write(class, "findReferences", |dice| {
            Some(at(dice.choose(&fitting)?))
        });
    }
    writer.write("symbol at position", "resolveSymbolAtPosition", |dice| {
        Some(at(dice.choose(declared)?))
    });
    let types: Vec<&Declared> = declared.iter().filter(|found| found.is_type).collect();
    writer.write("members", "getTypeMembers", |dice| {
        Some(json!({ "name": dice.choose(&types)?.name, "includeInherited": true }))
    });
    writer.write("hierarchy", "getClassHierarchy", |dice| {
        Some(json!({ "name": dice.choose(&types)?.name }))
    });
}

/// The full path of the best declaration of a name, as an answer gives it.
fn full_path(workspace: &mut Workspace<'_>, name: &str) -> Option<String> {
    let args = json!({ "labelQuery": name, "limit": 1 });
    let data = workspace.data("codecortex_searchApi", &args)?;
    Some(data["items"][0]["path"].as_str()?.to_owned())
}

fn outlines(
    writer: &mut Writer,
    declared: &[Declared],
    paths: &mut [(usize, String)],
    workspace: &mut Workspace<'_>,
) {
    let types: Vec<&Declared> = declared.iter().filter(|found| found.is_type).collect();
    writer.write("outline type", "getOutline", |dice| {
        let path = full_path(workspace, &dice.choose(&types)?.name)?;
        Some(json!({ "symbol": path }))
    });
    writer.write("outline file", "getOutline", |dice| {
        Some(json!({ "filePath": dice.choose(paths)?.1 }))
    });
    paths.sort_by(|a, b| b.cmp(a));
    let largest = &paths[..paths.len().min(writer.each / 5)];
    writer.write("outline one of the largest files", "getOutline", |dice| {
        Some(json!({ "filePath": dice.choose(largest)?.1 }))
    });
}

/// What a question in words may cost in tokens: what an agent is given that names no budget.
const QUESTION_TOKENS: u32 = 5_200;

/// Questions in words: the first sentence of what is written about a declaration. The searches before them have had the words
/// of all files read.
fn questions(writer: &mut Writer, declared: &[Declared]) {
    writer.write("question", "getContext", |dice| {
        let words = first_sentence(&dice.choose(declared)?.doc);
        let is_question = (5..=40).contains(&words.len());
        is_question.then(|| json!({ "query": words.join(" "), "maxTokens": QUESTION_TOKENS }))
    });
}

/// The words of a documentation's first sentence, without its tags.
fn first_sentence(doc: &str) -> Vec<&str> {
    let outside_of_tags = doc.split(['<', '>']).step_by(2);
    let words = outside_of_tags.flat_map(str::split_whitespace);
    let mut is_over = false;
    let sentence = words.take_while(|word| !std::mem::replace(&mut is_over, word.ends_with('.')));
    sentence.collect()
}

/// The letters that a person types of a name: each word's first.
fn humps(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in name.chars() {
        let starts =
            c.is_uppercase() && !before.is_uppercase() || c.is_lowercase() && before == '_';
        if starts {
            out.push(c);
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentences() {
        let doc = "<summary>\n Reads a <c>header</c>\n of it. And more.</summary>";
        assert_eq!(first_sentence(doc), ["Reads", "a", "header", "of", "it."]);
        assert!(first_sentence("").is_empty());
    }

    #[test]
    fn humps_of_names() {
        assert_eq!(humps("NodeStore"), "NS");
        assert_eq!(humps("parse_http_header"), "phh");
        assert_eq!(humps("getHTTPServer"), "gH");
    }
}
