//! Conditional branches of C# that are parts of declarations.
//!
//! - heads before one body are a method or a property without a body and one with it: `;`, a type without members
//!   and one with them: `{}`, a namespace and another: `{}`, or one statement in the other
//! - bodies behind one head are one; that a declaration has none is left out
//! - bases stand side by side, as parameters do: two of one name are one

use super::conditional_branches::{CSharpBranches, Code, Join};
use super::scan::{TokenPosition, is_list};
use super::tokens::is_value;

impl CSharpBranches<'_> {
    /// Whole parameters of a declaration.
    pub(super) fn parameters(&self) -> Option<Join> {
        let is_between = matches!(self.word(self.state.before), "(" | ",")
            && matches!(self.word(self.next), ")" | ",");
        let is_list = self.state.open.last() == Some(&TokenPosition::List);
        let are_whole = self.are_balanced() && self.all(|branch| self.is_parameter(branch));
        (is_list && is_between && are_whole).then(|| Join::by(","))
    }

    /// Whether a branch is a type and a name, perhaps with a value. Arguments that declare look the same.
    fn is_parameter(&self, branch: &Code) -> bool {
        let mut outer: Vec<&str> = branch.outer().map(|at| self.scan.word(at)).collect();
        if let Some(sign) = outer.iter().position(|word| *word == "=") {
            outer.truncate(sign);
        }
        let begins = outer.first().is_some_and(|word| {
            is_value(word) && !matches!(*word, "out" | "ref" | "in" | "new" | "await" | "throw")
        });
        begins && ends_with_name(&outer)
    }

    /// Bases of a type, with or without the colon.
    pub(super) fn bases(&self) -> Option<Join> {
        let has_where = |branch: &Code| branch.outer().any(|at| self.scan.word(at) == "where");
        let goes_on = matches!(self.word(self.next), "{" | "," | "where" | ";");
        if !goes_on || !self.are_balanced() || self.branches.iter().any(has_where) {
            return None;
        }
        if is_list(self.state) || !self.is_in_type_head() {
            return None;
        }
        if self.all(|branch| self.first(branch) == ":") {
            let (_, others) = self.branches.split_first()?;
            let colons = others.iter().filter_map(|branch| branch.tokens.first());
            return Some(Join {
                replaced: colons.map(|(at, _)| (*at, ",")).collect(),
                ..Join::default()
            });
        }
        let is_whole = |branch: &Code| is_value(self.first(branch)) && self.last(branch) != ",";
        let is_after = matches!(self.word(self.state.before), ":" | ",");
        (is_after && self.all(is_whole)).then(|| Join::by(","))
    }

    /// Whether what stands before is the head of a type.
    fn is_in_type_head(&self) -> bool {
        let before = (0..=self.state.before.unwrap_or(0)).rev();
        before
            .map(|at| self.scan.word(at))
            .take_while(|word| !matches!(*word, ";" | "{" | "}" | "(" | "="))
            .any(is_type_word)
    }

    /// Bodies behind one head, of a statement or a declaration.
    pub(super) fn bodies(&self) -> Option<Join> {
        if is_list(self.state) || !self.are_balanced() {
            return None;
        }
        let before = self.word(self.state.before);
        let is_whole = |branch: &Code| matches!(self.last(branch), ";" | "}");
        if before == "else" || before == ")" && self.closes_statement_head() {
            let goes_on = matches!(self.word(self.next), "else" | "catch" | "finally");
            return (self.all(is_whole) && !goes_on).then(Join::default);
        }
        let is_block = |branch: &Code| self.first(branch) == "{" && branch.outer().count() == 2;
        let is_none = |branch: &Code| branch.tokens.len() == 1 && self.first(branch) == ";";
        if before != ")" || !self.all(|branch| is_block(branch) || is_none(branch)) {
            return None;
        }
        let last = self.branches.iter().rposition(is_block)?;
        let first = self.branches.iter().position(is_block)?;
        let mut dropped = Vec::new();
        for (index, branch) in self.branches.iter().enumerate() {
            let mut outer = branch.outer();
            let (begin, end) = (outer.next(), outer.next());
            dropped.extend(begin.filter(|_| is_none(branch) || index != first));
            dropped.extend(end.filter(|_| index != last));
        }
        Some(Join::without("", dropped))
    }

    /// Whether the bracket that was closed last is that of an `if` or the like.
    fn closes_statement_head(&self) -> bool {
        let mut depth = 0_i32;
        for at in (1..=self.state.before.unwrap_or(0)).rev() {
            match self.scan.word(at) {
                ")" => depth += 1,
                "(" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return is_statement_word(self.scan.word(at - 1));
            }
        }
        false
    }

    /// Several heads and one body.
    pub(super) fn heads(&self) -> Option<Join> {
        let begins = matches!(self.word(self.state.before), "" | ";" | "{" | "}" | "]");
        if !begins || is_list(self.state) {
            return None;
        }
        let (_, others) = self.branches.split_last()?;
        let opens = self.all(|branch| branch.opens_body);
        if !opens && !self.are_balanced() {
            return None;
        }
        let braces = others.iter().filter_map(|branch| branch.tokens.last());
        let dropped = match opens {
            true => braces.map(|(at, _)| *at).collect(),
            false => Vec::new(),
        };
        if self.all(|branch| self.ends_in_statement_head(branch)) {
            return Some(Join::without("", dropped));
        }
        let next = self.word(self.next);
        let has_body = opens || matches!(next, "{" | "=>" | ":" | "where");
        if has_body && self.all(|branch| self.is_method(branch) || self.is_property(branch)) {
            return Some(Join::without(";", dropped));
        }
        let are_types =
            self.all(|branch| self.is_type(branch)) || self.all(|branch| self.is_namespace(branch));
        (are_types && (opens || next == "{")).then(|| Join::without("{}", dropped))
    }

    /// Whether a branch ends with the head of a statement: there may be whole ones before it.
    fn ends_in_statement_head(&self, branch: &Code) -> bool {
        let outer = self.head(branch);
        let begin = outer.iter().rposition(|word| matches!(*word, ";" | "}"));
        let begin = outer.get(begin.map_or(0, |at| at + 1));
        begin.is_some_and(|word| is_statement_word(word)) && outer.last() == Some(&")")
    }

    /// Whether a branch is the head of a method or constructor: a name with parameters, and no type's head.
    fn is_method(&self, branch: &Code) -> bool {
        let outer = self.head(branch);
        let is_named = |pair: &[&str]| pair[1] == "(" && (is_value(pair[0]) || pair[0] == ">");
        !outer.iter().any(|word| is_no_member(word))
            && outer.windows(2).any(is_named)
            && outer.last() == Some(&")")
            && outer.first().is_some_and(|first| is_declaring(first))
    }

    /// Whether a branch is the head of a property: a type and a name.
    fn is_property(&self, branch: &Code) -> bool {
        let outer = self.head(branch);
        !outer
            .iter()
            .any(|word| is_no_member(word) || matches!(*word, "(" | ";" | "}"))
            && ends_with_name(&outer)
            && outer.first().is_some_and(|first| is_declaring(first))
    }

    fn is_type(&self, branch: &Code) -> bool {
        let outer = self.head(branch);
        let is_declared = |pair: &[&str]| is_type_word(pair[0]) && is_value(pair[1]);
        !outer.iter().any(|word| matches!(*word, ";" | "}" | "="))
            && outer.windows(2).any(is_declared)
    }

    fn is_namespace(&self, branch: &Code) -> bool {
        let outer = self.head(branch);
        let is_path = |word: &&str| *word == "." || is_value(word);
        outer
            .split_first()
            .is_some_and(|(first, path)| *first == "namespace" && path.iter().all(is_path))
    }

    /// A branch's outer words without the brace that it opens.
    fn head(&self, branch: &Code) -> Vec<&str> {
        let mut outer: Vec<&str> = branch.outer().map(|at| self.scan.word(at)).collect();
        if branch.opens_body {
            outer.pop();
        }
        outer
    }
}

fn ends_with_name(outer: &[&str]) -> bool {
    let [.., ty, name] = outer else {
        return false;
    };
    is_value(name) && (is_value(ty) || matches!(*ty, ">" | "]" | "?" | ")"))
}

fn is_statement_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "while" | "for" | "foreach" | "using" | "lock" | "fixed"
    )
}

fn is_type_word(word: &str) -> bool {
    matches!(word, "class" | "struct" | "interface" | "record" | "enum")
}

fn is_no_member(word: &str) -> bool {
    is_type_word(word) || matches!(word, "namespace" | "new" | "=")
}

/// Whether a declaration of a member may begin with this.
fn is_declaring(word: &str) -> bool {
    is_value(word) && !matches!(word, "if" | "switch" | "catch" | "return" | "else")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn parameters_stand_side_by_side() {
        check(
            "class A { void M(\n#if A\n int a\n#else\n List<B> a = null\n#endif\n, int b) { } }",
            "class A { void M( int a , List<B> a = null , int b) { } }",
        );
    }

    #[test]
    fn bases_stand_side_by_side() {
        check(
            "class A :\n#if A\n B\n#else\n C<D>\n#endif\n { }",
            "class A : B , C<D> { }",
        );
        check(
            "class A\n#if A\n : B\n#else\n : C, D\n#endif\n { }",
            "class A : B , C, D { }",
        );
    }

    #[test]
    fn types_have_one_body() {
        check(
            "#if A\npublic class A : B\n#else\ninternal static class A\n#endif\n{ int a; }",
            "public class A : B {} internal static class A { int a; }",
        );
        check(
            "#if A\nclass A {\n#else\nclass B {\n#endif\n int a; }",
            "class A {} class B { int a; }",
        );
    }

    #[test]
    fn namespaces_have_one_body() {
        check(
            "#if A\nnamespace A.B\n#else\nnamespace C\n#endif\n{ class D { } }",
            "namespace A.B {} namespace C { class D { } }",
        );
    }

    #[test]
    fn properties_have_one_body() {
        check(
            "class A {\n#if A\n public IList<B> C\n#else\n public IList C\n#endif\n { get { return d; } } }",
            "class A { public IList<B> C ; public IList C { get { return d; } } }",
        );
    }

    #[test]
    fn bodies_have_one_head() {
        check(
            "interface A { void M()\n#if A\n { a(); }\n#else\n ;\n#endif\n void N(); }",
            "interface A { void M() { a(); } void N(); }",
        );
        check(
            "class A { void M()\n#if A\n { a(); }\n#else\n { b(); }\n#endif\n }",
            "class A { void M() { a(); b(); } }",
        );
    }

    #[test]
    fn statements_have_one_head_and_heads_one_statement() {
        check(
            "class A { void M() { if (a)\n#if A\n b();\n#else\n c.d = e;\n#endif\n f(); } }",
            "class A { void M() { if (a) b(); c.d = e; f(); } }",
        );
        check(
            "class A { void M() {\n#if A\n a(); if (b)\n#else\n if (c)\n#endif\n d(); } }",
            "class A { void M() { a(); if (b) if (c) d(); } }",
        );
    }

    #[test]
    fn what_is_new_in_a_head_makes_nothing() {
        check(
            "class A : B { new T M<T>() where T : new() {\n#if A\n var a = b;\n#else\n var a = c;\n#endif\n } }",
            "class A : B { new T M<T>() where T : new() { #if A var a = b; #else var a = c; #endif } }",
        );
        check(
            "class A { void M() { using (new B()) {\n#if A\n if (b)\n#else\n if (c)\n#endif\n d(); } } }",
            "class A { void M() { using (new B()) { if (b) if (c) d(); } } }",
        );
    }
}
