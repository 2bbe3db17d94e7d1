//! Places as people and programs write them: `a.ts:2`, `a.ts:2:9`, `a.ts#L2`, `a.ts(2,9)` (SPEC D20).

/// A line of a file, and a character of it where one is said; both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenPlace<'t> {
    /// The file's path as it is written.
    pub path: &'t str,
    /// Line, from 1.
    pub line: u32,
    /// UTF-16 unit of the line, from 1.
    pub character: Option<u32>,
}

impl<'t> WrittenPlace<'t> {
    /// Reads a place that is all of a text. Whether there is such a file is not asked.
    ///
    /// ```
    /// # use codecortex_protocol::WrittenPlace;
    /// let place = WrittenPlace::parse("src/a.ts#L12C3-L14").unwrap();
    /// assert_eq!((place.path, place.line, place.character), ("src/a.ts", 12, Some(3)));
    /// assert_eq!(WrittenPlace::parse("std::vector"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let found = by_brackets(text)
            .or_else(|| by_anchor(text))
            .or_else(|| by_colons(text))?;
        (!found.path.is_empty() && found.line > 0 && found.character != Some(0)).then_some(found)
    }
}

/// `a.ts(2)`, `a.ts(2,9)`.
fn by_brackets(text: &str) -> Option<WrittenPlace<'_>> {
    let (path, inner) = text.strip_suffix(')')?.rsplit_once('(')?;
    let mut numbers = inner.split(',').map(|part| number(part.trim()));
    let line = numbers.next()??;
    let character = match numbers.next() {
        Some(character) => Some(character?),
        None => None,
    };
    // What follows is the place's end.
    numbers.all(|end| end.is_some()).then_some(WrittenPlace {
        path: path.trim_end(),
        line,
        character,
    })
}

/// `a.ts#L2`, `a.ts#L2-L9`, `a.ts#L2C3-L4C5`, `a.ts#2`.
fn by_anchor(text: &str) -> Option<WrittenPlace<'_>> {
    let (path, anchor) = text.rsplit_once('#')?;
    let start = anchor.split('-').next().unwrap_or(anchor);
    let start = start.strip_prefix(['L', 'l']).unwrap_or(start);
    let (line, character) = match start.split_once(['C', 'c']) {
        Some((line, character)) => (line, Some(number(character)?)),
        None => (start, None),
    };
    Some(WrittenPlace {
        path,
        line: number(line)?,
        character,
    })
}

/// `a.ts:2`, `a.ts:2:9`, `a.ts:2-9`, each also with a colon behind it as compilers and `grep` write it.
fn by_colons(text: &str) -> Option<WrittenPlace<'_>> {
    let text = text.strip_suffix(':').unwrap_or(text);
    let (before, last) = text.rsplit_once(':')?;
    let last = match last.split_once('-') {
        Some((first, end)) => number(end).and_then(|_| number(first))?,
        None => number(last)?,
    };
    let with_line = before.rsplit_once(':');
    let with_line = with_line.and_then(|(path, line)| Some((path, number(line)?)));
    let place = match with_line {
        Some((path, line)) => (path, line, Some(last)),
        None => (before, last, None),
    };
    let (path, line, character) = place;
    Some(WrittenPlace {
        path,
        line,
        character,
    })
}

fn number(text: &str) -> Option<u32> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_place_is_read() {
        for (text, path, line, character) in [
            ("src/a.ts:12", "src/a.ts", 12, None),
            ("src/a.ts:12:9", "src/a.ts", 12, Some(9)),
            ("src/a.ts:12:9:", "src/a.ts", 12, Some(9)),
            ("src/a.ts:12-20", "src/a.ts", 12, None),
            ("C:\\src\\a.ts:12:9", "C:\\src\\a.ts", 12, Some(9)),
            ("C:\\src\\a.ts:12", "C:\\src\\a.ts", 12, None),
            ("a.ts#L12", "a.ts", 12, None),
            ("a.ts#L12-L14", "a.ts", 12, None),
            ("a.ts#L12C3", "a.ts", 12, Some(3)),
            ("a.ts(12)", "a.ts", 12, None),
            (" a b.ts(12, 9) ", "a b.ts", 12, Some(9)),
            ("a.cs(12,9,12,14)", "a.cs", 12, Some(9)),
        ] {
            let wanted = WrittenPlace {
                path,
                line,
                character,
            };
            assert_eq!(WrittenPlace::parse(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_place_is_none() {
        for text in [
            "",
            ":1",
            "a.ts",
            "a.ts:0",
            "a.ts:1:0",
            "Store.Add(int)",
            "Store.Add()",
            "std::vector",
            "a.ts:+1",
            "a.ts#top",
            "a.ts:99999999999",
            "Map<K, V>",
        ] {
            assert_eq!(WrittenPlace::parse(text), None, "{text}");
        }
    }
}
