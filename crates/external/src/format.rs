//! Which formats there are, told by a file's name.

/// The format of a file that describes declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DescriptionFormat {
    /// Types of an engine as JSON, as its script plugin gives them to debuggers: chunks by names of types.
    DebugDatabase,
    /// A header of a documentation dump, one for each type.
    DocHeader,
    /// What a cook of a game leaves for its scripts: signatures without bases and documentation.
    BindsCache,
    /// Which header each engine type is declared in.
    BindsHeaders,
    /// Documentation that a C# compiler writes beside an assembly: members by their ids.
    XmlDocumentation,
    /// Source of a language that has declarations alone, or is read as such.
    Source,
}

/// The format of a file by its name; `None` where it is of none that is known.
#[must_use]
pub fn format_of(path: &str) -> Option<DescriptionFormat> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    match name.as_str() {
        "binds.cache" => return Some(DescriptionFormat::BindsCache),
        "binds.cache.headers" => return Some(DescriptionFormat::BindsHeaders),
        "as.predefined" => return Some(DescriptionFormat::Source),
        _ => {}
    }
    match name.rsplit_once('.')?.1 {
        "json" => Some(DescriptionFormat::DebugDatabase),
        "hpp" => Some(DescriptionFormat::DocHeader),
        "xml" => Some(DescriptionFormat::XmlDocumentation),
        "as" | "ts" | "mts" | "cts" | "pyi" | "py" => Some(DescriptionFormat::Source),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats() {
        let cases = [
            ("/g/Script/Binds.Cache", Some(DescriptionFormat::BindsCache)),
            ("Binds.Cache.Headers", Some(DescriptionFormat::BindsHeaders)),
            ("x/as.predefined", Some(DescriptionFormat::Source)),
            (
                "x/unreal-cache.json",
                Some(DescriptionFormat::DebugDatabase),
            ),
            ("Docs/ALamp.HPP", Some(DescriptionFormat::DocHeader)),
            ("node_modules/a/index.d.ts", Some(DescriptionFormat::Source)),
            ("a/__init__.pyi", Some(DescriptionFormat::Source)),
            (
                "bin/Shop.Core.xml",
                Some(DescriptionFormat::XmlDocumentation),
            ),
            ("readme.md", None),
            ("json", None),
        ];
        for (path, format) in cases {
            assert_eq!(format_of(path), format, "{path}");
        }
    }
}
