//! What macros give whose whole text is one value: `#define FIELDS(l) ((struct fields*) l->data)`,
//! `#define current (*task())`. The names in it are uses already; here they only say of what type it is.

use super::macro_bodies::MacroToken;
use super::walk::{CppWalk, TAGS};
use crate::facts::{DefId, Expr, ExprId, FILE_SCOPE, NONE, Role, flag, space};

/// Parentheses in parentheses are followed this deep.
const DEEPEST: u32 = 8;

/// The tokens of a macro's text, and where they are read.
struct MacroValueReader<'a, 't> {
    tokens: &'a [MacroToken<'t>],
    at: usize,
    is_parameter: &'a dyn Fn(&str) -> bool,
}

impl<'t> MacroValueReader<'_, 't> {
    fn next(&self) -> Option<MacroToken<'t>> {
        self.tokens.get(self.at).copied()
    }

    /// Goes behind a token, if it is the next one.
    fn takes(&mut self, token: MacroToken<'t>) -> bool {
        let is_next = self.next() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// Goes behind the parenthesis that closes the one here.
    fn skip_parentheses(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                MacroToken::Open => depth += 1,
                MacroToken::Close => depth -= 1,
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
        while matches!(self.next()?, MacroToken::GlobImport | MacroToken::Address) {
            self.at += 1;
        }
        match self.next()? {
            MacroToken::Name(..) => self.at += 1,
            MacroToken::Open => {
                self.skip_parentheses()?;
                if matches!(
                    self.next(),
                    Some(MacroToken::Name(..) | MacroToken::GlobImport | MacroToken::Address)
                ) {
                    return self.skip_operand();
                }
            }
            _ => return None,
        }
        loop {
            match self.next() {
                Some(MacroToken::Open) => self.skip_parentheses()?,
                Some(MacroToken::Dot | MacroToken::Arrow) => self.at += 2,
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
        if !self.takes(MacroToken::Open) {
            return None;
        }
        while let Some(MacroToken::Name(name, _)) = self.next() {
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
        while self.takes(MacroToken::GlobImport) {}
        let stars = self.at - start;
        (stars > 0 && self.takes(MacroToken::Close)).then_some((named?, spaces, stars))
    }
}

impl<'t> CppWalk<'t> {
    /// Keeps what a macro gives, if its text is one value of which the type can be told.
    pub(super) fn macro_value(
        &mut self,
        def: DefId,
        tokens: &[MacroToken<'t>],
        has_parameters: bool,
        is_parameter: &dyn Fn(&str) -> bool,
    ) {
        let mut reader = MacroValueReader {
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

    fn value_of(&mut self, reader: &mut MacroValueReader<'_, 't>, depth: u32) -> Option<ExprId> {
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
            MacroToken::GlobImport => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                return Some(self.deref(of));
            }
            MacroToken::Address => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                return Some(self.pointer(of));
            }
            MacroToken::Open => {
                reader.at += 1;
                let of = self.value_of(reader, depth)?;
                reader.takes(MacroToken::Close).then_some(of)?
            }
            MacroToken::Name(name, _) if !(reader.is_parameter)(name) => {
                reader.at += 1;
                self.b
                    .name_use(name, FILE_SCOPE, NONE, Role::Read, space::ANY)
            }
            _ => return None,
        };
        self.continued(reader, of)
    }

    /// Calls and members behind a value.
    fn continued(
        &mut self,
        reader: &mut MacroValueReader<'_, 't>,
        mut of: ExprId,
    ) -> Option<ExprId> {
        loop {
            match reader.next() {
                Some(MacroToken::Open) => {
                    reader.skip_parentheses()?;
                    of = self.b.expr(Expr::Call { of, args: NONE });
                }
                Some(sign @ (MacroToken::Dot | MacroToken::Arrow)) => {
                    reader.at += 1;
                    let Some(MacroToken::Name(name, _)) = reader.next() else {
                        return None;
                    };
                    reader.at += 1;
                    if sign == MacroToken::Arrow {
                        of = self.deref(of);
                    }
                    of = self.b.member_use(of, name, NONE, Role::Read, space::VALUE);
                }
                _ => return Some(of),
            }
        }
    }
}
