//! The names of attributes, annotations and decorators before a declaration (SPEC PK1, D24).
//!
//! They are read from the text: between the start of a declaration and its name every language writes them
//! as `@name(…)`, `[Name(…), …]`, `#[name(…)]`, `[[name]]` or `__attribute__((name))`, among modifiers and
//! comments. Brackets and texts inside are passed over.

/// Words in front of double parentheses with attributes.
const SPECIFIERS: [&str; 2] = ["__attribute__", "__declspec"];
/// Rust's attribute whose arguments are names of the same sort.
const DERIVE: &str = "derive";
/// More text than this before a name holds more than attributes.
const MAX: usize = 4096;

/// The names in the text before a declaration's name, as written without their arguments, separated by `,`.
pub(super) fn attribute_names(head: &str) -> String {
    if !head.contains(['@', '[']) && !SPECIFIERS.iter().any(|word| head.contains(word)) {
        return String::new();
    }
    let head = &head[..head.floor_char_boundary(MAX)];
    let mut reader = AttributeReader {
        rest: head,
        names: String::new(),
    };
    reader.head();
    reader.names
}

pub(super) struct AttributeReader<'a> {
    pub(super) rest: &'a str,
    /// What was found, separated by `,`.
    pub(super) names: String,
}

impl<'a> AttributeReader<'a> {
    fn head(&mut self) {
        // A bracket behind a word belongs to a type: `int[] Sizes`.
        let mut is_first = true;
        while let Some(next) = self.next_visible() {
            match next {
                '@' => {
                    self.rest = &self.rest[1..];
                    self.at_sign();
                }
                '#' if self.rest.starts_with("#[") || self.rest.starts_with("#![") => {
                    self.rest = self.rest.trim_start_matches(['#', '!']);
                    self.list();
                }
                '[' if is_first || self.rest.starts_with("[[") => self.list(),
                '(' | '[' | '{' => drop(self.brackets()),
                '"' | '\'' | '`' => self.literal(next),
                _ => {
                    let word = self.word();
                    if SPECIFIERS.contains(&word) {
                        self.list();
                    } else if word.is_empty() {
                        self.rest = &self.rest[next.len_utf8()..];
                    } else {
                        is_first = false;
                    }
                }
            }
        }
    }

    /// What follows `@`: a name, or an expression in parentheses.
    fn at_sign(&mut self) {
        let name = self.path();
        // Java's `@interface` declares one.
        if name != "interface" {
            self.add(name);
        }
        if self.rest.starts_with('(') {
            self.brackets();
        }
    }

    /// Attributes in brackets, also in brackets in brackets.
    fn list(&mut self) {
        if !matches!(self.next_visible(), Some('[' | '(')) {
            return;
        }
        let mut inner = self.brackets();
        while let Some(nested) = enclosed(inner.trim()) {
            inner = nested;
        }
        let mut reader = AttributeReader {
            rest: inner,
            names: std::mem::take(&mut self.names),
        };
        while reader.next_visible().is_some() {
            reader.entry();
        }
        self.names = reader.names;
    }

    /// One of a list, up to the comma behind it.
    fn entry(&mut self) {
        let mut name = self.path();
        // What it is for: C#'s `return:`, Kotlin's `file:`.
        if self.next_visible() == Some(':') {
            self.rest = &self.rest[1..];
            self.next_visible();
            name = self.path();
        }
        self.add(name);
        let mut is_argument = false;
        while let Some(next) = self.next_visible() {
            match next {
                ',' => {
                    self.rest = &self.rest[1..];
                    return;
                }
                '(' | '[' | '{' => {
                    let arguments = self.brackets();
                    if name == DERIVE && !is_argument {
                        arguments.split(',').for_each(|name| self.add(name.trim()));
                    }
                    is_argument = true;
                }
                '"' | '\'' | '`' => self.literal(next),
                _ => self.rest = &self.rest[next.len_utf8()..],
            }
        }
    }

    pub(super) fn add(&mut self, name: &str) {
        let name = name.trim_matches(['.', ':']);
        let is_name = name.starts_with(|c: char| is_in_word(c) && !c.is_numeric());
        if !is_name || self.names.split(',').any(|known| known == name) {
            return;
        }
        if !self.names.is_empty() {
            self.names.push(',');
        }
        self.names.push_str(name);
    }

    /// What comes next behind white space and comments.
    pub(super) fn next_visible(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") {
                self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
            } else if self.rest.starts_with("/*") {
                self.rest = self.rest.find("*/").map_or("", |end| &self.rest[end + 2..]);
            } else {
                return self.rest.chars().next();
            }
        }
    }

    pub(super) fn word(&mut self) -> &'a str {
        self.up_to(|c| !is_in_word(c))
    }

    /// A name with what it is in: `System.Obsolete`, `serde::Serialize`.
    fn path(&mut self) -> &'a str {
        let whole = self.rest;
        loop {
            self.up_to(|c| !(is_in_word(c) || c == '.'));
            match self.rest.strip_prefix("::") {
                Some(rest) => self.rest = rest,
                None => return &whole[..whole.len() - self.rest.len()],
            }
        }
    }

    fn up_to(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// What is between the bracket here and the one that closes it, or up to the end.
    pub(super) fn brackets(&mut self) -> &'a str {
        let whole = self.rest;
        let mut depth = 0;
        while let Some(next) = self.rest.chars().next() {
            match next {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '"' | '\'' | '`' => {
                    self.literal(next);
                    continue;
                }
                _ => {}
            }
            self.rest = &self.rest[next.len_utf8()..];
            if depth == 0 {
                let end = whole.len() - self.rest.len();
                return &whole[1..end - 1];
            }
        }
        whole.get(1..).unwrap_or("")
    }

    /// Passes over a text in quotes; a quote that nothing closes on its line is a mark of its own.
    pub(super) fn literal(&mut self, quote: char) {
        self.rest = &self.rest[1..];
        let mut is_escaped = false;
        for (place, c) in self.rest.char_indices() {
            match c {
                '\n' if quote != '`' => return,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if c == quote => {
                    self.rest = &self.rest[place + 1..];
                    return;
                }
                _ => {}
            }
        }
    }
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// What is in brackets that are all there is.
fn enclosed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['(', '['])?;
    inner.strip_suffix([')', ']'])
}

#[cfg(test)]
mod tests {
    use super::attribute_names;

    #[test]
    fn every_way_to_write_them() {
        for (head, names) in [
            (
                "[Serializable, Obsolete(\"a ] b\", true)]\n[return: NotNull] public class ",
                "Serializable,Obsolete,NotNull",
            ),
            ("public int[] ", ""),
            (
                "@Entity @Table(name = \"a)\") public final class ",
                "Entity,Table",
            ),
            ("public @interface ", ""),
            (
                "@app.route('/x', methods=['GET'])\n@cached\nclass ",
                "app.route,cached",
            ),
            (
                "#[derive(Debug, Clone)]\n#[serde(rename_all = \"x\")]\npub struct ",
                "derive,Debug,Clone,serde",
            ),
            ("#[tokio::main]\nasync fn ", "tokio::main"),
            ("#![warn(missing_docs)]\nmod ", "warn"),
            ("class [[nodiscard, gnu::packed]] ", "nodiscard,gnu::packed"),
            (
                "struct __attribute__((packed, aligned(4))) ",
                "packed,aligned",
            ),
            ("class __declspec(dllexport) ", "dllexport"),
            (
                "#[Attribute(Attribute::TARGET_CLASS), Pure] final class ",
                "Attribute,Pure",
            ),
            ("/* @not */ // [Not]\n[Yes] class ", "Yes"),
            ("@MainActor public final class ", "MainActor"),
            ("@(make()) class ", ""),
            ("[A][A]class ", "A"),
            ("[B(\"never closed", "B"),
            ("export default class ", ""),
            ("@", ""),
        ] {
            assert_eq!(attribute_names(head), names, "{head}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        let parts = [
            "@", "[", "]", "(", ")", "#[", "\"", "'", "ä", "a.b::c", ",", ":", "/*", "//", "\n",
            "\\",
        ];
        let mut state = 7u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text += parts[(state >> 16) as usize % parts.len()];
            }
            attribute_names(&text);
        }
    }
}
