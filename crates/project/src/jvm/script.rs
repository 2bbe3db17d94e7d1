//! Gradle's build files, as far as they say things literally. They are programs in Groovy or Kotlin,
//! and nothing here runs them.

use crate::read::{Comments, ManifestToken, TokenKind, scan};
use crate::source::{ManifestSource, SpannedText};

/// `settings.gradle`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    pub(crate) name: Option<String>,
    /// Paths of projects: `:app:core`.
    pub(crate) include: Vec<SpannedText>,
    /// `project(':x').projectDir = file('folder')`
    pub(crate) folders: Vec<(String, String)>,
    /// `project(':x').name = 'y'`
    pub(crate) names: Vec<(String, String)>,
    /// Builds that take part.
    pub(crate) builds: Vec<SpannedText>,
}

/// `build.gradle`
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Script {
    pub(crate) group: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) depends: Vec<ScriptDependency>,
    /// Folders and whether they hold tests.
    pub(crate) sources: Vec<(String, bool)>,
}

/// A dependency on a project of the build.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScriptDependency {
    pub(crate) project: SpannedText,
    /// Whether it is written `projects.app.core`.
    pub(crate) accessor: bool,
    pub(crate) test: bool,
}

pub(crate) fn read_settings(source: &mut ManifestSource<'_>) -> Settings {
    let tokens = scan(source.text, Comments::Slashes);
    let mut settings = Settings::default();
    for at in 0..tokens.len() {
        let rest = &tokens[at..];
        match rest[0].name() {
            Some("include") if starts_statement(&tokens, at) => {
                for token in strings(&rest[1..]) {
                    settings.include.extend(word(source, token));
                }
            }
            Some("includeBuild") => {
                let first = strings(&rest[1..]).into_iter().next();
                settings
                    .builds
                    .extend(first.and_then(|token| word(source, token)));
            }
            Some("rootProject") => {
                if let Some([dot, name, equals, value]) = rest.get(1..5)
                    && dot.is('.')
                    && name.name() == Some("name")
                    && equals.is('=')
                {
                    settings.name = value.text().map(str::to_owned);
                }
            }
            Some("project") => match assignment(rest) {
                Some((path, "projectDir", value)) => {
                    let folder = folder(value);
                    settings
                        .folders
                        .extend(folder.map(|folder| (path.to_owned(), folder)));
                }
                Some((path, "name", [value, ..])) => {
                    let name = value.text().filter(|name| !name.contains('$'));
                    settings
                        .names
                        .extend(name.map(|name| (path.to_owned(), name.to_owned())));
                }
                _ => {}
            },
            _ => {}
        }
    }
    settings
}

/// A literal; one with values put into it says nothing.
fn word(source: &ManifestSource<'_>, token: &ManifestToken) -> Option<SpannedText> {
    let text = token.text().filter(|text| !text.contains('$'))?;
    Some(SpannedText {
        text: text.to_owned(),
        at: source.at(token.offset),
    })
}

fn starts_statement(tokens: &[ManifestToken], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    tokens[at].first || before.is_none_or(|token| token.is('{') || token.is(';') || token.is('}'))
}

/// The strings of a call's arguments, with or without parentheses.
fn strings(tokens: &[ManifestToken]) -> Vec<&ManifestToken> {
    let mut found = Vec::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Text(_) => found.push(token),
            TokenKind::Sign('(' | ',' | '[') => {}
            _ => break,
        }
    }
    found
}

/// `project(':x').property = …`: the path, the property and what follows the sign.
fn assignment(tokens: &[ManifestToken]) -> Option<(&str, &str, &[ManifestToken])> {
    let [open, path, close, dot, name, equals] = tokens.get(1..7)? else {
        return None;
    };
    let matches = open.is('(') && close.is(')') && dot.is('.') && equals.is('=');
    let (path, name) = (path.text()?, name.name()?);
    matches.then(|| (path, name, &tokens[7..]))
}

/// The last string of a statement such as `file('folder')` or `new File(rootDir, 'folder')`.
fn folder(value: &[ManifestToken]) -> Option<String> {
    let statement = value.iter().take(16);
    let folder = statement
        .take_while(|token| !token.first && !token.is(';'))
        .filter_map(ManifestToken::text)
        .last()?;
    // `"$rootDir/x"` is the one value that can be known.
    let folder = [
        "$rootDir/",
        "${rootDir}/",
        "$settingsDir/",
        "${settingsDir}/",
    ]
    .iter()
    .find_map(|prefix| folder.strip_prefix(prefix))
    .unwrap_or(folder);
    (!folder.contains('$')).then(|| folder.to_owned())
}

pub(crate) fn read_script(source: &mut ManifestSource<'_>) -> Script {
    let tokens = scan(source.text, Comments::Slashes);
    let mut script = Script::default();
    // Names before the braces that are open.
    let mut blocks: Vec<String> = Vec::new();
    for at in 0..tokens.len() {
        let token = &tokens[at];
        match &token.kind {
            TokenKind::Sign('{') => blocks.push(head(&tokens, at)),
            TokenKind::Sign('}') => {
                blocks.pop();
            }
            TokenKind::Name(name) => name_token(&mut script, source, &tokens, at, name, &blocks),
            _ => {}
        }
    }
    script
}

/// The names on the line before a brace.
fn head(tokens: &[ManifestToken], brace: usize) -> String {
    let mut names = Vec::new();
    for token in tokens[..brace].iter().rev().take(8) {
        match &token.kind {
            TokenKind::Name(name) => names.push(name.clone()),
            TokenKind::Text(text) => names.push(text.clone()),
            TokenKind::Sign('{' | '}' | ';') => break,
            TokenKind::Sign(_) => {}
        }
        if token.first {
            break;
        }
    }
    names.join(" ").to_lowercase()
}

fn name_token(
    script: &mut Script,
    source: &ManifestSource<'_>,
    tokens: &[ManifestToken],
    at: usize,
    name: &str,
    blocks: &[String],
) {
    let rest = &tokens[at + 1..];
    let after_dot = at > 0 && tokens[at - 1].is('.');
    match name {
        "group" | "version" if blocks.is_empty() && starts_statement(tokens, at) => {
            let value = rest.iter().find(|token| !token.is('='));
            let text = value.and_then(ManifestToken::text).map(str::to_owned);
            match name {
                "group" => script.group = text,
                _ => script.version = text,
            }
        }
        "project" if !after_dot => {
            let Some(configuration) = configuration(tokens, at) else {
                return;
            };
            // `project(":x")` or `project(path: ":x", …)`
            let path = rest.iter().take(4).find_map(|token| word(source, token));
            if let Some(project) = path.filter(|_| rest.first().is_some_and(|t| t.is('('))) {
                script.depends.push(ScriptDependency {
                    project,
                    accessor: false,
                    test: is_test(Some(configuration), blocks),
                });
            }
        }
        "projects" if !after_dot && rest.first().is_some_and(|token| token.is('.')) => {
            let test = is_test(configuration(tokens, at), blocks);
            script.depends.push(ScriptDependency {
                project: SpannedText {
                    text: dotted(rest),
                    at: source.at(tokens[at].offset),
                },
                accessor: true,
                test,
            });
        }
        "srcDir" | "srcDirs" | "setSrcDirs" => {
            let line = head(tokens, at);
            let test = is_test(Some(&line), blocks);
            let values = rest
                .iter()
                .take_while(|token| !token.first)
                .filter_map(ManifestToken::text);
            let plain = values.filter(|text| !text.contains('$'));
            script
                .sources
                .extend(plain.map(|text| (text.to_owned(), test)));
        }
        _ => {}
    }
}

/// Whether a configuration, or a block around it, is one of tests.
fn is_test(configuration: Option<&str>, blocks: &[String]) -> bool {
    let own = configuration.is_some_and(|name| name.to_lowercase().contains("test"));
    own || blocks.iter().any(|block| block.contains("test"))
}

/// The configuration before a dependency: `implementation project(…)`, `api(project(…))`.
fn configuration(tokens: &[ManifestToken], at: usize) -> Option<&str> {
    let mut before = at.checked_sub(1)?;
    // `implementation(platform(project(":x")))`
    let mut last = None;
    for _ in 0..4 {
        let token = tokens.get(before)?;
        match &token.kind {
            TokenKind::Name(name) => last = Some(name.as_str()),
            TokenKind::Text(text) => return Some(text),
            TokenKind::Sign('(') => {}
            TokenKind::Sign(_) => break,
        }
        if token.first || before == 0 {
            break;
        }
        before -= 1;
    }
    // A name of its own line is another statement.
    last.filter(|_| !tokens[at].first || tokens[at - 1].is('('))
}

/// `.app.core` as `app.core`.
fn dotted(tokens: &[ManifestToken]) -> String {
    let mut names = Vec::new();
    for pair in tokens.chunks(2) {
        match pair {
            [dot, name] if dot.is('.') && name.name().is_some() => {
                names.extend(name.name());
            }
            _ => break,
        }
    }
    names.join(".")
}
