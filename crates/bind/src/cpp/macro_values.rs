//! What macros give whose whole text is one value: `#define FIELDS(l) ((struct fields*) l->data)`,
//! `#define current (*task())`. The names in it are uses already; here they only say of what type it is.

use super::macro_bodies::Token;
use super::walk::{TAGS, Walk};
use crate::facts::{DefId, Expr, ExprId, FILE_SCOPE, NONE, Role, flag, space};

/// Parentheses in parentheses are followed this deep.
const DEEPEST: u32 = 8;

/// The tokens of a macro's text, and where they are read.
struct Reader<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    is_parameter: &'a dyn Fn(&str) -> bool,
}

impl<'t> Reader<'_, 't> {
    fn next(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    /// Goes behind a token, if it is the next one.
    fn takes(&mut self, token: Token<'t>) -> bool {
        let is_next = self.next() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// Goes behind the parenthesis that closes the one here.
    fn skip_parentheses(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Goes behind what follows a cast: signs and casts, a name or parentheses, calls and members.
    fn skip_operand(&mut self) -> Option<()> {
        while matches!(self.next()?, Token::GlobImport | Token::Address) {
            self.at += 1;
        }
        match self.next()? {
            Token::Name(..) => self.at += 1,
            Token::Open => {
                self.skip_parentheses()?;
                if matches!(
                    self.next(),
                    Some(Token::Name(..) | Token::GlobImport | Token::Address)
                ) {
                    return self.skip_operand();
                }
            }
            _ => return None,
        }
        loop {
            match self.next() {
                Some(Token::Open) => self.skip_parentheses()?,
                Some(Token::Dot | Token::Arrow) => self.at += 2,
                _ => return Some(()),
            }
        }
    }

    /// The type between parentheses that a pointer to it is made of, the spaces that its name is looked up in, and how
    /// many `*` stand behind it.
    fn cast(&mut self) -> Option<(&'t str, u8, usize)> {
        let start = self.at;
        let cast = self.cast_here();
        if cast.is_none() {
            self.at = start;
        }
        cast
    }

    fn cast_here(&mut self) -> Option<(&'t str, u8, usize)> {
        let (mut named, mut spaces) = (None, space::TYPE);
        if !self.takes(Token::Open) {
            return None;
        }
        while let Some(Token::Name(name, _)) = self.next() {
            self.at += 1;
            match name {
                "const" | "volatile" => {}
                "struct" | "union" | "enum" => spaces = TAGS,
                _ => {
                    named = Some(name).filter(|name| !(self.is_parameter)(name) && named.is_none());
                    named?;
                }
            }
        }
        let start = self.at;
        while self.takes(Token::GlobImport) {}
        let stars = self.at - start;
        (stars > 0 && self.takes(Token::Close)).then_some((named?, spaces, stars))
    }
}

impl<'t> Walk<'t> {
    /// Keeps what a macro gives, if its text is one value of which the type can be told.
    pub(super) fn macro_value(
        &mut self,
        def: DefId,
        tokens: &[Token<'t>],
        has_parameters: bool,
        is_parameter: &dyn Fn(&str) -> bool,
    ) {
        let mut reader = Reader {
            tokens,
            at: 0,
            is_parameter,
        };
        if tokens.len() < 2 {
            return;
        }
        let value = self.value_of(&mut reader, DEEPEST);
        if let Some(value) = value.filter(|_| reader.at == tokens.len()) {
            let edited = self.b.edit(def);
            edited.value = value;
            // Without parameters it is read, not called.
            edited.flags |= if has_parameters { 0 } else { flag::GETTER };
        }
    }

    fn value_of(&mut self, reader: &mut Reader<'_, 't>, depth: u32) -> Option<ExprId> {
        let depth = depth.checked_sub(1)?;
        if let Some((name, spaces, stars)) = reader.cast() {
            reader.skip_operand()?;
            let role = Role::Type;
            let mut ty = self.b.name_use(name, FILE_SCOPE, NONE, role, spaces);
            for _ in 0..stars {
                ty = self.pointer(ty);
            }
            return Some(self.b.expr(Expr::Value { of: ty }));
        }
        let of = match reader.next()? {
            Token::GlobImport => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                return Some(self.deref(of));
            }
            Token::Address => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                return Some(self.pointer(of));
            }
            Token::Open => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                reader.takes(Token::Close).then_some(of)?
            }
            Token::Name(name, _) if !(reader.is_parameter)(name) => {
                reader.at += 1;
                self.b
                    .name_use(name, FILE_SCOPE, NONE, Role::Read, space::ANY)
            }
            _ => return None,
        };
        self.continued(reader, of)
    }

    /// Calls and members behind a value.
    fn continued(&mut self, reader: &mut Reader<'_, 't>, mut of: ExprId) -> Option<ExprId> {
        loop {
            match reader.next() {
                Some(Token::Open) => {
                    reader.skip_parentheses()?;
                    of = self.b.expr(Expr::Call { of, args: NONE });
                }
                Some(sign @ (Token::Dot | Token::Arrow)) => {
                    reader.at += 1;
                    let Some(Token::Name(name, _)) = reader.next() else {
                        return None;
                    };
                    reader.at += 1;
                    if sign == Token::Arrow {
                        of = self.deref(of);
                    }
                    of = self.b.member_use(of, name, NONE, Role::Read, space::VALUE);
                }
                _ => return Some(of),
            }
        }
    }
}
