//! Types of TypeScript that no declaration has: aliases of several types, objects that implement, packages that another
//! package describes.

use crate::support::Host;
use serde_json::{Value, json};

const ALIASES: &str = "
//- /app/a.ts
export interface Shape { area(): number; name: string }
export interface Round { radius: number; name: string }
export type Named = Shape;
export type Both = Shape & { color: string; paint(by: number): void };
export type Either = Shape | Round | null;
export type Copies = { [K in keyof Round]: Round[K][] };
export type Own = { left: number };
export const unit: Shape = { area() { return 1; }, name: 'unit' };
export const make = (): Shape => ({ area: () => 3, name: 'made' });
export class Box implements Named { area() { return 2; } name = ''; }
";

fn members(host: &mut Host, name: &str) -> Vec<String> {
    let data = host.ok("getTypeMembers", json!({ "name": name }));
    let members = data["members"].as_array().unwrap().iter();
    let said = |member: &Value| {
        let from = member["inheritedFrom"].as_str();
        let from = from.map_or(String::new(), |from| format!(" of {from}"));
        format!("{}{from}", member["name"].as_str().unwrap())
    };
    members.map(said).collect()
}

#[test]
fn an_alias_has_the_members_of_what_it_means() {
    let mut host = Host::new(ALIASES);
    let of_shape = ["area of a.Shape", "name of a.Shape"];
    assert_eq!(members(&mut host, "Named"), of_shape);
    let both = members(&mut host, "Both");
    assert_eq!(both[..2], of_shape);
    assert_eq!(both[2..], ["color", "paint"]);
    assert_eq!(members(&mut host, "Either"), ["name of a.Shape"]);
    assert_eq!(
        members(&mut host, "Copies"),
        ["radius of a.Round", "name of a.Round"]
    );
    assert_eq!(members(&mut host, "Own"), ["left"]);
}

#[test]
fn object_literals_implement_what_is_expected_of_them() {
    let mut host = Host::new(ALIASES);
    let data = host.ok(
        "findReferences",
        json!({ "symbol": "Shape.area", "relation": "implementations" }),
    );
    let found = data["declarations"].as_array().unwrap().iter();
    let lines: Vec<i64> = found.map(|of| of["startLine"].as_i64().unwrap()).collect();
    assert_eq!(lines, [8, 9, 10], "{data}");
}

/// `@types/react` describes a package that is installed beside it and has no declarations of its own.
#[test]
fn packages_that_are_installed_are_described_by_others() {
    let mut host = Host::new(
        "
//- /app/src/a.ts
import { useThing } from 'thing';
import { pick } from 'tools/pick';
import { own } from 'owned';
useThing();
pick();
own();
//- /app/node_modules/thing/package.json
{ \"name\": \"thing\", \"main\": \"index.js\" }
//- /app/node_modules/thing/index.js
module.exports = {};
//- /app/node_modules/@types/thing/package.json
{ \"name\": \"@types/thing\", \"types\": \"index.d.ts\", \"main\": \"\" }
//- /app/node_modules/@types/thing/index.d.ts
export declare function useThing(): void;
//- /app/node_modules/tools/package.json
{ \"name\": \"tools\", \"exports\": { \"./*\": \"./dist/*.js\" } }
//- /app/node_modules/@types/tools/package.json
{ \"name\": \"@types/tools\" }
//- /app/node_modules/@types/tools/pick.d.ts
export declare function pick(): void;
//- /app/node_modules/owned/package.json
{ \"name\": \"owned\", \"types\": \"./own.d.ts\" }
//- /app/node_modules/owned/own.d.ts
export declare function own(): void;
//- /app/node_modules/@types/owned/package.json
{ \"name\": \"@types/owned\" }
//- /app/node_modules/@types/owned/index.d.ts
export declare function own(): number;
",
    );
    let mut file = |line: u32| {
        let place = json!({ "filePath": "src/a.ts", "position": { "line": line, "character": 1 } });
        let data = host.ok("resolveSymbolAtPosition", place);
        data["symbol"]["definition"]["filePath"]
            .as_str()
            .map(str::to_owned)
    };
    let at = |path: &str| Some(format!("app/node_modules/{path}"));
    assert_eq!(file(4), at("@types/thing/index.d.ts"));
    assert_eq!(file(5), at("@types/tools/pick.d.ts"));
    assert_eq!(file(6), at("owned/own.d.ts"));
}

/// `#…` of the nearest package, `$lib` of a framework, and nothing outside of the package.
#[test]
fn names_of_a_package_for_its_own_modules_lead_there() {
    let mut host = Host::new(
        "
//- /app/package.json
{ \"name\": \"app\", \"imports\": { \"#text/*\": \"./src/text/*.ts\", \"#conf\": { \"node\": \"./dist/conf.js\" }, \"#out\": \"../secret.ts\", \"#text/none/*\": null } }
//- /app/src/text/trim.ts
export function trimAll() {}
//- /app/src/text/none/hidden.ts
export function hidden() {}
//- /app/src/conf.ts
export const limit = 3;
//- /app/src/main.ts
import { trimAll } from '#text/trim';
import { limit } from '#conf';
import { hidden } from '#text/none/hidden';
trimAll(); limit; hidden();
//- /app/inner/package.json
{ \"name\": \"inner\", \"devDependencies\": { \"@sveltejs/kit\": \"2\" } }
//- /app/inner/src/lib/db.ts
export function query() {}
//- /app/inner/src/routes/page.ts
import { trimAll } from '#text/trim';
import { query } from '$lib/db';
trimAll(); query();
",
    );
    let mut uses = |symbol: &str| {
        let data = host.ok("findReferences", json!({ "symbol": symbol }));
        let found = data["references"].as_array().unwrap().iter();
        let said = |of: &Value| of["filePath"].as_str().unwrap().to_owned();
        let mut files: Vec<String> = found.map(said).collect();
        files.dedup();
        (
            files,
            data["totalByTier"]["name"].as_u64().unwrap_or_default(),
        )
    };
    let main = || vec!["app/src/main.ts".to_owned()];
    assert_eq!(uses("trimAll"), (main(), 2));
    assert_eq!(uses("limit"), (main(), 0));
    assert_eq!(uses("hidden"), (Vec::new(), 2));
    assert_eq!(
        uses("query"),
        (vec!["app/inner/src/routes/page.ts".to_owned()], 0)
    );
}
