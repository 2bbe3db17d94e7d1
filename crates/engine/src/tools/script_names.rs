//! The five `angelscript_*` names under which tools of AngelScript workspaces are known (SPEC D9, D16): the same tools, with
//! the same arguments and answers. Hosts offer them where there is AngelScript, and they answer everywhere.

use crate::calls::boxed;
use crate::tools::search_api;
use crate::tools::tool::{Profile, Tool};
use crate::tools::{hierarchy, members, position, references};

/// A tool under a name of AngelScript's.
const fn renamed(tool: Tool, name: &'static str, reference_name: &'static str) -> Tool {
    Tool {
        name,
        reference_name,
        profile: Profile::Default,
        former_name: None,
        uses: &[],
        ..tool
    }
}

/// Every such name, in the order of the contract.
pub static SCRIPT_TOOLS: [Tool; 5] = [
    renamed(
        search_api::TOOL,
        "angelscript_searchApi",
        "angelscriptSearchApi",
    ),
    renamed(
        members::TOOL,
        "angelscript_getTypeMembers",
        "angelscriptMembers",
    ),
    Tool {
        handler: |cx, args| boxed(hierarchy::handle_script(cx, args)),
        ..renamed(
            hierarchy::TOOL,
            "angelscript_getClassHierarchy",
            "angelscriptHierarchy",
        )
    },
    renamed(
        references::TOOL,
        "angelscript_findReferences",
        "angelscriptReferences",
    ),
    renamed(
        position::TOOL,
        "angelscript_resolveSymbolAtPosition",
        "angelscriptSymbolAt",
    ),
];
