//! The notation of library functions' signatures.
//!
//! ```text
//! itertools.groupby([T], key=fn(T)K) [(K,[T])]
//! slices.MaxFunc([E], fn(E,E)) E
//! errors.AsType<T>(_) (T,bool)
//! ```
//!
//! A line is a function's full name, its type parameters if a call may name them, its parameters and its result. A
//! capital letter is a type variable, `_` any type, `[T]` something that iterates over `T`, `{K:V}` a map, `(A,B)` a
//! tuple, `*T` a pointer, `fn(A,B)R` a function, `type<T>` the class of `T`, `await<T>` something that gives `T` when it
//! is awaited, another word a type from outside by its name. A parameter is by position, with `name=` by keyword alone;
//! `...` behind the last one takes the rest of the arguments. `#` begins a comment.

/// A type of a signature.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TypePattern {
    Any,
    /// By its letter.
    Variable(u8),
    Sequence(Box<TypePattern>),
    Map(Box<TypePattern>, Box<TypePattern>),
    Tuple(Vec<TypePattern>),
    Pointer(Box<TypePattern>),
    /// Parameters and result.
    Function(Vec<TypePattern>, Box<TypePattern>),
    Class(Box<TypePattern>),
    Awaitable(Box<TypePattern>),
    Named(&'static str, Vec<TypePattern>),
}

/// What a library's function takes and returns.
#[derive(Debug, PartialEq)]
pub(super) struct LibrarySignature {
    /// The letters of type arguments that a call may give.
    pub(super) type_params: Vec<u8>,
    positional: Vec<TypePattern>,
    /// Whether the last positional parameter takes the rest of the arguments.
    is_variadic: bool,
    by_keyword: Vec<(&'static str, TypePattern)>,
    pub(super) result: TypePattern,
}

impl LibrarySignature {
    /// Whether a call with so many positional arguments fits.
    pub(super) fn takes(&self, positional: usize) -> bool {
        self.is_variadic || positional <= self.positional.len()
    }

    /// Whether a call gives an argument for each positional parameter, and no keyword that the function does not know.
    pub(super) fn takes_exactly(
        &self,
        positional: usize,
        arguments: &[super::Argument<'_>],
    ) -> bool {
        let mut keywords = arguments.iter().filter_map(|argument| argument.keyword);
        (self.is_variadic || positional == self.positional.len())
            && keywords.all(|keyword| self.by_keyword.iter().any(|(name, _)| *name == keyword))
    }

    /// The type of the parameter that an argument is for.
    pub(super) fn pattern_of(
        &self,
        arguments: &[super::Argument<'_>],
        index: usize,
    ) -> Option<&TypePattern> {
        if let Some(keyword) = arguments.get(index)?.keyword {
            let named = self.by_keyword.iter().find(|(name, _)| *name == keyword);
            return named.map(|(_, pattern)| pattern);
        }
        let before = arguments.get(..index)?.iter();
        let position = before.filter(|other| other.keyword.is_none()).count();
        match self.positional.get(position) {
            None if self.is_variadic => self.positional.last(),
            pattern => pattern,
        }
    }

    /// Variables of the result that no parameter has.
    #[cfg(test)]
    pub(super) fn unbound_variables(&self) -> Vec<char> {
        let mut bound = Vec::new();
        for pattern in &self.positional {
            variables(pattern, &mut bound);
        }
        for (_, pattern) in &self.by_keyword {
            variables(pattern, &mut bound);
        }
        let mut wanted = Vec::new();
        variables(&self.result, &mut wanted);
        wanted.retain(|letter| !bound.contains(letter));
        wanted.into_iter().map(char::from).collect()
    }
}

#[cfg(test)]
fn variables(of: &TypePattern, into: &mut Vec<u8>) {
    match of {
        TypePattern::Any => {}
        TypePattern::Variable(letter) if !into.contains(letter) => into.push(*letter),
        TypePattern::Variable(_) => {}
        TypePattern::Sequence(of)
        | TypePattern::Pointer(of)
        | TypePattern::Class(of)
        | TypePattern::Awaitable(of) => variables(of, into),
        TypePattern::Map(key, value) => {
            variables(key, into);
            variables(value, into);
        }
        TypePattern::Tuple(parts) | TypePattern::Named(_, parts) => {
            parts.iter().for_each(|part| variables(part, into));
        }
        TypePattern::Function(params, result) => {
            params.iter().for_each(|param| variables(param, into));
            variables(result, into);
        }
    }
}

/// The lines of a text that are signatures.
pub(super) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The full names and signatures of a text's lines; a line that does not parse is left out, and fails a test.
pub(super) fn parse_all(
    text: &'static str,
) -> impl Iterator<Item = (&'static str, LibrarySignature)> {
    lines(text).filter_map(parse)
}

fn parse(line: &'static str) -> Option<(&'static str, LibrarySignature)> {
    let end = line.find(['(', '<'])?;
    let (path, rest) = line.split_at_checked(end)?;
    let mut reader = SignatureReader { rest };
    let mut type_params = Vec::new();
    if reader.takes("<") {
        for pattern in reader.list(">")? {
            let TypePattern::Variable(letter) = pattern else {
                return None;
            };
            type_params.push(letter);
        }
    }
    let mut signature = reader.parameters()?;
    signature.type_params = type_params;
    if !reader.rest.trim().is_empty() {
        signature.result = reader.pattern()?;
    }
    reader.rest.trim().is_empty().then_some((path, signature))
}

struct SignatureReader {
    rest: &'static str,
}

impl SignatureReader {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(behind) => {
                self.rest = behind;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<&'static str> {
        let rest = self.rest.trim_start();
        let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.');
        let end = rest.find(is_end).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end)?;
        // What takes the rest of the arguments is no part of a name.
        let word = word.trim_end_matches('.');
        self.rest = rest.get(word.len()..).unwrap_or(behind);
        (!word.is_empty()).then_some(word)
    }

    fn parameters(&mut self) -> Option<LibrarySignature> {
        let mut signature = LibrarySignature {
            type_params: Vec::new(),
            positional: Vec::new(),
            is_variadic: false,
            by_keyword: Vec::new(),
            result: TypePattern::Any,
        };
        if !self.takes("(") {
            return None;
        }
        while !self.takes(")") {
            match self.keyword() {
                Some(name) => signature.by_keyword.push((name, self.pattern()?)),
                None => {
                    signature.positional.push(self.pattern()?);
                    signature.is_variadic |= self.takes("...");
                }
            }
            if !self.takes(",") {
                return self.takes(")").then_some(signature);
            }
        }
        Some(signature)
    }

    /// `key` of `key=…`.
    fn keyword(&mut self) -> Option<&'static str> {
        let before = self.rest;
        let name = self.word();
        if name.is_some() && self.takes("=") {
            return name;
        }
        self.rest = before;
        None
    }

    fn list(&mut self, end: &str) -> Option<Vec<TypePattern>> {
        let mut patterns = Vec::new();
        while !self.takes(end) {
            patterns.push(self.pattern()?);
            if !self.takes(",") {
                return self.takes(end).then_some(patterns);
            }
        }
        Some(patterns)
    }

    fn pattern(&mut self) -> Option<TypePattern> {
        if self.takes("[") {
            let of = self.pattern()?;
            return self.takes("]").then(|| TypePattern::Sequence(of.into()));
        }
        if self.takes("{") {
            let key = self.pattern()?;
            let value = self.takes(":").then(|| self.pattern()).flatten()?;
            return self
                .takes("}")
                .then(|| TypePattern::Map(key.into(), value.into()));
        }
        if self.takes("(") {
            return Some(TypePattern::Tuple(self.list(")")?));
        }
        if self.takes("*") {
            return Some(TypePattern::Pointer(self.pattern()?.into()));
        }
        let word = self.word()?;
        if word == "fn" {
            return self.function();
        }
        let mut args = match self.takes("<") {
            true => self.list(">")?,
            false => Vec::new(),
        };
        Some(match (word, word.as_bytes()) {
            ("_", _) => TypePattern::Any,
            (_, [letter @ b'A'..=b'Z']) => TypePattern::Variable(*letter),
            ("type", _) if args.len() == 1 => TypePattern::Class(args.pop()?.into()),
            ("await", _) if args.len() == 1 => TypePattern::Awaitable(args.pop()?.into()),
            _ => TypePattern::Named(word, args),
        })
    }

    fn function(&mut self) -> Option<TypePattern> {
        let params = self.takes("(").then(|| self.list(")")).flatten()?;
        let ends = self.rest.trim_start();
        let has_result = !ends.is_empty() && !ends.starts_with([')', ',', ']', '>', '}', ':']);
        let has_result = has_result && !ends.starts_with("...");
        let result = match has_result {
            true => self.pattern()?,
            false => TypePattern::Any,
        };
        Some(TypePattern::Function(params, result.into()))
    }
}
