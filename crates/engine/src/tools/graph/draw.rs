//! A graph as Mermaid and as Graphviz understand it.
//!
//! Ids of types are names in both notations. Labels are quoted, and what means something inside of quotes
//! is escaped, whatever a path holds. Types of one cycle are in a frame of its own.

use std::fmt::Write as _;

use crate::tools::graph::select::{ReachedNode, ShownEdge, ShownSubgraph};

/// What stands on a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// Its full path.
    Path,
    /// Its name.
    Name,
}

/// A flow chart: a thick arrow leads to a base, a thin one to anything else that is needed.
pub(super) fn mermaid(part: &ShownSubgraph<'_>, account: &str, label: Label) -> String {
    let mut out = format!("flowchart LR\n  %% {account}\n  %% thick arrows lead to bases\n");
    // Writing to a string does not fail.
    let node = |out: &mut String, indent: &str, node: &ReachedNode| {
        let _ = writeln!(
            out,
            "{indent}{}[\"{}\"]",
            node.id,
            for_mermaid(&text(node, label))
        );
    };
    for (cycle, members) in groups(part) {
        if let Some(cycle) = cycle {
            let _ = writeln!(out, "  subgraph cycle{cycle}[\"cycle {cycle}\"]");
            members
                .iter()
                .for_each(|member| node(&mut out, "    ", member));
            out.push_str("  end\n");
        } else {
            members
                .iter()
                .for_each(|member| node(&mut out, "  ", member));
        }
    }
    for ShownEdge {
        from, to, is_base, ..
    } in &part.edges
    {
        let arrow = if *is_base { "==>" } else { "-->" };
        let _ = writeln!(out, "  {} {arrow} {}", from.id, to.id);
    }
    let cycles: Vec<String> = groups(part)
        .into_iter()
        .filter_map(|(cycle, _)| cycle.map(|cycle| format!("cycle{cycle}")))
        .collect();
    if !cycles.is_empty() {
        out.push_str("  classDef cycle stroke:#d33,stroke-width:2px\n");
        let _ = writeln!(out, "  class {} cycle", cycles.join(","));
    }
    out
}

/// A directed graph: a hollow arrow leads to a base, a full one to anything else that is needed.
pub(super) fn dot(part: &ShownSubgraph<'_>, account: &str, label: Label) -> String {
    let mut out =
        format!("// {account}\ndigraph dependencies {{\n  rankdir=LR;\n  node [shape=box];\n");
    // Writing to a string does not fail.
    let node = |out: &mut String, indent: &str, node: &ReachedNode| {
        let _ = writeln!(
            out,
            "{indent}{} [label=\"{}\"];",
            node.id,
            for_dot(&text(node, label))
        );
    };
    for (cycle, members) in groups(part) {
        if let Some(cycle) = cycle {
            let _ = writeln!(
                out,
                "  subgraph cluster_{cycle} {{\n    label=\"cycle {cycle}\";\n    color=red;"
            );
            members
                .iter()
                .for_each(|member| node(&mut out, "    ", member));
            out.push_str("  }\n");
        } else {
            members
                .iter()
                .for_each(|member| node(&mut out, "  ", member));
        }
    }
    for ShownEdge {
        from, to, is_base, ..
    } in &part.edges
    {
        let style = if *is_base { " [arrowhead=empty]" } else { "" };
        let _ = writeln!(out, "  {} -> {}{style};", from.id, to.id);
    }
    out.push_str("}\n");
    out
}

/// Types by cycle; those that are in none come first.
fn groups<'a>(part: &ShownSubgraph<'a>) -> Vec<(Option<u32>, Vec<&'a ReachedNode>)> {
    let mut groups: std::collections::BTreeMap<Option<u32>, Vec<&ReachedNode>> = Default::default();
    for node in &part.nodes {
        groups.entry(node.cycle).or_default().push(node);
    }
    groups.into_iter().collect()
}

/// Path or name, with a place for each type parameter: `Map<,>`.
fn text(node: &ReachedNode, label: Label) -> String {
    let name = match label {
        Label::Path => node.path.as_str(),
        Label::Name => {
            let last = node.path.rsplit(['.', ':', '+', '/', '$']).next();
            last.filter(|last| !last.is_empty()).unwrap_or(&node.path)
        }
    };
    match node.arity {
        0 => name.to_owned(),
        arity => format!("{name}<{}>", ",".repeat(usize::from(arity) - 1)),
    }
}

/// Entities for all that could end the label or begin markup in it.
fn for_mermaid(label: &str) -> String {
    let mut out = String::new();
    for letter in label.chars() {
        match letter {
            letter if letter.is_alphanumeric() || " _.,:+/$-()=".contains(letter) => {
                out.push(letter)
            }
            letter if letter.is_control() || letter.is_whitespace() => out.push(' '),
            letter => {
                let _ = write!(out, "#{};", u32::from(letter));
            }
        }
    }
    out
}

fn for_dot(label: &str) -> String {
    let mut out = String::new();
    for letter in label.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stay_in_their_quotes() {
        let label = "Ä<\"T\\\">\n`漢`#end;";
        assert_eq!(
            for_mermaid(label),
            "Ä#60;#34;T#92;#34;#62; #96;漢#96;#35;end#59;"
        );
        assert_eq!(for_dot(label), "Ä<\\\"T\\\\\\\"> `漢`#end;");
    }
}
