//! The macros of C and C++.
//!
//! `class EXPORT Store {`, `int size GUARDED_BY(mutex);` and a lone `UPROPERTY(Edit)` are C++ only
//! after the preprocessor ran. Left as they are, the first makes a whole class unreadable to the
//! parser. Spaces in their place keep every offset, and the tree is that of what the author means.
//!
//! One pass over the tokens decides by what stands before and after a name in capitals. Nothing is
//! blanked in directives, strings and comments.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::macro_words::{
    begins_declaration, is_annotation, is_inline_name, is_memory_model, is_name, is_own_name,
    is_plain_type, is_qualifier, is_shouted, is_specifier, is_specifier_name,
    stands_behind_operand, stands_behind_pointer,
};
use super::tokens::Tokens;

/// The macros of a C or C++ text that its grammar cannot know.
#[derive(Default)]
pub(super) struct Found {
    /// What is nothing to the grammar, with arguments.
    pub(super) noise: Vec<Range<usize>>,
    /// Names of those whose argument is a condition on a template's parameters.
    pub(super) conditions: Vec<Range<usize>>,
    /// Names of those that stand for a type.
    pub(super) results: Vec<Range<usize>>,
    /// Names of those that stand for `if`.
    pub(super) branches: Vec<Range<usize>>,
}

/// Finds them, by the tokens.
pub(super) fn macros(text: &str) -> Found {
    let mut scan = Scan {
        tokens: Tokens::new(text),
        text,
        before: Before::Start,
        previous: "",
        earlier: "",
        enumeration: Enumeration::Outside,
        heads: Vec::new(),
        parameters: None,
        classes: FxHashSet::default(),
        condition: None,
        out: Found::default(),
    };
    scan.run();
    scan.out
}

/// What the tokens before the current one are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// A statement or declaration may begin here.
    Start,
    /// `class`, `struct`, `union`, `enum`.
    ClassKey,
    /// The name behind one of them.
    ClassName,
    /// A specifier that a declaration begins with: `static`, `virtual`.
    Specifier,
    /// A parenthesis that closed a parameter list rather than a condition.
    Parameters,
    /// A name, a type, or a bracket that closed.
    Name,
    /// Anything else.
    Other,
}

/// Where the scan is of `enum class Mode : int { A, B }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Enumeration {
    Outside,
    /// Between `enum` and its bracket.
    Head,
    /// Among the enumerators.
    Body,
}

/// What stands in a parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    /// What `if` and its like ask.
    Condition,
    /// A part of an expression, or the type of a cast.
    Group,
    /// Parameters or arguments.
    List,
}

struct Scan<'a> {
    tokens: Tokens<'a>,
    text: &'a str,
    before: Before,
    /// The token before the current one.
    previous: &'a str,
    /// The one before that.
    earlier: &'a str,
    enumeration: Enumeration,
    /// For every open parenthesis what stands in it.
    heads: Vec<Head>,
    /// The parameters of a template, while they are read.
    parameters: Option<Parameters>,
    /// Names of classes further up: with `(` behind them they are constructors, which have no type.
    classes: FxHashSet<&'a str>,
    /// The type of a variable that a `for` which was begun declares in its condition.
    condition: Option<Range<usize>>,
    out: Found,
}

/// Where in the parameters of a template the scan is.
#[derive(Clone, Copy)]
struct Parameters {
    /// Open `<`.
    open: usize,
    /// Parentheses that were open before.
    heads: usize,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        while let Some(token) = self.tokens.next() {
            let word = &self.text[token.clone()];
            if let Some(ty) = self.condition.take_if(|ty| ty.start <= token.start) {
                self.tokens.at = ty.end;
                self.out.noise.push(ty);
                continue;
            }
            if word == "for" {
                self.condition = declared_in_condition(self.text, token.end);
            }
            if word == "[" && self.before == Before::ClassKey {
                self.attribute(token.start); // `enum class [[nodiscard]] Error`
                continue;
            }
            // `Old [[deprecated]] = 1`, `Old __attribute__((deprecated)) = 1`
            if self.is_behind_enumerator()
                && (word == "[" && self.text[token.end..].starts_with('[')
                    || matches!(word, "__attribute__" | "__attribute"))
            {
                match word {
                    "[" => self.attribute(token.start),
                    _ => self.call_of_attribute(&token),
                }
                continue;
            }
            if word == "["
                && self.before == Before::Start
                && self.text[token.end..].starts_with('[')
            {
                self.tokens.at = self.tokens.past(token.end, b"]]");
                continue; // what may follow it may stand in its place
            }
            if self.is_of_pointer(word, &token) {
                self.out.noise.push(token.clone());
                self.tokens.at = token.end;
                continue;
            }
            if self.is_quiet_specifier(word, &token) {
                self.out.noise.push(token.clone());
                self.tokens.at = token.end;
                continue;
            }
            if is_shouted(word) {
                let end = macro_end(self.text, token.end);
                if self.is_behind_enumerator() {
                    self.out.noise.push(token.start..end);
                    self.tokens.at = end;
                    continue;
                }
                if let Some(open) = self.around_type(word, &token, end) {
                    self.out.noise.extend([token.start..open, end - 1..end]);
                    self.tokens.at = end;
                    self.before = Before::Name;
                    self.previous = "";
                    continue;
                }
                if let Some(open) = self.around_head(&token, end) {
                    self.out.noise.extend([token.start..open, end - 1..end]);
                    self.tokens.at = open;
                    continue;
                }
                if self.is_condition(&token, end) {
                    self.out.conditions.push(token.clone());
                    self.tokens.at = end;
                    self.before = Before::Other;
                    self.previous = ")";
                    continue;
                }
                if let Some(end) = self.access(word, &token) {
                    self.out.noise.push(token.start..end);
                    self.tokens.at = end;
                    continue;
                }
                if self.is_result(&token, end) {
                    self.out.results.push(token.clone());
                    self.out.noise.push(token.end..end);
                    self.tokens.at = end;
                    self.before = Before::Name;
                    self.previous = "";
                    continue;
                }
                if self.is_branch(word, &token, end) {
                    self.out.branches.push(token.clone());
                    self.advance("if");
                    continue;
                }
                if self.blank_values_before_body(&token, end) {
                    continue;
                }
                if let Some(types) = self.mixed_arguments(&token, end) {
                    self.out.noise.extend(types);
                    self.tokens.at = end;
                    self.before = Before::Other;
                    self.previous = ")";
                    continue;
                }
                if self.is_noise(word, &token, end) {
                    self.out.noise.push(token.start..end);
                    self.tokens.at = end;
                    continue; // what stands before it stands before what follows
                }
            } else if is_own_name(word)
                && self.blank_values_before_body(&token, macro_end(self.text, token.end))
            {
                continue;
            }
            self.advance(word);
        }
    }

    /// Whether it is what of two names behind `*` or `&` is none: `const char* absl_nonnull last`. No language of the
    /// family has two names there.
    fn is_of_pointer(&self, word: &str, token: &Range<usize>) -> bool {
        if !matches!(self.previous, "*" | "&") || !is_name(word) || stands_behind_pointer(word) {
            return false;
        }
        // `requires A && B f()`
        let is_doubled = self.text[..token.start].trim_end().ends_with("&&");
        let mut after = Tokens::at(self.text, token.end);
        let next = after.next().map_or("", |range| &self.text[range]);
        // `Node* head GUARDED_BY(mutex);`
        if is_shouted(next) && !is_shouted(word) {
            return false;
        }
        let second = after.next().map_or("", |range| &self.text[range]);
        !is_doubled
            && is_name(next)
            && !stands_behind_operand(next)
            && matches!(second, "," | ")" | ";" | "=" | "(" | "[" | "{" | "::" | "<")
    }

    /// Whether a word in small letters is a macro before a declaration: `json_inline error_code get();`. No language of the
    /// family has three names in a row; before a constructor the macro's name has to say what it is.
    fn is_quiet_specifier(&self, word: &str, token: &Range<usize>) -> bool {
        if !matches!(self.before, Before::Start | Before::Specifier)
            || !is_name(word)
            || is_shouted(word)
            || stands_behind_pointer(word)
            || self.parameters.is_some()
        {
            return false;
        }
        let mut after = Tokens::at(self.text, token.end);
        // `checked inline error_code get();`
        let is_specifier = |next: &Range<usize>| is_specifier(&self.text[next.clone()]);
        let next = after.by_ref().find(|next| !is_specifier(next));
        let Some(next) = next.filter(|next| is_name(&self.text[next.clone()])) else {
            return false;
        };
        let name = &self.text[next.clone()];
        let second = after.next().map_or("", |second| &self.text[second]);
        // A variable may have such a name as well: `Mode force_inline;`
        let are_inline = is_inline_name(word) || is_inline_name(name) && is_name(second);
        if are_inline || is_plain_type(name) || matches!(name, "void" | "auto") {
            return true;
        }
        // `Store static open();` has its type before the specifier, `Store store GUARDED_BY(mutex);` is annotated.
        !begins_declaration(name) && !is_shouted(second) && self.declares(&next)
    }

    fn attribute(&mut self, start: usize) {
        let end = self.tokens.past(start, b"]]");
        if end - start < 200 {
            self.out.noise.push(start..end);
            self.tokens.at = end;
        }
    }

    fn call_of_attribute(&mut self, token: &Range<usize>) {
        let end = macro_end(self.text, token.end);
        self.out.noise.push(token.start..end);
        self.tokens.at = end;
    }

    /// `Off UMETA(DisplayName = "Off")`, `On = 1 UMETA(Hidden)`: behind an enumerator, or its value, the language has
    /// no name.
    fn is_behind_enumerator(&self) -> bool {
        let is_operand = self.previous == ")"
            || self
                .previous
                .ends_with(|c: char| c.is_alphanumeric() || c == '_');
        self.enumeration == Enumeration::Body && self.heads.is_empty() && is_operand
    }

    /// Updates the state with a token that stays.
    fn advance(&mut self, word: &'a str) {
        self.enumeration = match (word, self.enumeration) {
            ("enum", _) => Enumeration::Head,
            ("{", Enumeration::Head) => Enumeration::Body,
            (";" | "}" | "(" | ")", Enumeration::Head) | ("}", _) => Enumeration::Outside,
            (_, before) => before,
        };
        self.before = match word {
            "template" if self.parameters.is_none() => {
                let next = Tokens::at(self.text, self.tokens.at).next();
                let has_parameters = next.is_some_and(|next| &self.text[next] == "<");
                self.parameters = has_parameters.then_some(Parameters {
                    open: 0,
                    heads: self.heads.len(),
                });
                Before::Specifier
            }
            "<" | ">" if self.ends_parameters(word) => Before::Start,
            ";" | "{" | "}" => Before::Start,
            ":" if matches!(self.previous, "public" | "private" | "protected") => Before::Start,
            "class" | "struct" | "union" | "enum" if self.parameters.is_none() => Before::ClassKey,
            "typedef" => Before::Specifier,
            word if is_specifier(word) => Before::Specifier,
            "(" => {
                self.heads.push(self.head());
                Before::Other
            }
            ")" => match self.heads.pop() {
                Some(Head::Condition) => Before::Start,
                Some(Head::Group) => Before::Other,
                _ => Before::Parameters,
            },
            "const" | "noexcept" | "override" | "final" if self.before == Before::Parameters => {
                Before::Parameters
            }
            "]" | ">" => Before::Name,
            "return" | "else" | "case" | "operator" | "new" | "delete" => Before::Other,
            word if is_name(word) && self.before == Before::ClassKey => {
                self.classes.insert(word);
                Before::ClassName
            }
            word if is_name(word) => Before::Name,
            _ => Before::Other,
        };
        self.earlier = std::mem::replace(&mut self.previous, word);
    }

    /// What the parenthesis holds that begins behind the tokens before.
    fn head(&self) -> Head {
        match self.previous {
            "if" | "while" | "for" | "switch" => Head::Condition,
            "=" | "return" | "," | "?" | "+" | "-" | "/" | "|" | "!" | "<"
                if self.earlier != "operator" =>
            {
                Head::Group
            }
            _ => Head::List,
        }
    }

    /// Counts the angles around the parameters of a template: whether this is the last of them.
    fn ends_parameters(&mut self, angle: &str) -> bool {
        let Some(parameters) = &mut self.parameters else {
            return false;
        };
        if parameters.heads != self.heads.len() {
            return false; // a comparison
        }
        match angle {
            "<" => parameters.open += 1,
            _ => parameters.open = parameters.open.saturating_sub(1),
        }
        let ends = parameters.open == 0;
        if ends {
            self.parameters = None;
        }
        ends
    }

    /// `EXPORTED(const char *) name(`: the macro is noise but what it is given is the function's type. Where
    /// that begins.
    fn around_type(&self, word: &str, token: &Range<usize>, end: usize) -> Option<usize> {
        if !matches!(self.before, Before::Start | Before::Specifier) || end == token.end {
            return None;
        }
        let mut after = Tokens::at(self.text, end);
        let name = after.next().map_or("", |range| &self.text[range]);
        let second = after.next().map_or("", |range| &self.text[range]);
        if !is_name(name) || second != "(" {
            return None;
        }
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        let mut is_plain = is_specifier_name(word);
        for range in Tokens::at(self.text, open) {
            if range.start >= end - 1 {
                break;
            }
            match &self.text[range] {
                "*" | "const" | "void" | "int" | "char" | "long" | "unsigned" | "double"
                | "float" | "bool" | "struct" | "short" | "signed" => is_plain = true,
                "::" | "&" => {}
                word if is_name(word) => {}
                _ => return None,
            }
        }
        is_plain.then_some(open)
    }

    /// `UNUSED(static int size(struct stat* of)) {`: what the macro is given is the head of the function. Where that
    /// begins.
    fn around_head(&self, token: &Range<usize>, end: usize) -> Option<usize> {
        if self.before != Before::Start || end == token.end || !self.heads.is_empty() {
            return None;
        }
        let next = Tokens::at(self.text, end).next()?;
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        if !matches!(&self.text[next], "{" | ";")
            || !self.text[open..end - 1].trim_end().ends_with(')')
        {
            return None;
        }
        let mut inside = Tokens::at(self.text, open).take_while(|word| word.end < end);
        let first = &self.text[inside.next()?];
        if !begins_declaration(first) && !is_plain_type(first) {
            return None;
        }
        let mut last = first;
        for range in inside {
            match &self.text[range] {
                "(" => return (last != first && is_own_name(last)).then_some(open),
                word if is_name(word) || matches!(word, "*" | "&" | "::") => last = word,
                _ => return None,
            }
        }
        None
    }

    /// Whether a macro with arguments is one of a template's parameters.
    fn is_condition(&self, token: &Range<usize>, end: usize) -> bool {
        let is_parameter = self
            .parameters
            .is_some_and(|of| of.heads == self.heads.len())
            && matches!(self.previous, "<" | ",");
        let next = Tokens::at(self.text, end).next();
        is_parameter
            && token.len() > "bool".len()
            && self.text[token.end..end].starts_with('(')
            && next.is_some_and(|next| matches!(&self.text[next], "," | ">" | "="))
    }

    /// `PRIVATE_UNLESS_TESTED:` stands for an access specifier. Where it ends.
    fn access(&self, word: &str, token: &Range<usize>) -> Option<usize> {
        let is_access = |part| matches!(part, "PUBLIC" | "PROTECTED" | "PRIVATE");
        if self.before != Before::Start || !word.split('_').any(is_access) {
            return None;
        }
        let colon = Tokens::at(self.text, token.end).next()?;
        (&self.text[colon.clone()] == ":").then_some(colon.end)
    }

    /// Whether a macro gives the result of a function template: `template <typename T> ENABLED((a<T>), (int)) get(`.
    fn is_result(&self, token: &Range<usize>, end: usize) -> bool {
        let mut after = Tokens::at(self.text, end);
        let next = after.next().map_or("", |range| &self.text[range]);
        let second = after.next().map_or("", |range| &self.text[range]);
        matches!(self.before, Before::Start | Before::Specifier)
            && matches!(self.previous, ">" | "friend")
            && end > token.end
            && token.len() >= "auto".len()
            && (next == "operator" || is_name(next) && second == "(")
    }

    /// Whether `IF_CONSTEXPR (a) {` stands for `if constexpr (a) {`.
    fn is_branch(&self, word: &str, token: &Range<usize>, end: usize) -> bool {
        let starts = self.before == Before::Start || self.previous == "else";
        let next = Tokens::at(self.text, end).next();
        starts
            && end > token.end
            && word.split('_').any(|part| part == "IF")
            && next.is_some_and(|next| &self.text[next] == "{")
            && self.parameters.is_none()
    }

    /// Leaves out the values that a macro with a body is given.
    fn blank_values_before_body(&mut self, token: &Range<usize>, end: usize) -> bool {
        let Some(values) = self.values_before_body(token, end) else {
            return false;
        };
        self.out.noise.extend(values);
        self.tokens.at = end;
        self.before = Before::Parameters;
        self.previous = ")";
        true
    }

    /// `CASE("name", T, int, list<char>) {`: what a macro with a body is given besides types is neither a parameter nor
    /// of an expression that holds types. The values of it, each with its comma: of a name in capitals all of them where it
    /// is given a type as well, else those that begin with a literal, of which there is one.
    fn values_before_body(&self, token: &Range<usize>, end: usize) -> Option<Vec<Range<usize>>> {
        let next = Tokens::at(self.text, end).next()?;
        if self.before != Before::Start || end == token.end || &self.text[next] != "{" {
            return None;
        }
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        let mut values = Vec::new();
        let (mut has_type, mut has_literal) = (false, false);
        // Where the comma stands behind the last part that stays.
        let mut comma = None;
        let parts = parts_of(self.text, open..end - 1);
        let last = parts.last().map_or(open, |part| part.start);
        for part in parts {
            let text = self.text[part.clone()].trim_matches([' ', '\t', '\n', '\r', ',']);
            let mut words = Tokens::at(self.text, part.start)
                .take_while(|word| word.end <= part.end)
                .map(|word| &self.text[word])
                .filter(|word| *word != ",");
            let first = words.next().unwrap_or("");
            has_type |= is_plain_type(first) || first == "void" || text.ends_with('>');
            has_literal |= begins_with_literal(text);
            let is_type = is_name(first)
                && words.all(|word| {
                    is_name(word) || matches!(word, "::" | "<" | ">" | "," | "*" | "&")
                });
            if is_type && !text.contains('"') {
                comma = part.end.checked_sub(1);
                continue;
            }
            // Nothing ends in a comma.
            if part.start == last {
                values.extend(comma.map(|at| at..at + 1));
            }
            values.push(part);
        }
        let has_type = has_type && is_shouted(&self.text[token.clone()]);
        ((has_type || has_literal) && !values.is_empty()).then_some(values)
    }

    /// `FLAG(int, size, 8, "help");`: types among values are neither parameters nor arguments. Those of them that are
    /// nothing but a type, each with the comma behind it.
    fn mixed_arguments(&self, token: &Range<usize>, end: usize) -> Option<Vec<Range<usize>>> {
        if self.before != Before::Start || end == token.end {
            return None;
        }
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        let next = Tokens::at(self.text, end).next()?;
        if &self.text[next] != ";" {
            return None;
        }
        let (mut types, mut has_value) = (Vec::new(), self.text[open..end].contains('"'));
        let (mut start, mut is_type, mut words, mut depth) = (open, true, 0, 0);
        for range in Tokens::at(self.text, open).take_while(|word| word.end < end) {
            match &self.text[range.clone()] {
                "," if depth == 0 => {
                    if is_type && words > 0 {
                        types.push(start..range.end);
                    }
                    has_value |= words == 0;
                    (start, is_type, words) = (range.end, true, 0);
                    continue;
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "true" | "false" | "nullptr" => has_value = true,
                word if word.starts_with(|first: char| first.is_ascii_digit()) => has_value = true,
                _ => {}
            }
            let word = &self.text[range];
            is_type &= is_plain_type(word)
                || matches!(word, "void" | "const")
                || words > 0 && matches!(word, "*" | "&");
            words += 1;
        }
        // Nothing between two commas is no parameter either.
        has_value |= words == 0;
        (!types.is_empty() && has_value).then_some(types)
    }

    /// Whether the name of a type follows a macro behind `class`, perhaps after a few more of them.
    fn precedes_class_name(&self, mut word: &'a str, mut end: usize) -> bool {
        const MOST: usize = 4;
        for _ in 0..MOST {
            let mut after = Tokens::at(self.text, end);
            let Some(range) = after.next() else {
                return false;
            };
            let next = &self.text[range.clone()];
            // `class EXPORT [[nodiscard]] Store {`
            if self.text[range.start..].starts_with("[[") {
                end = after.past(range.start, b"]]");
                continue;
            }
            let second = after.next().map_or("", |range| &self.text[range]);
            let is_head = matches!(second, "{" | ":" | "final" | "<" | "::")
                || second == ";" && is_specifier_name(word);
            if is_name(next) && is_head {
                return true;
            }
            if !is_shouted(next) {
                return false;
            }
            (word, end) = (next, macro_end(self.text, range.end));
        }
        false
    }

    fn is_noise(&self, word: &'a str, token: &Range<usize>, end: usize) -> bool {
        let mut after = Tokens::at(self.text, end);
        let next_range = after.next().unwrap_or(end..end);
        let next = &self.text[next_range.clone()];
        let second = after.next().map_or("", |range| &self.text[range]);
        let has_arguments = end > token.end;
        match self.before {
            Before::ClassKey => self.precedes_class_name(word, end),
            // `enum type UNDERLYING(char) {`
            Before::ClassName => matches!(next, "{" | ":" | "final"),
            Before::Start | Before::Specifier if is_specifier_name(word) => {
                is_name(next) || matches!(next, "~" | "::" | "[") && !has_arguments
            }
            // `explicit INLINED Store(int size)`, which may be of a type only where it is no constructor.
            Before::Start | Before::Specifier
                if second == "("
                    && (self.previous == "explicit" || self.classes.contains(next)) =>
            {
                is_name(next)
            }
            // No type stands before these.
            Before::Start | Before::Specifier
                if begins_declaration(next) || is_plain_type(next) || next == "typename" =>
            {
                true
            }
            // `INLINED const T* data()`, but not `DWORD const* data()`
            Before::Start | Before::Specifier if next == "const" && !has_arguments => {
                let first = Tokens::at(self.text, next_range.end).next();
                first.is_some_and(|first| self.declares(&first))
            }
            Before::Start | Before::Specifier
                if !has_arguments
                    && (is_shouted(next) && begins_declaration(second)
                        || self.declares(&next_range)) =>
            {
                true
            }
            // `TRY {`
            Before::Start if !has_arguments && next == "{" => self.starts_line(token.start),
            Before::Start => {
                let breaks = self.text[end..next_range.start].contains('\n');
                let starts_line = self.starts_line(token.start);
                let is_last = next.is_empty() && !has_arguments;
                starts_line
                    && (is_last
                        || breaks && (is_name(next) || matches!(next, "~" | "}" | "::" | "[")))
            }
            Before::Parameters => {
                matches!(
                    next,
                    ";" | "{" | "=" | ":" | "override" | "final" | "const" | "noexcept"
                ) || is_shouted(next)
            }
            // `BOOL WINAPI Open(`, `void FOO_INLINE foo::Bar::open(`
            Before::Name | Before::Other
                if !has_arguments
                    && is_name(next)
                    && (second == "("
                        || matches!(second, "::" | "<") && is_specifier_name(word)) =>
            {
                (self.before == Before::Name || matches!(self.previous, "*" | "&"))
                    && !is_qualifier(self.previous)
            }
            Before::Name if next == "*" && !has_arguments => self.is_before_pointer(word),
            // `typedef Byte FAR Bytef;`
            Before::Name if self.earlier == "typedef" && second == ";" => {
                !has_arguments && is_own_name(self.previous) && is_own_name(next)
            }
            // `unsigned CONSTANT size = 1`
            Before::Name if is_plain_type(self.previous) && !has_arguments => {
                is_name(next) && !is_plain_type(next)
            }
            // `insert(const T& value CAPTURED_BY_THIS)`
            Before::Name if matches!(next, ")" | ",") && self.is_behind_parameter() => true,
            Before::Name => {
                has_arguments
                    && is_annotation(word)
                    && (matches!(next, ";" | "{" | "=" | ",") || is_shouted(next))
            }
            Before::Specifier | Before::Other => false,
        }
    }

    /// `unsigned char FAR *window`, `typedef node FAR *node_p`, `f(node FAR *of)`: no name stands between a type and the
    /// `*` behind it, and in these places what stands before is one.
    fn is_before_pointer(&self, word: &str) -> bool {
        let is_parameter = !self.heads.is_empty() && matches!(self.earlier, "(" | ",");
        is_plain_type(self.previous)
            || self.previous == "void"
            || is_own_name(self.previous)
                && !is_shouted(self.previous)
                && (is_parameter || self.earlier == "typedef" || is_memory_model(word))
    }

    /// Whether a type and the name of a parameter end here: nothing that the language has follows them.
    fn is_behind_parameter(&self) -> bool {
        let is_type = matches!(self.earlier, "*" | "&" | ">")
            || is_plain_type(self.earlier)
            || is_own_name(self.earlier);
        !self.heads.is_empty() && is_type && is_own_name(self.previous)
    }

    /// Whether a type and a name begin at a word, or the name of a constructor with that of its class: then the
    /// macro before it is no type.
    fn declares(&self, first: &Range<usize>) -> bool {
        let word = &self.text[first.clone()];
        if !is_name(word) || is_shouted(word) || is_qualifier(word) {
            return false;
        }
        let mut after = Tokens::at(self.text, first.end);
        let mut angles = 0usize;
        let (mut owner, mut last, mut is_named) = ("", word, true);
        // Types are short.
        for range in after.by_ref().take(48) {
            match &self.text[range.clone()] {
                "<" if self.text[range.end..].starts_with('=') => {} // a comparison
                "<" => angles += 1,
                ">" => {
                    let Some(open) = angles.checked_sub(1) else {
                        return false;
                    };
                    angles = open;
                }
                ";" | "{" | "}" => return false,
                _ if angles > 0 => {}
                "::" => (owner, last, is_named) = (last, "", false),
                "*" | "&" => is_named = true,
                "(" => return owner == last && !owner.is_empty(),
                // `day& operator++()`
                "operator" => return is_named,
                "const" => {}
                word if !is_name(word) => return false,
                _ if is_named => break,
                word => (last, is_named) = (word, true),
            }
        }
        let next = after.next().map_or("", |range| &self.text[range]);
        matches!(next, "(" | "::" | ";" | "=" | "{" | "[") && angles == 0
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r', '{', '}', ';'])
    }
}

/// The type in `for (…; Node* next = find(); …)`: the grammar knows a variable of a condition in `if` and `while` alone.
fn declared_in_condition(text: &str, behind_for: usize) -> Option<Range<usize>> {
    let mut tokens = Tokens::at(text, behind_for);
    let mut depth = 0usize;
    // What stands before the condition is short.
    tokens.by_ref().take(48).find(|token| {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 || depth == 1 && &text[token.clone()] == ";"
    })?;
    let (mut start, mut name, mut before) = (None, 0..0, "");
    for token in tokens.take(12).take_while(|_| depth == 1) {
        let word = &text[token.clone()];
        let last = &text[name.clone()];
        match word {
            "=" if text[token.end..].starts_with('=') => return None,
            "=" => {
                let is_type = matches!(before, "*" | "&" | "const")
                    || is_plain_type(before)
                    || is_own_name(before);
                return start
                    .filter(|_| is_type && is_own_name(last))
                    .map(|start| start..name.start);
            }
            "::" | "*" | "&" => {}
            word if is_name(word) => {}
            _ => return None,
        }
        start.get_or_insert(token.start);
        (before, name) = (last, token);
    }
    None
}

/// Whether an argument begins with a text, raw or with a prefix or not, with a number, or with a designator (`.init = f`).
fn begins_with_literal(argument: &str) -> bool {
    let prefix = argument.find('"').map(|at| &argument[..at]);
    argument.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '\'' | '.'))
        || matches!(
            prefix,
            Some("" | "R" | "u8" | "u8R" | "L" | "LR" | "u" | "uR" | "U" | "UR")
        )
}

/// The parts of a list between commas, each with the comma behind it.
fn parts_of(text: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), list.start, 0_i32);
    for token in Tokens::at(text, list.start).take_while(|token| token.end <= list.end) {
        match &text[token.clone()] {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth -= 1,
            "," if depth == 0 => {
                parts.push(start..token.end);
                start = token.end;
            }
            _ => {}
        }
    }
    if start < list.end {
        parts.push(start..list.end);
    }
    parts
}

/// Where a macro ends: behind its arguments, or behind its name where it has none.
pub(super) fn macro_end(text: &str, name_end: usize) -> usize {
    let rest = &text[name_end..];
    let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if !rest[gap..].starts_with('(') {
        return name_end;
    }
    let mut depth = 0;
    let mut tokens = Tokens::at(text, name_end);
    // Arguments of macros like these are short; a runaway parenthesis is none of them.
    for token in tokens.by_ref().take(64) {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" => depth -= 1,
            "{" | "}" | ";" => return name_end,
            _ => {}
        }
        if depth == 0 {
            return token.end;
        }
    }
    name_end
}
