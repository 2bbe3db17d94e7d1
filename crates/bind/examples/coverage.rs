//! Which identifiers of files are neither defined nor used: `coverage DIALECT PATH...`
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool"
)]
use codecortex_bind::{Dialect, bind, facts::NONE};
use codecortex_syntax::{Language, as_parsed, parse};
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};
fn files(p: &std::path::Path, ext: &str, out: &mut Vec<std::path::PathBuf>) {
    if p.is_dir() {
        let mut v: Vec<_> = std::fs::read_dir(p)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        v.sort();
        for e in v {
            files(&e, ext, out);
        }
    } else if p.extension().is_some_and(|e| e == ext) {
        out.push(p.to_path_buf());
    }
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (dialect, language, ext) = match args[0].as_str() {
        "java" => (Dialect::Java, Language::Java, "java"),
        _ => (Dialect::CSharp, Language::CSharp, "cs"),
    };
    let mut paths = Vec::new();
    for a in &args[1..] {
        files(std::path::Path::new(a), ext, &mut paths);
    }
    let (mut tp, mut tb) = (Duration::ZERO, Duration::ZERO);
    let (mut errs, mut bytes, mut exprs, mut defs, mut size) = (0, 0, 0, 0, 0);
    let mut missing: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    let mut dump = BTreeMap::new();
    for p in &paths {
        let Ok(text) = std::fs::read_to_string(p) else {
            continue;
        };
        let readable = as_parsed(language, &text);
        let t = Instant::now();
        let Some(tree) = parse(language, &readable, None) else {
            println!("too complex {p:?}");
            continue;
        };
        tp += t.elapsed();
        if tree.root_node().has_error() {
            errs += 1;
            if std::env::var("ERRORS").is_ok() {
                println!("ERR {}", p.display());
                let mut st = vec![tree.root_node()];
                let mut shown = 0;
                while let Some(n) = st.pop() {
                    if (n.is_error() || n.is_missing()) && shown < 3 {
                        shown += 1;
                        let s = &readable[n.byte_range()];
                        println!(
                            "   {} {:?} {:?}",
                            n.start_position().row + 1,
                            n.kind(),
                            s.chars().take(120).collect::<String>()
                        );
                        continue;
                    }
                    if n.has_error() {
                        let mut c = n.walk();
                        let mut v: Vec<_> = n.children(&mut c).collect();
                        v.reverse();
                        st.extend(v);
                    }
                }
            }
        }
        let t = Instant::now();
        let b = bind(dialect, &readable, &tree);
        tb += t.elapsed();
        bytes += text.len();
        exprs += b.exprs.len();
        defs += b.defs.len();
        size += b.exprs.len() * size_of::<codecortex_bind::facts::Expr>()
            + b.defs.len() * size_of::<codecortex_bind::facts::Def>()
            + b.lists.len() * 4
            + b.scopes.len() * 20;
        let mut at: HashSet<u32> = HashSet::new();
        for d in &b.defs {
            if d.at != NONE {
                assert!(at.insert(d.at), "two defs at {} in {p:?}", d.at);
            }
        }
        for (_, name, a, _) in b.uses() {
            at.insert(a);
            let n = b.name(name);
            assert!(
                text[a as usize..].trim_start_matches('@').starts_with(n),
                "{n} at {a} {p:?}"
            );
        }
        if std::env::var("DUMP").is_ok() {
            dump.insert(
                p.display().to_string(),
                at.iter().copied().collect::<Vec<_>>(),
            );
        }
        let mut st = vec![tree.root_node()];
        while let Some(n) = st.pop() {
            let k = n.kind();
            if n.child_count() == 0 || k == "identifier" {
                if k.ends_with("identifier") && !n.is_missing() {
                    let off = if text[n.byte_range()].starts_with('@') {
                        1
                    } else {
                        0
                    };
                    if !at.contains(&(n.start_byte() as u32 + off)) {
                        let par = n.parent().unwrap();
                        let gp = par.parent().map_or("", |g| g.kind());
                        let e = missing
                            .entry(format!("{} < {} < {}", k, par.kind(), gp))
                            .or_default();
                        e.0 += 1;
                        if e.1.len() < 3 {
                            e.1.push(format!(
                                "{}:{} {}",
                                p.display(),
                                n.start_position().row + 1,
                                &text[n.byte_range()]
                            ));
                        }
                    }
                }
                continue;
            }
            let mut c = n.walk();
            st.extend(n.children(&mut c));
        }
    }
    println!(
        "{} files, {} with errors, {} bytes, {} defs, {} exprs, {} bytes of tables; parse {:?}, bind {:?} = {:.3}",
        paths.len(),
        errs,
        bytes,
        defs,
        exprs,
        size,
        tp,
        tb,
        tb.as_secs_f64() / tp.as_secs_f64()
    );
    for (k, (n, ex)) in missing {
        println!("{n:6} {k}  {ex:?}");
    }
    if let Ok(f) = std::env::var("DUMP") {
        std::fs::write(f, serde_json::to_string(&dump).unwrap()).unwrap();
    }
}
