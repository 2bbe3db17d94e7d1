//! One line of the log, looked at without taking it apart: a million of them have to be looked at in the time
//! that a question may take.

use std::borrow::Cow;

use memchr::memchr2;

use crate::words::QueryWord;

/// Ids are below this one: they are exact in JavaScript.
pub const MAX_ID: u64 = (1 << 53) - 1;

/// What a line says, as slices of it. Fields that nobody asks for are not looked into.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineView<'l> {
    id: u64,
    schema_version: Raw<'l>,
    ts: Raw<'l>,
    task_id: Raw<'l>,
    actor: Raw<'l>,
    phase: Raw<'l>,
    summary: Raw<'l>,
    detail: Raw<'l>,
    refs: Option<&'l [u8]>,
    ext: Option<&'l [u8]>,
}

/// What is between the quotes of a string; `None` for anything else.
type Raw<'l> = Option<&'l [u8]>;

/// What a line of a file is.
#[derive(Clone, Copy, Debug)]
pub enum LogLine<'l> {
    /// An observation.
    Observation(LineView<'l>),
    /// A record of another schema, with its id where it has one.
    OtherSchema(Option<u64>),
    /// A line of white space.
    Blank,
    /// The beginning of a record whose end was never written.
    Cut,
    /// Anything else, such as the marks of a merge.
    Foreign,
}

impl<'l> LogLine<'l> {
    /// Reads one without its end.
    #[must_use]
    pub fn read(line: &'l [u8]) -> Self {
        let line = line.trim_ascii();
        if line.is_empty() {
            return Self::Blank;
        }
        if line[0] != b'{' {
            return Self::Foreign;
        }
        let mut reader = LineReader { line, at: 1 };
        let Some((view, id)) = reader.object() else {
            // Whatever begins like a record of ours and does not end like one was cut off.
            return if line.last() == Some(&b'}') {
                Self::Foreign
            } else {
                Self::Cut
            };
        };
        let is_ours = view.schema_version == Some(crate::record::SCHEMA_VERSION.as_bytes());
        let is_whole = view.ts.is_some()
            && view.actor.is_some()
            && view.phase.is_some()
            && view.summary.is_some();
        match id {
            Some(id) if is_ours && is_whole => Self::Observation(LineView { id, ..view }),
            _ if is_ours => Self::Foreign,
            _ if view.schema_version.is_some() => Self::OtherSchema(id),
            _ => Self::Foreign,
        }
    }
}

impl<'l> LineView<'l> {
    /// The id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn ts(&self) -> Cow<'l, str> {
        text(self.ts)
    }

    pub(crate) fn task_id(&self) -> Option<Cow<'l, str>> {
        self.task_id
            .map(|raw| text(Some(raw)))
            .filter(|task| !task.is_empty())
    }

    pub(crate) fn actor(&self) -> Cow<'l, str> {
        text(self.actor)
    }

    pub(crate) fn phase(&self) -> Cow<'l, str> {
        text(self.phase)
    }

    pub(crate) fn summary(&self) -> Cow<'l, str> {
        text(self.summary)
    }

    pub(crate) fn detail(&self) -> Option<Cow<'l, str>> {
        self.detail.map(|raw| text(Some(raw)))
    }

    /// Whether a word may be in what it refers to, or is anchored to.
    pub(crate) fn may_refer(&self, word: &QueryWord) -> bool {
        [self.refs, self.ext].into_iter().flatten().any(|raw| {
            // With escapes, words begin elsewhere.
            let text = std::str::from_utf8(raw).ok();
            let text = text.filter(|text| !text.contains('\\'));
            text.is_none_or(|text| word.is_in(text))
        })
    }

    /// Whether it may say that others are forgotten.
    pub(crate) fn may_be_tombstone(&self) -> bool {
        self.ext
            .is_some_and(|ext| memchr::memmem::find(ext, b"\"tombstone\"").is_some())
    }
}

/// A string of JSON without its escapes. What is no UTF-8 is shown as such.
fn text(raw: Raw<'_>) -> Cow<'_, str> {
    let raw = raw.unwrap_or_default();
    if memchr::memchr(b'\\', raw).is_none() {
        return String::from_utf8_lossy(raw);
    }
    let mut quoted = Vec::with_capacity(raw.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(raw);
    quoted.push(b'"');
    let text = serde_json::from_slice(&quoted).ok();
    text.map_or_else(|| String::from_utf8_lossy(raw), Cow::Owned)
}

struct LineReader<'l> {
    line: &'l [u8],
    at: usize,
}

enum LogValue<'l> {
    Text(&'l [u8]),
    Nested(&'l [u8]),
    Scalar(&'l [u8]),
}

impl<'l> LineReader<'l> {
    /// The fields of the object whose brace was read, to its end, which is that of the line.
    fn object(&mut self) -> Option<(LineView<'l>, Option<u64>)> {
        let (mut view, mut id) = (LineView::default(), None);
        if self.next()? == b'}' {
            return (self.at == self.line.len()).then_some((view, id));
        }
        self.at -= 1;
        loop {
            let LogValue::Text(key) = self.value()? else {
                return None;
            };
            if self.next()? != b':' {
                return None;
            }
            match (key, self.value()?) {
                (b"id", LogValue::Scalar(digits)) => id = number(digits),
                (b"schema_version", LogValue::Text(raw)) => view.schema_version = Some(raw),
                (b"ts", LogValue::Text(raw)) => view.ts = Some(raw),
                (b"task_id", LogValue::Text(raw)) => view.task_id = Some(raw),
                (b"actor", LogValue::Text(raw)) => view.actor = Some(raw),
                (b"phase", LogValue::Text(raw)) => view.phase = Some(raw),
                (b"summary", LogValue::Text(raw)) => view.summary = Some(raw),
                (b"detail", LogValue::Text(raw)) => view.detail = Some(raw),
                (b"refs", LogValue::Nested(raw)) => view.refs = Some(raw),
                (b"ext", LogValue::Nested(raw)) => view.ext = Some(raw),
                _ => {}
            }
            match self.next()? {
                b',' => {}
                b'}' => return (self.at == self.line.len()).then_some((view, id)),
                _ => return None,
            }
        }
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.line.get(self.at)?;
            self.at += 1;
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
        }
    }

    fn value(&mut self) -> Option<LogValue<'l>> {
        let first = self.next()?;
        let start = self.at - 1;
        match first {
            b'"' => {
                let end = self.string()?;
                Some(LogValue::Text(&self.line[start + 1..end]))
            }
            b'{' | b'[' => {
                self.nested()?;
                Some(LogValue::Nested(&self.line[start..self.at]))
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                let rest = &self.line[start..];
                let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
                let len = rest.iter().position(|byte| !is_part(byte))?;
                self.at = start + len;
                Some(LogValue::Scalar(&rest[..len]))
            }
            _ => None,
        }
    }

    /// Goes behind the string whose first quote was read; where its last one is.
    fn string(&mut self) -> Option<usize> {
        loop {
            let found = memchr2(b'"', b'\\', self.line.get(self.at..)?)?;
            let at = self.at + found;
            if self.line[at] == b'"' {
                self.at = at + 1;
                return Some(at);
            }
            self.at = at + 2;
        }
    }

    /// Goes behind the list or object whose first bracket was read.
    fn nested(&mut self) -> Option<()> {
        let mut depth = 1_u32;
        while depth > 0 {
            match self.next()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        Some(())
    }
}

/// An id that every reader of JSON has exactly, also one whose numbers are all floating.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    if !(1..=16).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None; // longer ones would not fit
    }
    let value = digits.iter().fold(0, |number, digit| {
        number * 10 + u64::from(digit.wrapping_sub(b'0'))
    });
    (value < MAX_ID).then_some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::Observation;

    #[test]
    fn numbers_of_any_length_are_read() {
        assert_eq!(number(b"9007199254740990"), Some(MAX_ID - 1));
        for digits in [
            "",
            "-1",
            "9007199254740991",
            "99999999999999999999999999999999",
        ] {
            assert_eq!(number(digits.as_bytes()), None, "{digits}");
        }
    }

    fn view(line: &str) -> Option<LineView<'_>> {
        match LogLine::read(line.as_bytes()) {
            LogLine::Observation(view) => Some(view),
            _ => None,
        }
    }

    const LINE: &str = r#"{"schema_version":"obs.v1","id":7,"ts":"t","task_id":null,"actor":"a","phase":"p","summary":"say \"hi\"\n","x":[{"a":"]"}]}"#;

    #[test]
    fn fields_are_slices_of_the_line() {
        let view = view(LINE).unwrap();
        assert_eq!(
            (view.id(), view.task_id(), view.summary().as_ref()),
            (7, None, "say \"hi\"\n")
        );
        assert!(view.detail().is_none());
    }

    #[test]
    fn what_is_no_observation_is_told_apart() {
        let read = |line: &str| format!("{:?}", LogLine::read(line.as_bytes()));
        assert_eq!(read(" \r"), "Blank");
        assert_eq!(read("<<<<<<< HEAD"), "Foreign");
        assert_eq!(read("{}"), "Foreign");
        assert_eq!(read(r#"{"id":1}"#), "Foreign");
        assert_eq!(
            read(r#"{"schema_version":"obs.v2","id":9}"#),
            "OtherSchema(Some(9))"
        );
        assert_eq!(read(r#"{"schema_version":"obs.v1","id":"#), "Cut");
        assert_eq!(read(&LINE.replace(":7", ":-7")), "Foreign");
        assert_eq!(read(&LINE.replace(":7", ":7.5")), "Foreign");
    }

    proptest! {
        #[test]
        fn a_cut_line_is_no_observation(cut in 1..LINE.len()) {
            let is_observation = matches!(LogLine::read(&LINE.as_bytes()[..cut]), LogLine::Observation(_));
            prop_assert!(!is_observation);
        }

        #[test]
        fn foreign_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = LogLine::read(&bytes);
            let _ = LogLine::read(&[b"{", &bytes[..]].concat());
        }

        /// Whatever a writer may write is read the same way as by a parser of JSON.
        #[test]
        fn it_agrees_with_the_parser(summary in ".{0,40}", detail in proptest::option::of("\\PC{0,30}"), id in 0..MAX_ID) {
            let mut record: Observation = serde_json::from_str(LINE).unwrap();
            (record.summary, record.detail, record.id) = (summary, detail, id);
            let line = record.to_line();
            let view = view(&line).unwrap();
            prop_assert_eq!(view.id(), id);
            prop_assert_eq!(view.summary().into_owned(), record.summary);
            prop_assert_eq!(view.detail().map(Cow::into_owned), record.detail);
        }
    }
}
