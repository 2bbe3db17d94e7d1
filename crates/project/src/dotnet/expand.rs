//! Properties and their expansion: `$(Name)`, the paths MSBuild itself knows, and the few functions
//! that find files above. Anything else makes the text uncertain.

use rustc_hash::FxHashMap;

use crate::files::RootFiles;
use crate::manifest::Manifests;
use crate::path::{self, ManifestTarget, ROOT};

/// A property's value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PropertyText {
    pub(super) text: String,
    /// Whether the manifests alone decide it.
    pub(super) certain: bool,
}

impl PropertyText {
    pub(super) fn certain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            certain: true,
        }
    }

    pub(super) fn uncertain() -> Self {
        Self::default()
    }
}

/// Values of this length and above are uncertain: properties that repeat themselves double.
const MAX_LENGTH: usize = 64 * 1024;

/// Functions within functions end here.
const MAX_DEPTH: usize = 8;

/// What the tools set and no manifest does.
const FROM_TOOLS: &[&str] = &[
    "os",
    "targetframeworkversion",
    "targetplatformidentifier",
    "visualstudioversion",
    "vstoolspath",
    "netcoresdkversion",
    "netcoreroot",
    "nugetpackageroot",
    "restoreprojectstyle",
    "designtimebuild",
    "buildinginsidevisualstudio",
    "dotnetbuildfromsource",
    "dotnetbuildsourceonly",
    "continuousintegrationbuild",
    "ci",
    "solutiondir",
    "solutionname",
];

/// Properties by lower-case name.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    values: FxHashMap<String, PropertyText>,
}

impl Properties {
    pub(super) fn set(&mut self, name: &str, value: PropertyText) {
        self.values.insert(name.to_lowercase(), value);
    }

    pub(super) fn get(&self, name: &str) -> Option<&PropertyText> {
        self.values.get(&name.to_lowercase())
    }

    /// A value that is there and not empty.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let text = self.get(name)?.text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// Whether a switch is surely off.
    pub(super) fn is_off(&self, name: &str) -> bool {
        let value = self.get(name);
        value.is_some_and(|v| v.certain && v.text.trim().eq_ignore_ascii_case("false"))
    }
}

/// What a text is expanded with.
pub(super) struct ExpandScope<'a> {
    pub(super) properties: &'a Properties,
    /// The MSBuild file in which the text stands.
    pub(super) file: &'a str,
    pub(super) project: &'a str,
    pub(super) files: &'a RootFiles,
    pub(super) manifests: &'a Manifests,
}

impl ExpandScope<'_> {
    /// The text with everything that can be expanded expanded.
    pub(super) fn expand(&self, text: &str) -> PropertyText {
        self.expand_at(text, 0)
    }

    fn expand_at(&self, text: &str, depth: usize) -> PropertyText {
        if !text.contains("$(") {
            return PropertyText::certain(unescape(text));
        }
        let mut result = PropertyText::certain(String::new());
        let mut rest = text;
        while let Some(start) = rest.find("$(") {
            result.text.push_str(&unescape(&rest[..start]));
            let body = &rest[start + 2..];
            let Some(end) = closing(body) else {
                return PropertyText::uncertain();
            };
            let value = self.property(body[..end].trim(), depth);
            result.certain &= value.certain;
            result.text.push_str(&value.text);
            if result.text.len() > MAX_LENGTH {
                return PropertyText::uncertain();
            }
            rest = &body[end + 1..];
        }
        result.text.push_str(&unescape(rest));
        result
    }

    fn property(&self, name: &str, depth: usize) -> PropertyText {
        let types = ["[MSBuild]::", "[System.IO.Path]::"];
        if let Some(call) = types.iter().find_map(|prefix| name.strip_prefix(prefix)) {
            return self.function(call, depth);
        }
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(plain) {
            return PropertyText::uncertain();
        }
        if let Some(value) = self.properties.get(name) {
            return value.clone();
        }
        let lower = name.to_lowercase();
        if lower == "targetframeworkidentifier" {
            return self.identifier();
        }
        if let Some(rest) = lower.strip_prefix("msbuildthisfile") {
            return part(self.file, rest);
        }
        if let Some(rest) = lower.strip_prefix("msbuildproject") {
            return match part(self.project, rest) {
                // The project's folder comes without a slash at its end.
                value if rest == "directory" => {
                    PropertyText::certain(value.text.trim_end_matches('/'))
                }
                value => value,
            };
        }
        if lower.starts_with("msbuild") || FROM_TOOLS.contains(&lower.as_str()) {
            return PropertyText::uncertain();
        }
        // What nobody sets is empty.
        PropertyText::certain("")
    }

    /// `.NETCoreApp` and its like, which the SDK tells from the framework.
    fn identifier(&self) -> PropertyText {
        let framework = self.properties.get("TargetFramework");
        match framework.map(|value| (value, super::sdk::identifier(value.text.trim()))) {
            Some((value, Some(name))) if value.certain => PropertyText::certain(name),
            _ => PropertyText::uncertain(),
        }
    }

    fn function(&self, call: &str, depth: usize) -> PropertyText {
        let Some((name, rest)) = call.split_once('(') else {
            return PropertyText::uncertain();
        };
        let Some(end) = closing(rest) else {
            return PropertyText::uncertain();
        };
        if depth >= MAX_DEPTH || !rest[end + 1..].trim().is_empty() {
            return PropertyText::uncertain();
        }
        let arguments: Vec<PropertyText> = arguments(&rest[..end])
            .into_iter()
            .map(|argument| self.expand_at(argument, depth + 1))
            .collect();
        if arguments.iter().any(|argument| !argument.certain) {
            return PropertyText::uncertain();
        }
        let argument = |at: usize| arguments.get(at).map_or("", |a| a.text.as_str());
        match name.trim().to_lowercase().as_str() {
            "getpathoffileabove" => {
                let start = match argument(1) {
                    "" => path::folder(self.file).to_owned(),
                    text => self.folder(text),
                };
                self.above(&start, argument(0))
                    .map_or(PropertyText::certain(""), |path| rooted(&path))
            }
            "getdirectorynameoffileabove" => {
                let found = self.above(&self.folder(argument(0)), argument(1));
                found.map_or(PropertyText::certain(""), |path| {
                    rooted(path::folder(&path))
                })
            }
            "combine" => PropertyText::certain(combined(&arguments)),
            function @ ("normalizepath"
            | "normalizedirectory"
            | "ensuretrailingslash"
            | "getfullpath") => self.full_path(function, &combined(&arguments)),
            _ => PropertyText::uncertain(),
        }
    }

    /// A path from the root; of the functions some end it with a slash, and one keeps it.
    fn full_path(&self, function: &str, text: &str) -> PropertyText {
        let slash = match function {
            "normalizepath" => "",
            "getfullpath" if !text.ends_with(['/', '\\']) => "",
            _ => "/",
        };
        match path::resolve(path::folder(self.project), text) {
            ManifestTarget::Inside(path) => rooted(&(path + slash)),
            ManifestTarget::External { .. } => PropertyText::uncertain(),
        }
    }

    /// A folder given as text; outside the root nothing is found, so the root will do.
    fn folder(&self, text: &str) -> String {
        match path::resolve(path::folder(self.file), text) {
            ManifestTarget::Inside(path) => path,
            ManifestTarget::External { .. } => String::new(),
        }
    }

    /// The nearest file of that name in a folder or above it.
    pub(super) fn above(&self, folder: &str, name: &str) -> Option<String> {
        path::upward(folder).find_map(|at| {
            let candidate = path::join(at, name);
            if self.manifests.get(&candidate).is_some() {
                return Some(candidate);
            }
            self.files.find(&candidate).map(str::to_owned)
        })
    }
}

/// Paths one after the other; one from the root begins anew.
fn combined(parts: &[PropertyText]) -> String {
    let mut result = String::new();
    for part in parts.iter().map(|part| part.text.as_str()) {
        if part.starts_with([ROOT, '/', '\\']) {
            result.clear();
        } else if !result.is_empty() && !result.ends_with(['/', '\\']) {
            result.push('/');
        }
        result.push_str(part);
    }
    result
}

fn rooted(path: &str) -> PropertyText {
    PropertyText::certain(format!("{ROOT}/{path}"))
}

/// A part of a file's path, by the end of the property's name.
fn part(file: &str, which: &str) -> PropertyText {
    let name = path::file_name(file);
    PropertyText::certain(match which {
        "" | "file" => name.to_owned(),
        "name" => path::stem(file).to_owned(),
        "extension" => format!(".{}", path::extension(file)),
        "fullpath" => format!("{ROOT}/{file}"),
        "directory" => format!("{ROOT}/{}/", path::folder(file)),
        _ => return PropertyText::uncertain(),
    })
}

/// Where the parenthesis that is already open is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    let mut quoted = false;
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Arguments between commas outside of parentheses, without quotes.
fn arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
        .into_iter()
        .map(|part| part.trim().trim_matches(['\'', '"', '`']))
        .collect()
}

/// `%2A` and its like; control characters have no place in a path.
fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        result.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3);
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if byte.is_ascii() => {
                result.push(byte as char);
                rest = &rest[at + 3..];
            }
            _ => {
                result.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    result.push_str(rest);
    result.retain(|character| character != ROOT);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dotnet::condition::MsbuildCondition;
    use crate::dotnet::holds::holds as holds_in;

    fn with_scope<R>(ask: impl FnOnce(&ExpandScope<'_>) -> R) -> R {
        let files = RootFiles::new(["Directory.Build.props", "src/Directory.Build.props"]);
        let manifests = Manifests::new();
        let mut properties = Properties::default();
        properties.set("TargetFramework", PropertyText::certain("net8.0"));
        properties.set("Maybe", PropertyText::uncertain());
        properties.set("Flag", PropertyText::certain("True"));
        ask(&ExpandScope {
            properties: &properties,
            file: "src/Directory.Build.props",
            project: "src/a/A.csproj",
            files: &files,
            manifests: &manifests,
        })
    }

    #[test]
    fn texts_are_expanded_as_far_as_they_are_certain() {
        let expand = |text| with_scope(|scope| scope.expand(text));
        for (text, expected) in [
            ("a$(targetframework)b", "anet8.0b"),
            ("$(Nobody)x", "x"),
            ("$(MSBuildProjectName)", "A"),
            ("$(MSBuildProjectDirectory)", "\u{1}/src/a"),
            ("$(MSBuildThisFileDirectory)..", "\u{1}/src/.."),
            (
                "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))",
                "\u{1}/Directory.Build.props",
            ),
            (
                "$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildThisFileDirectory).., Directory.Build.props))/x",
                "\u{1}//x",
            ),
            (
                "$([System.IO.Path]::GetFullPath('$(MSBuildThisFileDirectory)../'))x",
                "\u{1}//x",
            ),
            (
                "$([System.IO.Path]::Combine($(MSBuildThisFileDirectory), 'b', 'C.cs'))",
                "\u{1}/src/b/C.cs",
            ),
            (
                "$([System.IO.Path]::Combine('..', 'x.props'))",
                "../x.props",
            ),
            (
                "$([MSBuild]::NormalizeDirectory('ignored', '$(MSBuildProjectDirectory)', '..'))",
                "\u{1}/src/",
            ),
            ("$(TargetFrameworkIdentifier)", ".NETCoreApp"),
            ("a%2A", "a*"),
        ] {
            assert_eq!(expand(text), PropertyText::certain(expected), "{text}");
        }
        for text in [
            "$(Maybe)",
            "$(Nobody.Replace('a', 'b'))",
            "$(x",
            "$([X]::Y())",
            "$(OS)",
        ] {
            assert!(!expand(text).certain, "{text}");
        }
    }

    #[test]
    fn conditions_hold_or_not_or_nobody_knows() {
        let holds = |text| with_scope(|scope| holds_in(&MsbuildCondition::parse(text), scope));
        for (text, expected) in [
            ("'$(TargetFramework)' == 'net8.0'", Some(true)),
            (" '$(TargetFramework)'=='NET8.0' ", Some(true)),
            ("'$(TargetFramework)' != 'net8.0'", Some(false)),
            ("$(TargetFramework) == net8.0", Some(true)),
            ("'$(Nobody)' == ''", Some(true)),
            ("'$(Maybe)' == ''", None),
            ("'$(Maybe)' == '' And 'a' == 'b'", Some(false)),
            ("'$(Maybe)' == '' Or 'a' == 'a'", Some(true)),
            ("'a' == 'b' or 'a' == 'a' and 'b' == 'c'", Some(false)),
            ("('a' == 'b' or 'a' == 'a') and 'b' == 'b'", Some(true)),
            ("!('a' == 'b')", Some(true)),
            ("Exists('x')", None),
            ("'@(Compile)' == ''", None),
            ("!Exists('x') and 'a' == 'b'", Some(false)),
            ("$(Flag)", Some(true)),
            ("'8.0' >= '8'", Some(true)),
            ("'10.0' > '9.0'", Some(true)),
            ("'x' > '9.0'", None),
            ("'a' ==", None),
            ("", None),
            (")(", None),
        ] {
            assert_eq!(holds(text), expected, "{text}");
        }
        assert_eq!(holds(&"!".repeat(100_000)), None);
    }
}
