//! The table of languages: names, file extensions, grammars, specs (SPEC D2).
//!
//! Adding a language means adding a row to [`LANGUAGES`] and a `languages/<name>.toml`.

use serde::{Deserialize, Serialize};

use crate::parse_tables;

/// A programming language the core knows.
///
/// The discriminants are stored in caches; append, never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Language {
    /// C#.
    CSharp = 0,
    /// TypeScript without JSX.
    TypeScript = 1,
    /// TypeScript with JSX.
    Tsx = 2,
    /// JavaScript, with or without JSX.
    JavaScript = 3,
    /// Python and its stub files.
    Python = 4,
    /// Rust.
    Rust = 5,
    /// Go.
    Go = 6,
    /// Java.
    Java = 7,
    /// C.
    C = 8,
    /// C++.
    Cpp = 9,
    /// Ruby.
    Ruby = 10,
    /// PHP, with or without HTML around it.
    Php = 11,
    /// Kotlin.
    Kotlin = 12,
    /// Swift.
    Swift = 13,
    /// Scala 2 and 3.
    Scala = 14,
    /// Lua.
    Lua = 15,
    /// Bash and what other shells have in common with it.
    Bash = 16,
    /// Dart.
    Dart = 17,
    /// Elixir.
    Elixir = 18,
    /// Zig.
    Zig = 19,
    /// AngelScript, in the dialect of Unreal Engine's script plugin.
    AngelScript = 20,
}

/// What is known about one language; a row of [`LANGUAGES`].
pub struct LanguageInfo {
    /// The row's language.
    pub language: Language,
    /// VS Code's language id, also the name in tool answers.
    pub id: &'static str,
    /// File name endings without the dot, lower case.
    pub extensions: &'static [&'static str],
    /// Whole names of files that have another ending or none.
    pub file_names: &'static [&'static str],
    /// Interpreters that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// What a symbol path writes between a namespace and what is in it.
    pub namespace_separator: &'static str,
    /// What a symbol path writes between a type and a type nested in it.
    pub nested_separator: &'static str,
    /// What a symbol path writes between a type and its member.
    pub member_separator: &'static str,
    /// The walk's rules, see `spec.rs`.
    pub(crate) spec: &'static str,
}

macro_rules! row {
    ($language:ident, $id:literal, [$($ext:literal),*], [$($sh:literal),*], $ns:literal $nested:literal $member:literal, $spec:literal $(, [$($name:literal),*])?) => {
        LanguageInfo {
            language: Language::$language,
            id: $id,
            extensions: &[$($ext),*],
            file_names: &[$($($name),*)?],
            interpreters: &[$($sh),*],
            namespace_separator: $ns,
            nested_separator: $nested,
            member_separator: $member,
            spec: include_str!(concat!("../languages/", $spec, ".toml")),
        }
    };
}

/// Every language, indexed by discriminant. `.h` is listed under C; [`detect`] decides by content.
pub static LANGUAGES: [LanguageInfo; 21] = [
    row!(CSharp, "csharp", ["cs", "csx"], [], "." "+" ".", "csharp"),
    row!(TypeScript, "typescript", ["ts", "mts", "cts"], ["ts-node", "tsx", "deno", "bun"], "/" "." ".", "typescript"),
    row!(Tsx, "typescriptreact", ["tsx"], [], "/" "." ".", "typescript"),
    row!(JavaScript, "javascript", ["js", "mjs", "cjs", "jsx"], ["node"], "/" "." ".", "javascript"),
    row!(Python, "python", ["py", "pyi", "pyw"], ["python", "python2", "python3"], "." "." ".", "python"),
    row!(Rust, "rust", ["rs"], ["rust-script"], "::" "::" "::", "rust"),
    row!(Go, "go", ["go"], [], "." "." ".", "go"),
    row!(Java, "java", ["java"], [], "." "." ".", "java"),
    row!(C, "c", ["c", "h"], [], "::" "::" "::", "c"),
    row!(Cpp, "cpp", ["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "txx", "cppm", "ixx"], [], "::" "::" "::", "cpp"),
    row!(Ruby, "ruby", ["rb", "rbw", "rake", "gemspec", "ru", "podspec", "thor", "jbuilder"], ["ruby", "jruby", "rake"], "::" "::" "#", "ruby",
        ["Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Thorfile", "Dangerfile"]),
    row!(Php, "php", ["php", "phtml", "php3", "php4", "php5", "php7", "phpt"], ["php"], "\\" "\\" "::", "php"),
    row!(Kotlin, "kotlin", ["kt", "kts"], ["kotlin"], "." "." ".", "kotlin"),
    row!(Swift, "swift", ["swift"], ["swift"], "." "." ".", "swift"),
    row!(Scala, "scala", ["scala", "sc", "sbt"], ["scala", "scala-cli", "amm"], "." "." ".", "scala"),
    row!(Lua, "lua", ["lua", "rockspec", "nse"], ["lua", "luajit", "texlua"], "." "." ".", "lua", [".luacheckrc"]),
    row!(Bash, "shellscript", ["sh", "bash", "zsh", "ksh", "bats"], ["sh", "bash", "zsh", "dash", "ksh", "ash", "bats"], "/" "." ".", "bash",
        [".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", "PKGBUILD", "APKBUILD"]),
    row!(Dart, "dart", ["dart"], ["dart"], "/" "." ".", "dart"),
    row!(Elixir, "elixir", ["ex", "exs"], ["elixir"], "." "." ".", "elixir"),
    row!(Zig, "zig", ["zig"], [], "." "." ".", "zig"),
    row!(AngelScript, "angelscript", ["as"], [], "::" "::" "::", "angelscript", ["as.predefined"]),
];

impl Language {
    /// The table row of this language.
    #[must_use]
    pub fn info(self) -> &'static LanguageInfo {
        &LANGUAGES[self as usize]
    }

    /// The language that stands for all of those whose files can declare one type together.
    #[must_use]
    pub fn family(self) -> Self {
        match self {
            Self::C => Self::Cpp,
            Self::Tsx | Self::JavaScript => Self::TypeScript,
            other => other,
        }
    }

    /// The language that stands for all of those that call each other's declarations by their own names: those of the JVM, those
    /// that read headers of C, and the script language of what is written in C++.
    #[must_use]
    pub fn platform(self) -> Self {
        match self {
            Self::Kotlin | Self::Scala => Self::Java,
            Self::Swift | Self::Zig | Self::AngelScript => Self::Cpp,
            other => other.family(),
        }
    }

    /// The grammar, or `None` where this build left it out.
    #[must_use]
    pub fn grammar(self) -> Option<tree_sitter::Language> {
        #[cfg(feature = "hanging")]
        if let Some(stand_in) = crate::stand_in::grammar_of(self) {
            return Some(stand_in);
        }
        parse_tables::with_tables(self, self.linked_grammar()?)
    }

    /// The grammar as it was linked; in the module for WebAssembly its large tables are not in memory.
    fn linked_grammar(self) -> Option<tree_sitter::Language> {
        Some(match self {
            #[cfg(feature = "c-sharp")]
            Self::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
            #[cfg(feature = "typescript")]
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            #[cfg(feature = "typescript")]
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Python => crate::scanner::python(),
            #[cfg(feature = "rust")]
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::C => tree_sitter_c::LANGUAGE.into(),
            #[cfg(feature = "cpp")]
            Self::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            #[cfg(feature = "ruby")]
            Self::Ruby => crate::scanner::ruby(),
            #[cfg(feature = "php")]
            Self::Php => tree_sitter_php::LANGUAGE_PHP.into(),
            #[cfg(feature = "kotlin")]
            Self::Kotlin => crate::kotlin_scanner::grammar(),
            #[cfg(feature = "swift")]
            Self::Swift => tree_sitter_swift::LANGUAGE.into(),
            #[cfg(feature = "scala")]
            Self::Scala => tree_sitter_scala::LANGUAGE.into(),
            Self::AngelScript => tree_sitter_angelscript::LANGUAGE.into(),
            Self::Lua => tree_sitter_lua::LANGUAGE.into(),
            #[cfg(feature = "bash")]
            Self::Bash => tree_sitter_bash::LANGUAGE.into(),
            #[cfg(feature = "dart")]
            Self::Dart => tree_sitter_dart::LANGUAGE.into(),
            #[cfg(feature = "elixir")]
            Self::Elixir => tree_sitter_elixir::LANGUAGE.into(),
            #[cfg(feature = "zig")]
            Self::Zig => tree_sitter_zig::LANGUAGE.into(),
            #[allow(
                unreachable_patterns,
                reason = "reachable when a grammar's feature is off"
            )]
            _ => return None,
        })
    }
}

/// The language that a path's ending names, before its content was seen.
#[must_use]
pub fn language_of_path(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let by_name = LANGUAGES.iter().find(|row| row.file_names.contains(&name));
    if let Some(row) = by_name {
        return Some(row.language);
    }
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|row| row.extensions.contains(&extension.as_str()))
        .map(|row| row.language)
}

/// The language of a file by its ending, its `#!` line, and for `.h` its content.
#[must_use]
pub fn detect(path: &str, text: &str) -> Option<Language> {
    let named = language_of_path(path);
    match named {
        Some(Language::C) if path.ends_with(".h") && looks_like_cpp(text) => Some(Language::Cpp),
        Some(language) => Some(language),
        None => language_of_shebang(text),
    }
}

/// Whether a text with AngelScript's ending is ActionScript: every file of that declares its package on a line of its
/// own, no file of AngelScript has such a line.
#[must_use]
pub(crate) fn is_action_script(text: &str) -> bool {
    text.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("package");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '{']))
    })
}

/// Whether a file without a known ending may still be a script: it has no ending at all.
#[must_use]
pub fn may_be_script(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains('.')
}

fn language_of_shebang(text: &str) -> Option<Language> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    line.split(['/', ' ', '\t'])
        .filter(|word| !word.is_empty())
        .find_map(|word| {
            let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            LANGUAGES
                .iter()
                .find(|row| row.interpreters.contains(&word))
                .map(|row| row.language)
        })
}

/// Headers do not say whether they are C or C++; words that only C++ has do.
fn looks_like_cpp(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        [
            "class ",
            "namespace ",
            "template<",
            "template <",
            "public:",
            "private:",
            "protected:",
            "using ",
            "constexpr ",
            "enum class ",
            "enum struct ",
            "UCLASS(",
            "USTRUCT(",
            "UENUM(",
            "UINTERFACE(",
        ]
        .iter()
        .any(|word| line.starts_with(word))
            || !line.starts_with(['/', '*', '#'])
                && (line.contains("::")
                    || line.starts_with("virtual ")
                    || has_default_argument(line))
    })
}

/// `int open(const char* path, bool create = true);`: a type, a name and `=` among parameters. What a loop of C
/// declares stands there as well.
fn has_default_argument(line: &str) -> bool {
    const LOOPS: [&str; 4] = ["for", "if", "while", "switch"];
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let Some((head, list)) = line.split_once('(') else {
        return false;
    };
    let name = head.trim_end().rsplit(|letter| !is_of_name(letter)).next();
    let is_prototype = name.is_some_and(|name| !name.is_empty() && !LOOPS.contains(&name))
        && head.trim().contains([' ', '*', '&'])
        && !head.contains(['=', '(', '"']);
    let declares = |parameter: &str| {
        let Some((declared, value)) = parameter.split_once('=') else {
            return false;
        };
        let ty = declared.trim_end().trim_end_matches(is_of_name);
        let has_name = ty.len() < declared.trim_end().len();
        let is_type = |part: char| is_of_name(part) || matches!(part, ' ' | '*' | '&' | '<' | '>');
        has_name
            && !value.starts_with('=')
            && ty
                .trim_start()
                .starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && ty.chars().all(is_type)
    };
    is_prototype && list.split(',').any(declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_arguments_are_those_of_cpp() {
        for text in [
            "int open(const char* path, bool create = true, int mode = 0);",
            "  void set(Value* of = 0);",
        ] {
            assert!(looks_like_cpp(text), "{text}");
        }
        for text in [
            "static inline int f(int a) { for (int i = 0; i < a; i++) {} return a; }",
            "int a = f(b = 1);",
            "#define SET(a) (a = 1)",
            "  else if (size = next(b)) {",
            "return f(a == b, c);",
            "FOREACH(int i = 0, n) {",
        ] {
            assert!(!looks_like_cpp(text), "{text}");
        }
    }

    #[test]
    fn action_script_is_told_by_its_package() {
        for text in [
            "// A licence.\npackage starling.core\n{\n}\n",
            "package\n{",
            "\u{feff}package {}",
        ] {
            assert!(
                is_action_script(text.trim_start_matches('\u{feff}')),
                "{text}"
            );
        }
        for text in [
            "class AActor {}\n",
            "int packages = 1;\n",
            "packaged();\n",
            "",
        ] {
            assert!(!is_action_script(text), "{text}");
        }
    }
}
