//! Compiles the generated parser and the scanner.

// Cargo tells a build script by the environment; what is compiled into the core reads none.
#[allow(clippy::disallowed_methods)]
fn main() {
    let mut build = cc::Build::new();
    build.std("c11").include("src").warnings(false);
    if std::env::var("TARGET").is_ok_and(|target| target.starts_with("wasm32-unknown")) {
        let headers = std::env::var("DEP_TREE_SITTER_LANGUAGE_WASM_HEADERS");
        build.include(headers.expect("tree-sitter-language says where its headers for WASM are"));
    }
    for file in ["src/parser.c", "src/scanner.c"] {
        build.file(file);
        println!("cargo:rerun-if-changed={file}");
    }
    build.compile("tree-sitter-hanging");
}
