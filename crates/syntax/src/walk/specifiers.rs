//! Macros whose arguments say something of a declaration: `UPROPERTY(EditAnywhere, Category = "Light")` (SPEC AS1, PK1).
//!
//! They are read from the text, because a C++ parser does not see them, and as laxly as the engine does: commas may be
//! missing, values too.

use std::ops::Range;

use super::attributes::AttributeReader;
use crate::preprocess::macro_with_arguments;

/// More text than this before a declaration or behind an enumerator holds more than macros.
const MAX: usize = 4096;

/// `names` with those of the macros right before a declaration, and in it before its name, and of their specifiers.
pub(super) fn specifiers_before(
    names: String,
    text: &str,
    macros: &[String],
    span: &Range<usize>,
    name: &Range<usize>,
) -> String {
    let start = start_of_macros(text, macros, span.start);
    let head = text.get(start..name.start.min(start + MAX));
    match head {
        Some(head) => add_specifiers(names, head, macros, &[]),
        None => names,
    }
}

/// `names` with those of the macros behind an enumerator's name.
pub(super) fn specifiers_behind(
    names: String,
    text: &str,
    macros: &[String],
    name: &Range<usize>,
) -> String {
    let tail = text.get(name.end..).unwrap_or("");
    let tail = &tail[..tail.floor_char_boundary(MAX)];
    add_specifiers(names, tail, macros, &[',', '}', ';'])
}

/// Where the macros begin that stand right before a place, with nothing but white space, comments and other macros
/// between; the place itself where there are none.
pub(crate) fn start_of_macros(text: &str, macros: &[String], at: usize) -> usize {
    let floor = text.ceil_char_boundary(at.saturating_sub(MAX));
    let Some(above) = text.get(floor..at) else {
        return at;
    };
    let mut end = above.len();
    loop {
        let start = above[..end].rfind('\n').map_or(0, |end| end + 1);
        let line = above[start..end].trim();
        let begin = macros.iter().filter_map(|name| {
            let places = above[start..end].match_indices(name.as_str());
            let mut places = places.map(|(place, _)| start + place);
            let begins =
                |at: usize| !above[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            places.find(|place| begins(*place) && is_of_macros(&above[*place..]))
        });
        if let Some(begin) = begin.min() {
            return floor + begin;
        }
        // Where something else ends, nothing above is about what is below.
        let is_end = line.ends_with([';', '{', '}', ':']) || line.starts_with('#');
        if start == 0 || is_end && !line.starts_with("//") {
            return at;
        }
        end = start - 1;
    }
}

/// Whether a text is macros with arguments, white space and comments alone.
fn is_of_macros(text: &str) -> bool {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = match rest {
            line if line.starts_with("//") => line.find('\n'),
            block if block.starts_with("/*") => block.find("*/").map(|end| end + 2),
            other => macro_with_arguments(other),
        };
        match end {
            Some(end) => rest = rest[end..].trim_start(),
            None => return false,
        }
    }
    true
}

/// `names` with those of the macros in a text and of what is in them, up to one of `stops`.
fn add_specifiers(names: String, text: &str, macros: &[String], stops: &[char]) -> String {
    if !macros.iter().any(|name| text.contains(name.as_str())) {
        return names;
    }
    let mut reader = AttributeReader { rest: text, names };
    while let Some(next) = reader.next_visible() {
        if stops.contains(&next) {
            break;
        }
        if reader.passes_over(next) {
            continue;
        }
        let word = reader.word();
        let is_macro = macros.iter().any(|name| name == word);
        if is_macro && reader.next_visible() == Some('(') {
            reader.add(word);
            let list = reader.brackets();
            // What a macro's bracket does not end, its line does.
            let is_open = reader.rest.is_empty() && !text.trim_end().ends_with(')');
            let line = list.lines().next().unwrap_or("");
            reader.keys(if is_open { line } else { list });
        }
    }
    reader.names
}

impl<'a> AttributeReader<'a> {
    /// Passes over what begins here unless it is a word. Whether it did.
    fn passes_over(&mut self, next: char) -> bool {
        match next {
            '"' | '\'' | '`' => self.literal(next),
            '(' | '[' | '{' => drop(self.brackets()),
            _ if next.is_alphanumeric() || next == '_' => return false,
            _ => self.rest = &self.rest[next.len_utf8()..],
        }
        true
    }

    /// The names in a list of specifiers, with those in `meta = (…)`.
    fn keys(&mut self, list: &'a str) {
        let mut inner = AttributeReader {
            rest: list,
            names: std::mem::take(&mut self.names),
        };
        while let Some(next) = inner.next_visible() {
            if inner.passes_over(next) {
                continue;
            }
            let name = inner.word();
            inner.add(name);
            // An `=`, or a comparison that the engine takes for a name as well.
            let behind = inner.rest.trim_start();
            let value = behind.trim_start_matches(['=', '!', '<', '>']);
            if value.len() < behind.len() {
                inner.rest = value;
                inner.value();
            }
        }
        self.names = inner.names;
    }

    /// What follows `=`: a list of more specifiers, or a value that ends with the next comma, a text by itself.
    fn value(&mut self) {
        match self.next_visible() {
            Some('(') => {
                let list = self.brackets();
                self.keys(list);
            }
            Some(quote @ ('"' | '\'')) => self.literal(quote),
            _ => {
                while let Some(next) = self.next_visible()
                    && next != ','
                {
                    if !self.passes_over(next) {
                        self.word();
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros() -> Vec<String> {
        ["UCLASS", "UPROPERTY", "UMETA"].map(str::to_owned).into()
    }

    fn before(text: &str, name: &str) -> String {
        let at = text.find(name).unwrap();
        let start = text[..at].rfind(['\n', ')']).map_or(0, |end| end + 1);
        let span = start + (text[start..at].len() - text[start..at].trim_start().len())..text.len();
        specifiers_before(
            String::new(),
            text,
            &macros(),
            &span,
            &(at..at + name.len()),
        )
    }

    #[test]
    fn every_way_to_write_them() {
        for (text, names) in [
            (
                "UCLASS(Abstract, Blueprintable)\nclass ALamp",
                "UCLASS,Abstract,Blueprintable",
            ),
            (
                "UPROPERTY(EditAnywhere, Category = \"A) B\", meta = (ClampMin = -1, Units = \"cm\"))\nfloat ALamp",
                "UPROPERTY,EditAnywhere,Category,meta,ClampMin,Units",
            ),
            (
                "UPROPERTY(Category = \"Heat\" Transient, Meta = (EditCondition != bOff), Category = )\nint ALamp",
                "UPROPERTY,Category,Transient,Meta,EditCondition",
            ),
            (
                "UPROPERTY(ReplicatedUsing = OnRep_X, Config) int ALamp",
                "UPROPERTY,ReplicatedUsing,Config",
            ),
            (
                "UPROPERTY(\n  EditAnywhere, // why\n  meta = (\n    A = B | C))\n\n// Then.\nUE_DEPRECATED(5.1, \"x;\")\nint ALamp",
                "UPROPERTY,EditAnywhere,meta,A",
            ),
            ("UPROPERTY(EditAnywhere) int Other;\nint ALamp", ""),
            ("UPROPERTY(EditAnywhere)\nint Other; }\nint ALamp", ""),
            (
                "UPROPERTY(EditAnywhere)\nint* ALamp",
                "UPROPERTY,EditAnywhere",
            ),
            ("GENERATED_BODY()\nint ALamp", ""),
            ("UPROPERTY\nint ALamp", ""),
            ("public: UPROPERTY(Config) int ALamp", "UPROPERTY,Config"),
            ("XUPROPERTY(Config)\nint ALamp", ""),
        ] {
            assert_eq!(before(text, "ALamp"), names, "{text}");
        }
    }

    #[test]
    fn an_enumerators_stand_behind_it() {
        for (text, names) in [
            (
                "Off UMETA(Hidden, DisplayName = \"a,b\"),",
                "UMETA,Hidden,DisplayName",
            ),
            ("Off = F(1, 2) UMETA(Hidden)\n}", "UMETA,Hidden"),
            ("Off,\nOn UMETA(Hidden)", ""),
            ("Off\n} UMETA(Hidden)", ""),
        ] {
            let found = specifiers_behind(String::new(), text, &macros(), &(0..3));
            assert_eq!(found, names, "{text}");
        }
    }
}
