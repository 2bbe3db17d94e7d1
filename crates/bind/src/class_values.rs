//! Classes by other names, where a class is a value: `Q = P`, `const M = mixin(P)`, `function pick() { return P; }`.
//!
//! A base may be written by such a name. Who asks for what derives from `P` looks for bases under the names that lead to
//! it, so a file says which of its names do.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Bindings, Def, DefId, DefKind, Expr, ExprId, NONE, NameId, ScopeId, flag};

/// Names that one value may stand for.
const MOST: usize = 16;

/// Marks what holds or gives a class by [`flag::HOLDS_CLASS`].
pub(crate) fn mark(bindings: &mut Bindings) {
    let mut classes = Classes::of(bindings);
    // What is given by a function further down is known when it is come by again.
    for _ in 0..2 {
        for index in 0..bindings.defs.len() {
            let def = &bindings.defs[index];
            if def.flags & flag::HOLDS_CLASS == 0
                && !classes.named_by(bindings, index as DefId).is_empty()
            {
                classes.givers.insert(def.name);
                bindings.defs[index].flags |= flag::HOLDS_CLASS;
            }
        }
    }
}

/// The names of classes by what holds or gives them.
pub(crate) fn renamed(bindings: &Bindings) -> Vec<(NameId, DefId)> {
    let holds = |def: &Def| def.flags & flag::HOLDS_CLASS != 0 && may_hold(def);
    if !bindings.defs.iter().any(holds) {
        return Vec::new();
    }
    let mut classes = Classes::of(bindings);
    let givers = bindings.defs.iter().filter(|def| holds(def));
    classes.givers.extend(givers.map(|def| def.name));
    let mut renamed = Vec::new();
    for (index, def) in bindings.defs.iter().enumerate() {
        if holds(def) {
            let names = classes.named_by(bindings, index as DefId).into_iter();
            let names = names.filter(|name| *name != def.name);
            renamed.extend(names.map(|name| (name, index as DefId)));
        }
    }
    renamed
}

/// The names that a base is written with: of a call that of the function and those of what it is given.
pub(crate) fn names_in_base(bindings: &Bindings, base: ExprId) -> Vec<NameId> {
    let mut names = Vec::new();
    let mut open = vec![base];
    while let Some(at) = open.pop() {
        if names.len() >= MOST || open.len() > MOST {
            break;
        }
        match bindings.expr(at) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => add(&mut names, name),
            Expr::Apply { of, .. }
            | Expr::Pointer { of }
            | Expr::Index { of, .. }
            | Expr::New { of, .. }
            | Expr::Value { of } => open.push(of),
            Expr::Call { of, args } => {
                open.extend(bindings.list(args).iter().rev());
                open.push(of);
            }
            Expr::Union { of } => open.extend(bindings.list(of).iter().rev()),
            _ => {}
        }
    }
    names
}

/// What can hold or give a class.
fn may_hold(def: &Def) -> bool {
    use DefKind::{Constant, Field, Function, Lambda, Method, Property, Variable};
    matches!(
        def.kind,
        Variable | Constant | Field | Property | Function | Method | Lambda
    )
}

/// Names of a file that stand for classes.
struct Classes {
    /// Those of types, and of what is imported.
    types: FxHashSet<NameId>,
    /// Those of what holds or gives a class.
    givers: FxHashSet<NameId>,
    /// What else a variable is assigned.
    assigned: FxHashMap<(ScopeId, NameId), Vec<ExprId>>,
}

impl Classes {
    fn of(bindings: &Bindings) -> Self {
        let is_type = |def: &&Def| def.kind.is_type() || def.kind == DefKind::Alias;
        let types = bindings.defs.iter().filter(is_type).map(|def| def.name);
        let mut assigned: FxHashMap<(ScopeId, NameId), Vec<ExprId>> = FxHashMap::default();
        for assignment in &bindings.assignments {
            if let Expr::Name { name, scope, .. } = bindings.expr(assignment.to) {
                let values = assigned.entry((scope, name)).or_default();
                if values.len() < MOST {
                    values.push(assignment.value);
                }
            }
        }
        Self {
            types: types.collect(),
            givers: FxHashSet::default(),
            assigned,
        }
    }

    /// The names of the classes that a definition holds or gives.
    fn named_by(&self, bindings: &Bindings, of: DefId) -> Vec<NameId> {
        let mut names = Vec::new();
        let Some(def) = bindings.defs.get(of as usize).filter(|def| may_hold(def)) else {
            return names;
        };
        let is_class_like = bindings.name(def.name).starts_with(char::is_uppercase);
        let is_function = def.kind.is_callable();
        if is_function {
            self.add_declared(bindings, def.ty, &mut names);
        }
        self.add(bindings, def.value, is_class_like, &mut names);
        if !is_function && let Some(values) = self.assigned.get(&(def.scope, def.name)) {
            for value in values {
                self.add(bindings, *value, is_class_like, &mut names);
            }
        }
        names
    }

    /// Adds the names that a value is: those of types, and those by which a class is given.
    fn add(
        &self,
        bindings: &Bindings,
        value: ExprId,
        is_class_like: bool,
        names: &mut Vec<NameId>,
    ) {
        let mut open = vec![value];
        while let Some(at) = open.pop() {
            if names.len() >= MOST || open.len() > MOST {
                return;
            }
            match bindings.expr(at) {
                Expr::Name { name, .. } if self.is_known(name) => add(names, name),
                Expr::Member { name, .. }
                    if self.is_known(name)
                        || bindings.name(name).starts_with(char::is_uppercase) =>
                {
                    add(names, name);
                }
                // `const M = mixin(P)`: most calls of what is imported give no class.
                Expr::Call { of, args } => {
                    if let Expr::Name { name, .. } | Expr::Member { name, .. } = bindings.expr(of)
                        && (self.givers.contains(&name)
                            || is_class_like && !self.types.contains(&name))
                    {
                        add(names, name);
                        open.extend(bindings.list(args).iter().rev());
                    }
                }
                Expr::Union { of } => open.extend(bindings.list(of).iter().rev()),
                Expr::Value { of } => open.push(of),
                // `const pick = () => P`
                Expr::Function { def } => {
                    let given = bindings.defs.get(def as usize);
                    open.extend(given.map(|def| def.value));
                }
                _ => {}
            }
        }
    }

    /// Adds the names of a declared result that is a class: `typeof P`, `new () => P`, `type[P]`.
    fn add_declared(&self, bindings: &Bindings, ty: ExprId, names: &mut Vec<NameId>) {
        let class = match bindings.expr(ty) {
            Expr::TypeOf { of } => of,
            Expr::Function { def } => bindings.defs.get(def as usize).map_or(NONE, |def| def.ty),
            Expr::Apply { of, args } => match bindings.expr(of) {
                Expr::Name { name, .. } | Expr::Member { name, .. }
                    if matches!(bindings.name(name), "type" | "Type") =>
                {
                    bindings.list(args).first().copied().unwrap_or(NONE)
                }
                _ => NONE,
            },
            _ => NONE,
        };
        if let Expr::Name { name, .. } | Expr::Member { name, .. } = bindings.expr(class) {
            add(names, name);
        }
    }

    fn is_known(&self, name: NameId) -> bool {
        self.types.contains(&name) || self.givers.contains(&name)
    }
}

fn add(names: &mut Vec<NameId>, name: NameId) {
    if !names.contains(&name) {
        names.push(name);
    }
}
