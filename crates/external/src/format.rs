//! Which formats there are, told by a file's name.

/// The format of a file that describes declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
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
pub fn format_of(path: &str) -> Option<Format> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    match name.as_str() {
        "binds.cache" => return Some(Format::BindsCache),
        "binds.cache.headers" => return Some(Format::BindsHeaders),
        "as.predefined" => return Some(Format::Source),
        _ => {}
    }
    match name.rsplit_once('.')?.1 {
        "json" => Some(Format::DebugDatabase),
        "hpp" => Some(Format::DocHeader),
        "xml" => Some(Format::XmlDocumentation),
        "as" | "ts" | "mts" | "cts" | "pyi" | "py" => Some(Format::Source),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats() {
        let cases = [
            ("/g/Script/Binds.Cache", Some(Format::BindsCache)),
            ("Binds.Cache.Headers", Some(Format::BindsHeaders)),
            ("x/as.predefined", Some(Format::Source)),
            ("x/unreal-cache.json", Some(Format::DebugDatabase)),
            ("Docs/ALamp.HPP", Some(Format::DocHeader)),
            ("node_modules/a/index.d.ts", Some(Format::Source)),
            ("a/__init__.pyi", Some(Format::Source)),
            ("bin/Shop.Core.xml", Some(Format::XmlDocumentation)),
            ("readme.md", None),
            ("json", None),
        ];
        for (path, format) in cases {
            assert_eq!(format_of(path), format, "{path}");
        }
    }
}
