//! Members that the library's containers have, for values of which nobody knows whether they are one.

use codecortex_bind::facts::space;

use super::globals;
use crate::call;
use crate::contextual;
use crate::ids::FileNo;
use crate::library_types::ContainerCall;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Types that hold others.
const CONTAINERS: [&str; 5] = ["Array", "Set", "Map", "Promise", "IteratorObject"];

/// Whether one of them has a member of this name.
pub(super) fn have(resolver: &Resolver<'_>, file: FileNo, member: &str) -> bool {
    let Some(name) = resolver.workspace.name(member) else {
        return false;
    };
    CONTAINERS.iter().any(|of| {
        let of = globals::library_type(resolver, file, of);
        of.is_some_and(|of| {
            let own = resolver.own_members(&resolver.parts(of), name, space::VALUE);
            !own.is_empty()
        })
    })
}

/// What such a member of an array of a type is handed.
pub(super) fn handed(resolver: &Resolver<'_>, held: &Ty, call: ContainerCall<'_>) -> Option<Ty> {
    let function = member_of_array(resolver, held, call)?;
    let handed = contextual::contextual_param(resolver, call.file, &function, call.index).ty;
    (!handed.is_unknown()).then_some(handed)
}

/// What calling such a member of an array of a type gives.
pub(super) fn given(resolver: &Resolver<'_>, held: &Ty, call: ContainerCall<'_>) -> Option<Ty> {
    let function = member_of_array(resolver, held, call)?;
    let given = call::result_of(resolver, call.file, &function.ty, call.args).ty;
    (!given.is_unknown()).then_some(given)
}

fn member_of_array(resolver: &Resolver<'_>, held: &Ty, call: ContainerCall<'_>) -> Option<Typed> {
    let array = globals::library_type(resolver, call.file, "Array")?;
    let array = Ty::Instance(array, [held.clone()].into());
    let name = resolver.workspace.name(call.member)?;
    let found = resolver.member(&array, name, space::VALUE, call.file);
    (!found.defs.is_empty()).then(|| resolver.type_of_found(&found))
}
