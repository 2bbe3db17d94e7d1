//! What the .NET SDKs add of themselves.

/// Usings of every SDK, for all frameworks (`System.Net.Http` is no part of the .NET Framework's
/// own references).
const BASE: &[&str] = &[
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
];

const HOSTING: &[&str] = &[
    "Microsoft.Extensions.Configuration",
    "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting",
    "Microsoft.Extensions.Logging",
];

const WEB: &[&str] = &[
    "System.Net.Http.Json",
    "Microsoft.AspNetCore.Builder",
    "Microsoft.AspNetCore.Hosting",
    "Microsoft.AspNetCore.Http",
    "Microsoft.AspNetCore.Routing",
];

const FORMS: &[&str] = &["System.Drawing", "System.Windows.Forms"];

/// Usings that WPF takes away again: they clash with its own types.
const NOT_WPF: &[&str] = &["System.IO", "System.Net.Http"];

/// What decides about implicit usings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Switches<'a> {
    pub(super) sdk: &'a str,
    pub(super) framework: &'a str,
    pub(super) forms: bool,
    pub(super) wpf: bool,
}

/// The namespaces of `ImplicitUsings`.
pub(super) fn implicit_usings(switches: Switches<'_>) -> Vec<&'static str> {
    let names: Vec<&str> = switches.sdk.split(';').map(sdk_name).collect();
    let has = |name: &str| names.iter().any(|sdk| sdk.eq_ignore_ascii_case(name));
    let mut usings = BASE.to_vec();
    if has("Microsoft.NET.Sdk.Web") {
        usings.extend(WEB);
    }
    if has("Microsoft.NET.Sdk.Web") || has("Microsoft.NET.Sdk.Worker") {
        usings.extend(HOSTING);
    }
    if switches.forms {
        usings.extend(FORMS);
    }
    let framework = is_framework(switches.framework);
    usings.retain(|name| {
        let not_referenced = framework && *name == "System.Net.Http";
        let clashes = switches.wpf && NOT_WPF.contains(name);
        !not_referenced && !clashes
    });
    usings
}

/// A name without its version.
fn sdk_name(sdk: &str) -> &str {
    sdk.split('/').next().unwrap_or(sdk).trim()
}

/// Whether it is the .NET Framework: `net472`, `net48`.
fn is_framework(framework: &str) -> bool {
    let digits = framework.strip_prefix("net").unwrap_or("");
    !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `TargetFrameworkIdentifier` of a framework's name.
pub(super) fn identifier(framework: &str) -> Option<&'static str> {
    if is_framework(framework) {
        return Some(".NETFramework");
    }
    if framework.starts_with("netstandard") {
        return Some(".NETStandard");
    }
    framework.starts_with("net").then_some(".NETCoreApp")
}

const NETCOREAPP: &[&str] = &["1_0", "1_1", "2_0", "2_1", "2_2", "3_0", "3_1"];
const NETSTANDARD: &[&str] = &[
    "1_0", "1_1", "1_2", "1_3", "1_4", "1_5", "1_6", "2_0", "2_1",
];
const NETFRAMEWORK: &[&str] = &[
    "20", "35", "40", "45", "451", "452", "46", "461", "462", "47", "471", "472", "48", "481",
];

/// Preprocessor symbols that a framework defines.
pub(super) fn framework_symbols(framework: &str) -> Vec<String> {
    let (name, platform) = framework.split_once('-').unwrap_or((framework, ""));
    let mut symbols = Vec::new();
    if is_framework(name) {
        series(
            &mut symbols,
            "NETFRAMEWORK",
            "NET",
            NETFRAMEWORK,
            &name[3..],
        );
    } else if let Some(version) = name.strip_prefix("netstandard") {
        let version = version.replace('.', "_");
        series(
            &mut symbols,
            "NETSTANDARD",
            "NETSTANDARD",
            NETSTANDARD,
            &version,
        );
    } else if let Some(version) = name.strip_prefix("netcoreapp") {
        let version = version.replace('.', "_");
        series(
            &mut symbols,
            "NETCOREAPP",
            "NETCOREAPP",
            NETCOREAPP,
            &version,
        );
    } else if let Some(version) = name.strip_prefix("net") {
        modern(&mut symbols, version);
    }
    let letters: String = platform
        .chars()
        .take_while(|c| c.is_ascii_alphabetic())
        .collect();
    if !letters.is_empty() {
        symbols.push(letters.to_uppercase());
    }
    symbols
}

/// .NET 5 and later, which count as .NET Core too.
fn modern(symbols: &mut Vec<String>, version: &str) {
    let major = version.split('.').next().and_then(|part| part.parse().ok());
    let Some(major) = major.filter(|major: &u32| (5..100).contains(major)) else {
        return;
    };
    symbols.extend([
        "NET".to_owned(),
        format!("NET{}", version.replace('.', "_")),
    ]);
    symbols.extend((5..=major).map(|major| format!("NET{major}_0_OR_GREATER")));
    symbols.push("NETCOREAPP".to_owned());
    symbols.extend(
        NETCOREAPP
            .iter()
            .map(|v| format!("NETCOREAPP{v}_OR_GREATER")),
    );
}

/// The family, the version, and every version up to it.
fn series(symbols: &mut Vec<String>, family: &str, prefix: &str, all: &[&str], version: &str) {
    symbols.extend([family.to_owned(), format!("{prefix}{version}")]);
    let up_to = all.iter().position(|known| *known == version);
    let until = up_to.map_or(0, |at| at + 1);
    symbols.extend(
        all[..until]
            .iter()
            .map(|v| format!("{prefix}{v}_OR_GREATER")),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_frameworks() {
        assert_eq!(
            framework_symbols("net461"),
            ["NETFRAMEWORK", "NET461"]
                .iter()
                .map(|s| (*s).to_owned())
                .chain(
                    NETFRAMEWORK[..8]
                        .iter()
                        .map(|v| format!("NET{v}_OR_GREATER"))
                )
                .collect::<Vec<_>>()
        );
        let modern = framework_symbols("net8.0-windows10.0.19041");
        for symbol in [
            "NET",
            "NET8_0",
            "NET8_0_OR_GREATER",
            "NET5_0_OR_GREATER",
            "WINDOWS",
        ] {
            assert!(modern.iter().any(|s| s == symbol), "{symbol}");
        }
        assert!(!modern.iter().any(|s| s == "NET9_0_OR_GREATER"));
        assert!(framework_symbols("netstandard2.0").contains(&"NETSTANDARD1_6_OR_GREATER".into()));
        assert!(framework_symbols("uap10.0").is_empty());
    }
}
