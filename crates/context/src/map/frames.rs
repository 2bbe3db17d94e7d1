//! Places of files in a text that somebody pastes: stack traces, messages of compilers, links to lines.

use codecortex_syntax::language_of_path;

/// Places that are read of a text.
const MAX: usize = 64;

/// A place with the function that the frame names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StackFrame<'t> {
    /// The path as it is written, with `/`: of another machine, of a build, an address.
    pub(super) path: String,
    /// Line, from 1.
    pub(super) line: u32,
    /// The function that is running there, without what it is in.
    pub(super) function: Option<&'t str>,
    /// The names around the function, outermost first.
    pub(super) around: Vec<&'t str>,
}

/// The places of a text, of a stack trace the innermost first.
pub(super) fn frames(text: &str) -> Vec<StackFrame<'_>> {
    let mut frames: Vec<StackFrame<'_>> = Vec::new();
    let mut last_first = 0usize;
    let mut before = "";
    for line in text.lines() {
        if let Some(frame) = of_python(line) {
            last_first += 1;
            frames.push(frame);
        } else {
            frames.extend(places_in(line).map(|(path, number, at)| {
                let named = named_in(&line[..at]).or_else(|| named_before(before));
                frame(path, number, named)
            }));
        }
        before = line;
        if frames.len() >= MAX {
            break;
        }
    }
    // Python writes the innermost call last.
    if last_first * 2 > frames.len() {
        frames.reverse();
    }
    frames
}

fn frame<'t>(path: &str, line: u32, named: Option<&'t str>) -> StackFrame<'t> {
    let is_sign = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
    let mut names = named
        .unwrap_or_default()
        .split(is_sign)
        .filter(|name| !name.is_empty() && !is_noise(name));
    let mut around: Vec<&str> = names.by_ref().collect();
    StackFrame {
        path: path.replace('\\', "/"),
        line,
        function: around.pop(),
        around,
    }
}

/// Parts of names that compilers add: of closures, of constructors, hashes.
fn is_noise(name: &str) -> bool {
    let is_numbered = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_hash = name.len() == 17
        && name.starts_with('h')
        && name[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
    is_numbered("func")
        || is_hash
        || name.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(
            name,
            "async" | "new" | "closure" | "init" | "anonymous" | "lambda"
        )
}

/// `  File "/app/shop.py", line 12, in open`.
fn of_python(line: &str) -> Option<StackFrame<'_>> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (path, rest) = rest.split_once("\", line ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let named = rest[digits..].strip_prefix(", in ");
    language_of_path(path)?;
    Some(frame(path, number, named))
}

/// Paths of source files with a line behind them, each with where it begins.
fn places_in(line: &str) -> impl Iterator<Item = (&str, u32, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some((at, sign)) = next_sign(line, from) {
            from = at + sign.len();
            let digits = line[from..].bytes().take_while(u8::is_ascii_digit).count();
            let Ok(number) = line[from..from + digits].parse::<u32>() else {
                continue;
            };
            let start = line[..at]
                .rfind(|c: char| {
                    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | '[' | '<' | '=')
                })
                .map_or(0, |before| {
                    before + line[before..].chars().next().map_or(1, char::len_utf8)
                });
            let path = &line[start..at];
            if number > 0 && path.len() < 4096 && language_of_path(path).is_some() {
                return Some((path, number, start));
            }
        }
        None
    })
}

/// The next sign that a number of a line can stand behind.
fn next_sign(line: &str, from: usize) -> Option<(usize, &'static str)> {
    const SIGNS: [&str; 5] = [":line ", "#L", "#l", ":", "("];
    let rest = line.get(from..)?;
    let (at, sign) = rest.char_indices().find_map(|(at, _)| {
        let sign = SIGNS.into_iter().find(|sign| {
            let behind = rest[at..].strip_prefix(sign);
            behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
        });
        sign.map(|sign| (at, sign))
    })?;
    Some((from + at, sign))
}

/// The function that a line names before the place: `at com.acme.Shop.open(`, `at open (`, `at Shop.Open(Int32 n) in `.
fn named_in(before: &str) -> Option<&str> {
    let rest = before.trim_start();
    let rest = rest.strip_prefix("at ").or_else(|| {
        let (number, rest) = rest.strip_prefix('#')?.split_once(' ')?;
        let rest = rest.split_once(" in ").map_or(rest, |(_, rest)| rest);
        number.parse::<u32>().is_ok().then_some(rest)
    })?;
    let name = rest
        .split(['(', ' '])
        .find(|word| !word.is_empty() && !matches!(*word, "async" | "new"))?;
    let is_name = name.chars().any(char::is_alphabetic) && !name.contains('/');
    is_name.then_some(name)
}

/// The function that the line above names: `github.com/a/shop.(*Cart).Open(0xc000, …)`, `   3: shop::cart::open`.
fn named_before(line: &str) -> Option<&str> {
    let line = line.trim();
    let numbered = line
        .split_once(": ")
        .filter(|(number, _)| number.parse::<u32>().is_ok());
    if let Some((_, name)) = numbered {
        return Some(name);
    }
    let (name, _) = line.strip_suffix(')')?.rsplit_once('(')?;
    let last = name.rsplit('/').next()?;
    (!last.is_empty() && !last.contains(' ')).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, u32, Option<&str>)> {
        let frames = frames(text).into_iter();
        frames
            .map(|frame| (frame.path, frame.line, frame.function))
            .collect()
    }

    fn is(text: &str, expected: &[(&str, u32, Option<&str>)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(path, line, name)| ((*path).to_owned(), *line, *name))
            .collect();
        assert_eq!(read(text), expected, "{text}");
    }

    #[test]
    fn traces_of_every_language_are_read_the_innermost_first() {
        is(
            "panic: no cart\n\ngoroutine 1 [running]:\ngithub.com/acme/shop.(*Cart).Open(0xc000010, 0x1)\n\t/srv/shop/cart.go:12 +0x1d\nmain.main.func1()\n\t/srv/shop/cmd/main.go:5 +0x20\n",
            &[
                ("/srv/shop/cart.go", 12, Some("Open")),
                ("/srv/shop/cmd/main.go", 5, Some("main")),
            ],
        );
        is(
            "Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    main()\n  File \"/app/shop/cart.py\", line 12, in open_cart\n    raise KeyError(1)\nKeyError: 1\n",
            &[
                ("/app/shop/cart.py", 12, Some("open_cart")),
                ("/app/run.py", 3, Some("module")),
            ],
        );
        is(
            "java.lang.IllegalStateException: no cart\n\tat com.acme.shop.Cart.open(Cart.java:12)\n\tat com.acme.Main.<init>(Main.java:5)\n",
            &[
                ("Cart.java", 12, Some("open")),
                ("Main.java", 5, Some("Main")),
            ],
        );
        is(
            "TypeError: no cart\n    at Cart.open (/srv/app/src/cart.js:12:7)\n    at async main (file:///srv/app/src/main.mjs:5:3)\n    at /srv/app/src/boot.js:2:1\n",
            &[
                ("/srv/app/src/cart.js", 12, Some("open")),
                ("file:///srv/app/src/main.mjs", 5, Some("main")),
                ("/srv/app/src/boot.js", 2, None),
            ],
        );
        is(
            "thread 'main' panicked at src/cart.rs:12:5:\nno cart\nstack backtrace:\n   0: rust_begin_unwind\n   1: shop::cart::open::h0123456789abcdef\n             at ./src/cart.rs:12:5\n",
            &[
                ("src/cart.rs", 12, None),
                ("./src/cart.rs", 12, Some("open")),
            ],
        );
        is(
            "System.InvalidOperationException: no cart\n   at Acme.Shop.Cart.Open(Int32 id) in C:\\src\\Shop\\Cart.cs:line 12\n",
            &[("C:/src/Shop/Cart.cs", 12, Some("Open"))],
        );
    }

    #[test]
    fn links_and_messages_of_compilers_are_places() {
        is(
            "see https://github.com/acme/shop/blob/main/src/cart.go#L86-L90",
            &[(
                "https://github.com/acme/shop/blob/main/src/cart.go",
                86,
                None,
            )],
        );
        is(
            "src/cart.ts(12,7): error TS2322: no",
            &[("src/cart.ts", 12, None)],
        );
        is(
            "src/cart.rs:12:7 and lib/a.py:3",
            &[("src/cart.rs", 12, None), ("lib/a.py", 3, None)],
        );
        for text in [
            "at 12:30 we met",
            "f(3)",
            "http://host:80/",
            "url_for(3)",
            "a.b:c",
            "größe(1) ü:2",
        ] {
            assert!(read(text).is_empty(), "{text}: {:?}", read(text));
        }
    }
}
