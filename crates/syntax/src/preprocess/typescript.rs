//! What TypeScript says and its grammar cannot read.
//!
//! A call signature of an interface may begin with type parameters and follow another without a semicolon:
//!
//! ```text
//! interface Get {
//!   (key: string): Found
//!   <T>(key: Key<T>): T
//! }
//! ```
//!
//! The grammar takes `<` at the start of a line for a comparison with what ended the line before, and loses the
//! interface and often the rest of the file. A semicolon in the white space before it keeps every offset.
//!
//! `accessor` is no member where something is called so, and none of the grammar's where it is a modifier among others
//! (`static accessor count = 0`). In the head of a loop `using` declares as `const` does. A class without a name that is
//! a module's default may be abstract. A type of another module may have arguments and be one of a list
//! (`import("./x").Y<string>`): the grammar reads a name in place of the import.
//!
//! `using` declares only before a name on its line, and is a name itself elsewhere; the grammar has it as a word. It
//! is shown another name of five letters. So is `await` where nothing stands behind it that could be waited for: outside
//! of modules and asynchronous functions it is a name as all others.
//!
//! Phases of imports (`import defer * as a`, `import source a from "a"`) and the variance of type parameters (`<in out T>`)
//! are no words of the grammars.
//!
//! What elements have between tags is in `jsx.rs`.

use std::ops::Range;

use super::blank::lines_around;
use super::jsx;

/// Type parameters and parameters of one signature are looked through up to this many bytes.
const SIGNATURE: usize = 4096;

/// `text` with what its grammar needs, if it needs anything: as long, with the same offsets.
pub(super) fn preprocess(text: &str, has_elements: bool) -> Option<String> {
    let all = 0..text.len();
    let ends: Vec<usize> = ends_before_signatures(text, all.clone()).collect();
    let words: Vec<_> = types_of_modules(text, all.clone())
        .chain(modifiers(text, all.clone()))
        .collect();
    let names: Vec<usize> = names_like_words(text, all.clone()).collect();
    let loops: Vec<_> = declarations_of_loops(text, all.clone()).collect();
    let imports: Vec<_> = import_types(text, all).collect();
    let ampersands = match has_elements {
        true => jsx::ampersands(text),
        false => Vec::new(),
    };
    if ends.is_empty()
        && words.is_empty()
        && names.is_empty()
        && loops.is_empty()
        && imports.is_empty()
        && ampersands.is_empty()
    {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in names {
        bytes.get_mut(at)?.make_ascii_uppercase();
    }
    for word in loops {
        let shown = format!("{:<width$}", "const", width = word.len());
        bytes.get_mut(word)?.copy_from_slice(shown.as_bytes());
    }
    for import in imports {
        for byte in bytes.get_mut(import)? {
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
                *byte = b'_';
            }
        }
    }
    for at in ends {
        *bytes.get_mut(at)? = b';';
    }
    for at in ampersands {
        *bytes.get_mut(at)? = jsx::SHOWN;
    }
    for word in words {
        bytes.get_mut(word)?.fill(b' ');
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// `text` of JavaScript with what its grammar needs, if it needs anything: it knows more of the words.
pub(super) fn preprocess_javascript(text: &str) -> Option<String> {
    let all = 0..text.len();
    let modifiers = accessors(text, all.clone()).chain(phases(text, all));
    let modifiers: Vec<Range<usize>> = modifiers.collect();
    let ampersands = jsx::ampersands(text);
    if modifiers.is_empty() && ampersands.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in ampersands {
        *bytes.get_mut(at)? = jsx::SHOWN;
    }
    for word in modifiers {
        bytes.get_mut(word)?.fill(b' ');
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// Whether a text of JavaScript needs nothing, as it did before an edit brought some bytes.
pub(super) fn javascript_stays_as_written(text: &str, new: Range<usize>) -> bool {
    let lines = lines_around(text, new);
    accessors(text, lines.clone()).next().is_none()
        && phases(text, lines).next().is_none()
        && jsx::ampersands(text).is_empty()
}

/// `accessor` where it is a modifier of a member.
fn accessors(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    words(text, within, "accessor", is_before_member).map(|at| at..at + "accessor".len())
}

/// Whether a text needs nothing, as it did before an edit brought some bytes. What is found depends on what is behind it,
/// up to some length, and on the lines before it as far as these are prose.
pub(super) fn stays_as_written(text: &str, new: Range<usize>) -> bool {
    let lines = lines_around(text, new);
    let mut end = (lines.end + 1).min(text.len()); // behind the end of the line
    for line in text[end..].split_inclusive('\n') {
        end += line.len();
        if !is_prose(line) {
            break;
        }
    }
    let near = lines.start.saturating_sub(SIGNATURE)..end;
    ends_before_signatures(text, near).next().is_none()
        && types_of_modules(text, lines.clone()).next().is_none()
        && names_like_words(text, lines.clone()).next().is_none()
        && modifiers(text, lines.clone()).next().is_none()
        && declarations_of_loops(text, lines.clone()).next().is_none()
        && import_types(text, lines).next().is_none()
}

/// `using`, `await` and `accessor` where they are names, in some bytes that are whole lines.
fn names_like_words(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    words(text, within.clone(), "using", declares_nothing)
        .chain(words(text, within.clone(), "await", waits_for_nothing))
        .chain(words(text, within, "accessor", |behind| {
            !is_before_member(behind)
        }))
}

/// Modifiers that the grammar does not know in their places: `accessor` of a member, `abstract` of a class without a name
/// that is the default of its module.
fn modifiers(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_default = |at: &usize| {
        let before = text[..*at].trim_end_matches([' ', '\t']);
        before.ends_with("export default")
    };
    let unnamed = words(text, within.clone(), "abstract", is_before_unnamed_class);
    let unnamed = unnamed
        .filter(is_default)
        .map(|at| at..at + "abstract".len());
    accessors(text, within.clone())
        .chain(unnamed)
        .chain(phases(text, within.clone()))
        .chain(variances(text, within))
}

/// `in` and `out` before the name of a type parameter, in some bytes that are whole lines.
fn variances(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let start = within.start;
    let find = |word: &'static str| {
        memchr::memmem::find_iter(&bytes[within.clone()], word).map(move |at| start + at)
    };
    let ins = find("in ").map(|at| at..at + "in".len());
    let outs = find("out ").map(|at| at..at + "out".len());
    ins.chain(outs)
        .filter(move |word| is_before_type_parameter(bytes, word.end))
        .filter(move |word| begins_type_parameter(bytes, word.start))
        .filter(move |word| {
            let line = text[..word.start].rsplit('\n').next().unwrap_or_default();
            let quotes = line
                .bytes()
                .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
            let is_said = is_prose(line) && !line.trim_start().is_empty();
            !is_said && !line.contains("//") && quotes.count() % 2 == 0
        })
}

/// Whether a name follows that something can follow which is a type parameter.
fn is_before_type_parameter(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 128;
    let near = &bytes[at..bytes.len().min(at + LONGEST)];
    let near = near.trim_ascii_start();
    let near = match near.strip_prefix(b"out ") {
        Some(rest) => rest.trim_ascii_start(),
        None => near,
    };
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let length = near.iter().take_while(is_name).count();
    let behind = near[length..].trim_ascii_start();
    length > 0 && (behind.starts_with(b"extends ") || matches!(behind, [b',' | b'>' | b'=', ..]))
}

/// Whether what stands before is the beginning of a type parameter in a list of them.
fn begins_type_parameter(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 256;
    let near = bytes[at.saturating_sub(LONGEST)..at].trim_ascii_end();
    let near = match near.strip_suffix(b"in") {
        Some(rest) if !rest.is_empty() && near.len() < LONGEST => rest.trim_ascii_end(),
        _ => near,
    };
    let near = match near.strip_suffix(b"const") {
        Some(rest) => rest.trim_ascii_end(),
        None => near,
    };
    match near.last() {
        Some(b'<') => true,
        Some(b',') => {
            let list = near.rsplit(|byte| matches!(byte, b';' | b'{' | b'}' | b')' | b'('));
            let list = list.into_iter().next().unwrap_or_default();
            list.contains(&b'<')
        }
        _ => false,
    }
}

/// The words `defer` and `source` of imports that have a phase.
fn phases(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let deferred = words(text, within.clone(), "defer", |behind| {
        behind.trim_start_matches([' ', '\t']).starts_with('*')
    });
    let sources = words(text, within.clone(), "source", is_before_import_of_source);
    let is_imported = |word: &Range<usize>| {
        let before = text[..word.start].trim_end_matches([' ', '\t']);
        let import = before.strip_suffix("import");
        import.is_some_and(|before| before.len() < word.start && !before.ends_with(is_part))
    };
    deferred
        .map(|at| at..at + "defer".len())
        .chain(sources.map(|at| at..at + "source".len()))
        .filter(is_imported)
        .chain(phases_of_calls(text, within))
}

/// `.defer` of `import.defer("a")`: to the grammar the import alone is called.
fn phases_of_calls(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    words(text, within, "import", |behind| {
        behind.starts_with(".defer(") || behind.starts_with(".source(")
    })
    .filter_map(move |at| {
        let start = at + "import".len();
        let length = text[start..].find('(')?;
        Some(start..start + length)
    })
}

/// Whether a name follows, and then `from`: `source` alone may be the name itself.
fn is_before_import_of_source(behind: &str) -> bool {
    let mut words = behind.split_ascii_whitespace();
    let name = words.next().unwrap_or_default();
    !name.is_empty() && name.chars().all(is_part) && words.next() == Some("from")
}

/// Whether what stands behind `accessor` is the name of a member.
fn is_before_member(behind: &str) -> bool {
    const NO_NAMES: [&str; 9] = [
        "of",
        "in",
        "instanceof",
        "as",
        "satisfies",
        "is",
        "from",
        "extends",
        "implements",
    ];
    let next = behind.trim_start_matches([' ', '\t']);
    let word = next.split(|char| !is_part(char)).next().unwrap_or_default();
    next.len() < behind.len()
        && next.starts_with(|char| is_part(char) || matches!(char, '#' | '"' | '\''))
        && !NO_NAMES.contains(&word)
}

/// Whether a class follows that has no name.
fn is_before_unnamed_class(behind: &str) -> bool {
    let Some(rest) = behind.trim_start().strip_prefix("class") else {
        return false;
    };
    let next = rest.trim_start();
    let word = next.split(|char| !is_part(char)).next().unwrap_or_default();
    !rest.starts_with(is_part) && matches!(word, "" | "extends" | "implements")
}

/// `using` and `await using` in the heads of loops, where a name follows.
fn declarations_of_loops(
    text: &str,
    within: Range<usize>,
) -> impl Iterator<Item = Range<usize>> + '_ {
    words(text, within, "using", |behind| !declares_nothing(behind)).filter_map(move |at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let (start, head) = match before.strip_suffix("await") {
            Some(head) if before.len() < at && !head.ends_with(is_part) => {
                (head.len(), head.trim_end_matches([' ', '\t']))
            }
            _ => (at, before),
        };
        let head = head.strip_suffix('(')?.trim_end_matches([' ', '\t']);
        let head = head
            .strip_suffix("await")
            .map_or(head, |head| head.trim_end_matches([' ', '\t']));
        let before = head.strip_suffix("for")?;
        (!before.ends_with(is_part)).then_some(start..at + "using".len())
    })
}

/// Imports in types of which a member is named: `import("./x").Y`. A value's member is one of a promise, which is
/// called.
fn import_types(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    words(text, within, "import", |behind| behind.starts_with('(')).filter_map(move |at| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        if ["typeof", "await"]
            .iter()
            .any(|word| before.ends_with(word))
        {
            return None;
        }
        let open = at + "import".len();
        let line = text[open..].split('\n').next()?;
        let end = 1 + line.find(')')?;
        let path = line[1..end - 1].trim();
        let is_path = path.len() > 1
            && path.starts_with(['"', '\''])
            && path.ends_with(&path[..1])
            && !path[1..path.len() - 1].contains(['"', '\'', '(', ',']);
        let is_member = is_path && line[end..].starts_with('.') && !is_called(&line[end..]);
        is_member.then_some(at..open + end)
    })
}

/// Whether a chain of members is called in the end.
fn is_called(chain: &str) -> bool {
    let rest = chain.trim_start_matches(|char| is_part(char) || char == '.');
    let rest = match rest.starts_with('<') {
        true => closed(rest.as_bytes(), 0).map_or("", |end| &rest[end..]),
        false => rest,
    };
    rest.starts_with(['(', '`'])
}

/// Where a word is a name, by what stands behind it on its line and before it.
fn words<'t>(
    text: &'t str,
    within: Range<usize>,
    word: &'static str,
    is_name: impl Fn(&str) -> bool + 't,
) -> impl Iterator<Item = usize> + 't {
    let start = within.start;
    memchr::memmem::find_iter(&text.as_bytes()[within], word)
        .map(move |at| start + at)
        .filter(move |at| {
            let behind = &text[at + word.len()..];
            let behind = behind.split('\n').next().unwrap_or_default();
            let before = || text[..*at].rsplit('\n').next().unwrap_or_default();
            is_name(behind) && stands_alone(before(), behind)
        })
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$')
}

/// Whether a word is no part of another one, of a comment or a text, by the rest of its line.
fn stands_alone(before: &str, behind: &str) -> bool {
    let is_quote = |char: char| matches!(char, '"' | '\'' | '`');
    let is_inside = |char: char| is_part(char) || is_quote(char);
    let is_part_of_one = before.ends_with(is_inside) || behind.starts_with(is_inside);
    let is_said = is_prose(before) && !before.trim_start().is_empty() || before.contains("//");
    !is_part_of_one && !is_said
}

/// Whether `using` with this behind it is no declaration.
fn declares_nothing(behind: &str) -> bool {
    const BETWEEN: [&str; 5] = ["of", "in", "instanceof", "as", "satisfies"];
    let next = behind.trim_start_matches([' ', '\t']);
    let word = next.split(|char| !is_part(char)).next().unwrap_or_default();
    word.is_empty() || next.len() < behind.len() && BETWEEN.contains(&word)
}

/// Whether `await` with this behind it waits for nothing.
fn waits_for_nothing(behind: &str) -> bool {
    const NO_VALUE: &[u8] = b"),:;=?.}]&|>*%^";
    let next = behind.trim_start_matches([' ', '\t']).as_bytes();
    next.first().is_some_and(|first| NO_VALUE.contains(first))
}

/// The word `type` of `export type * from "…"`, in some bytes.
fn types_of_modules(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    const WORDS: &str = "export type *";
    memchr::memmem::find_iter(&text.as_bytes()[within.clone()], WORDS)
        .map(move |at| within.start + at)
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
        .map(|at| at + "export ".len()..at + "export type".len())
}

/// White space before call signatures that follow something which could be compared with them, where they begin in
/// some bytes.
fn ends_before_signatures(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    let start = within.start;
    memchr::memchr_iter(b'<', &bytes[within]).filter_map(move |at| {
        let at = start + at;
        let blank = at.checked_sub(1)?;
        let is_indented = matches!(bytes[blank], b' ' | b'\t');
        let is_such = is_indented && ends_a_value(&text[..at]) && is_signature(&bytes[at..]);
        is_such.then_some(blank)
    })
}

/// Whether the line of the end of `before` is blank, and what is written before it ends like a type or a value.
fn ends_a_value(before: &str) -> bool {
    let mut lines = before.rsplit('\n');
    if !lines.next().is_some_and(|line| line.trim().is_empty()) {
        return false;
    }
    let Some(line) = lines.find(|line| !is_prose(line)) else {
        return false;
    };
    let code = line
        .find(" //")
        .map_or(line, |comment| &line[..comment])
        .trim_end();
    let ends = |last: char| {
        last.is_alphanumeric()
            || matches!(last, '_' | '$' | '>' | ']' | ')' | '}' | '"' | '\'' | '`')
    };
    code.ends_with(ends) && !code.ends_with("=>")
}

/// Whether a line is blank or begins like one of a comment.
fn is_prose(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')
}

/// Whether this begins with type parameters, parameters and a colon.
fn is_signature(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(SIGNATURE)];
    let after = |at: usize| bytes.get(at..).map(|rest| at + blanks(rest));
    let is_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$');
    let Some(_) = after(1).filter(|name| bytes.get(*name).is_some_and(is_name)) else {
        return false;
    };
    let Some(list) = closed(bytes, 0)
        .and_then(after)
        .filter(|at| bytes.get(*at) == Some(&b'('))
    else {
        return false;
    };
    closed(bytes, list)
        .and_then(after)
        .is_some_and(|at| bytes.get(at) == Some(&b':'))
}

fn blanks(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Where the bracket at `open` has been closed. A semicolon outside of braces ends the search: it ends statements.
fn closed(bytes: &[u8], open: usize) -> Option<usize> {
    let mut closers = Vec::new();
    let mut at = open;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'<' => closers.push(b'>'),
            b'(' => closers.push(b')'),
            b'[' => closers.push(b']'),
            b'{' => closers.push(b'}'),
            b'=' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            b'>' | b')' | b']' | b'}' if closers.pop() != Some(*byte) => return None,
            b';' if !closers.contains(&b'}') => return None,
            b'"' | b'\'' | b'`' => {
                at += 1 + bytes.get(at + 1..)?.iter().position(|end| end == byte)?
            }
            _ => {}
        }
        at += 1;
        if closers.is_empty() {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::preprocess as preprocess_with_elements;

    fn preprocess(text: &str) -> Option<String> {
        preprocess_with_elements(text, true)
    }

    #[test]
    fn a_signature_ends_what_stands_before_it() {
        let text = "interface Get {\n  (key: string): Found // or not\n\n  // another\n  <const T, U = () => T>(\n    key: Key<T, \">\">\n  ): T\n}\n";
        let shown = text.replace("  <const", " ;<const");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
    }

    #[test]
    fn types_of_a_module_are_exported_as_the_module_is() {
        let text = "export type * from './a'\nexport type * as b from './b'\nexport type { c } from './c'\n";
        let shown = text.replace("type *", "     *");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
    }

    #[test]
    fn using_is_a_name_where_it_declares_nothing() {
        let text = "f(using, a.using, using as B)\nfor (const x of using) {}\nusing\n";
        let shown = text.replace("using", "Using");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        for text in [
            "using file = open()\n",
            "await using file = open()\n",
            "// using, of course\nf() // by using\n/*\n * using.\n */\n",
            "import 'using'\nconst reusing = using_ + using2\n",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }

    #[test]
    fn await_is_a_name_where_nothing_is_waited_for() {
        let text = "f(await, a.await)\nconst g = (await = 1) => await ? 1 : await.length\n";
        let shown = text.replace("await", "Await");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        for text in [
            "await f()\nawait (f)\nfor await (const x of y) {}\nawait [a]\nawait\n  f()\n",
            "// they await, and wait\n/*\n * await.\n */\nf() // await.\n",
            "const awaited = awaits.x\n",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }

    #[test]
    fn accessor_is_a_modifier_before_a_name_and_a_name_elsewhere() {
        let text = "class A {\n  static accessor count = 0\n  accessor #deep = 1\n}\n";
        let shown = text.replace("accessor", "        ");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        let text = "class A { accessor() {} }\nclass B { accessor: number = 1; accessor = 2 }\n";
        let shown = text.replace("accessor", "Accessor");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        let plain = "const accessors = 1 // accessor x\n";
        assert_eq!(preprocess(plain), None);
    }

    #[test]
    fn using_in_a_loop_declares_like_const() {
        let text = "for (using c of d) {}\nfor await (await using c of d) {}\n";
        let shown = "for (const c of d) {}\nfor await (const       c of d) {}\n";
        assert_eq!(preprocess(text).as_deref(), Some(shown));
    }

    #[test]
    fn phases_of_imports_are_left_out() {
        let text =
            "import defer * as a from 'a'\nimport source b from 'b'\nimport source from from 'c'\n";
        let shown = text
            .replace("defer", "     ")
            .replacen("source", "      ", 2);
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        let text = "const a = import.defer('a'), b = await import.source('b')\n";
        let shown = text
            .replace(".defer", "      ")
            .replace(".source", "       ");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        for plain in [
            "import defer from 'a'\nimport source from 'b'\nimport defer, * as c from 'c'\n",
            "const a = defer * b, c = source d from\n",
        ] {
            assert_eq!(preprocess(plain), None);
        }
    }

    #[test]
    fn variance_of_type_parameters_is_left_out() {
        let text =
            "type A<in out T, out U = T> = B\nclass C<\n  const in T extends D,\n  out U,\n> {}\n";
        let shown =
            "type A<       T,     U = T> = B\nclass C<\n  const    T extends D,\n      U,\n> {}\n";
        assert_eq!(preprocess(text).as_deref(), Some(shown));
        for plain in [
            "for (const a in b) {}\nif (a < b, c in d) {}\n",
            "// of <A, in order, and out of, it\nconst e = '<a, in b, c>', f = { in: 1, out: 2 }\n",
            "type G<T> = { out: T }; f<T>(a, out)\n",
        ] {
            assert_eq!(preprocess(plain), None, "{plain}");
        }
    }

    #[test]
    fn an_abstract_default_needs_no_name() {
        let text = "export default abstract class {\n}\n";
        let shown = text.replace("abstract", "        ");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        let plain = "export default abstract class A extends B {}\nabstract class C {}\n";
        assert_eq!(preprocess(plain), None);
    }

    #[test]
    fn types_of_imports_are_names_to_the_grammar() {
        let text = "let a: import('./x').Y<string>, b: import(\"y\").N.Z[]\n";
        let shown = "let a: import___x__.Y<string>, b: import__y__.N.Z[]\n";
        let shown = shown.replace("import___x__", "import____x__");
        assert_eq!(preprocess(text).as_deref(), Some(&*shown));
        for text in [
            "import('./x').then(m => m)\nimport('./x').then<A>(m => m)\n",
            "let q: typeof import('./x').a\nconst m = await import('./x')\n",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        for text in [
            "const less = a\n  < (b)\n",
            "const f = async\n  <T>(x)\n",
            "const f =\n  <T>(x: T): T => x\n",
            "call(a,\n  <T>(x: T): T => x)\n",
            "type F = A |\n  <T>(x: T) => T\n",
            "const x = (\n  <div>(hello)</div>\n)\n",
            "const x = (\n  <div>\n    text\n    <b>bold</b>: more\n  </div>\n)\n",
            "interface A {\n  f(): B;\n  <T>(x: T): T;\n}\n",
            "x\n  <",
            "  <T>(",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
