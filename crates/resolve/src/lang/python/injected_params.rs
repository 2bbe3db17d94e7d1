//! Dependency injection by parameters' names: pytest gives a test what the fixture of a parameter's name makes.

use codecortex_bind::facts::{Def, DefKind, NONE, flag};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::paths::{joined, split_path};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The decorator that makes a fixture of a function.
const DECORATOR: &str = "fixture";

/// How names of tests begin.
const TEST: &str = "test";

/// The file of a folder whose fixtures the tests in the folder and below it see.
const SHARED: &str = "conftest.py";

/// What a parameter without annotation of a test or fixture is: what the nearest fixture of its name makes.
pub(super) fn injected(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let bound = resolver.file(at.file)?;
    let function = DefRef {
        file: at.file,
        def: bound.scope(def.scope).owner,
    };
    let name = resolver.name_of(at)?;
    if function.def == NONE || def.value != NONE || !is_given(resolver, function) {
        return None;
    }
    let fixture = fixture_of(resolver, at.file, name, function)?;
    made_by(resolver, fixture).map(Typed::inferred)
}

/// Whether pytest calls a function.
fn is_given(resolver: &Resolver<'_>, function: DefRef) -> bool {
    let name = resolver.name_of(function);
    let is_test = name.is_some_and(|name| resolver.workspace.text(name).starts_with(TEST));
    is_test || is_fixture(resolver, function)
}

fn is_fixture(resolver: &Resolver<'_>, function: DefRef) -> bool {
    let decorator = || {
        let bound = resolver.file(function.file)?;
        let def = bound.def(function.def);
        let is_function = matches!(def.kind, DefKind::Function | DefKind::Method);
        if !is_function || def.flags & flag::DECORATED == 0 {
            return None;
        }
        bound.head_name(bound.decorated(function.def)?)
    };
    decorator().is_some_and(|name| resolver.workspace.text(name) == DECORATOR)
}

/// The fixture of a name: of the file itself, else of the nearest folder around it. A fixture that takes its own name
/// is given what the one further out makes.
fn fixture_of(resolver: &Resolver<'_>, from: FileNo, name: Name, asking: DefRef) -> Option<DefRef> {
    let in_file = |file: FileNo| {
        let bound = resolver.file(file)?;
        let local = bound.local(name)?;
        let named = (0..bound.defs().len() as u32).filter(|def| bound.def(*def).name == local);
        let mut named = named.map(|def| DefRef { file, def });
        named.find(|def| *def != asking && is_fixture(resolver, *def))
    };
    if let Some(found) = in_file(from) {
        return Some(found);
    }
    let mut folder = split_path(resolver.workspace.path(from)?).0;
    loop {
        let shared = resolver.workspace.file_at(&joined(folder, SHARED));
        if let Some(found) = shared.filter(|file| *file != from).and_then(in_file) {
            return Some(found);
        }
        if folder.is_empty() {
            return None;
        }
        folder = split_path(folder).0;
    }
}

/// What a fixture makes: what it returns, or yields.
fn made_by(resolver: &Resolver<'_>, fixture: DefRef) -> Option<Ty> {
    let def = resolver.def(fixture)?;
    let made = match (def.flags & flag::GENERATOR != 0, def.ty) {
        (true, NONE) => {
            let value = ExprRef {
                file: fixture.file,
                expr: def.value,
            };
            resolver.type_of(value).ty
        }
        // `Iterator[T]`, `AsyncGenerator[T, None]`.
        (true, _) => match resolver.declared_result(fixture).ty {
            Ty::External(_, args) | Ty::Instance(_, args) => args.first()?.clone(),
            Ty::Array(of) => (*of).clone(),
            _ => return None,
        },
        (false, _) => resolver.declared_result(fixture).ty,
    };
    (!made.is_unknown()).then_some(made)
}
