//! What a bundle shows beside callers and meanings: closures, members of short types, mentions and namesakes (SPEC RV1, RV2).

use codecortex_engine::protocol::{FileVersions, GitDiff};
use serde_json::{Value, json};

use crate::review::{ask, bytes};
use crate::support::Host;

/// A workspace in which one file was changed, with three lines of context around what differs.
fn changed(path: &str, old: &str, new: &str, others: &str) -> Host {
    let mut host = Host::new(&format!("//- /app/{path}\n{new}{others}"));
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: format!(
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{}",
            hunk(old, new)
        ),
        versions: vec![FileVersions {
            path: path.into(),
            old: bytes(old),
            new: bytes(new),
        }],
        ..GitDiff::default()
    });
    host
}

/// One hunk of all that is between the first and the last line that differs.
fn hunk(old: &str, new: &str) -> String {
    const CONTEXT: usize = 3;
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(x, y): &(&&str, &&str)| x == y;
    let before = a.iter().zip(&b).take_while(same).count();
    let most = a.len().min(b.len()) - before;
    let behind = a.iter().rev().zip(b.iter().rev()).take_while(same);
    let behind = behind.count().min(most);
    let (from, after) = (before.saturating_sub(CONTEXT), behind.min(CONTEXT));
    let (to_old, to_new) = (a.len() - behind, b.len() - behind);
    let mut text = format!(
        "@@ -{},{} +{},{} @@\n",
        from + 1,
        to_old + after - from,
        from + 1,
        to_new + after - from
    );
    let mut put = |mark: char, lines: &[&str]| {
        for line in lines {
            text.push_str(&format!("{mark}{line}\n"));
        }
    };
    put(' ', &a[from..before]);
    put('-', &a[before..to_old]);
    put('+', &b[before..to_new]);
    put(' ', &a[to_old..to_old + after]);
    text
}

fn bundle(host: &mut Host, tokens: u32) -> Value {
    ask(
        host,
        json!({ "base": "main", "head": "HEAD", "maxTokens": tokens }),
    )
}

/// What a list of the first item shows of a file.
fn of<'d>(data: &'d Value, list: &str, file: &str) -> &'d str {
    let shown = data["bundle"][0][list].as_array().into_iter().flatten();
    let mut of_file = shown.filter(|entry| entry["file_path"] == file);
    of_file
        .next()
        .map_or("", |entry| entry["snippet"].as_str().unwrap())
}

fn context(data: &Value) -> &str {
    data["bundle"][0]["function_context"].as_str().unwrap_or("")
}

/// A function of `lines` lines that are alike.
fn filler(name: &str, lines: u32) -> String {
    (0..lines)
        .map(|at| format!("  const {name}{at} = list[{at}] + {at};\n"))
        .collect()
}

/// `mount` is too long to be shown whole; `scale` in it is not.
fn closure(head: &str) -> String {
    format!(
        "export function mount(list: number[]): number {{
{}  const scale = {head} => {{
{}    return value + inner39;
  }};
{}  return scale(list[0]);
}}
",
        filler("before", 30),
        filler("inner", 40),
        filler("after", 400),
    )
}

#[test]
fn a_closure_is_a_unit_with_its_body_and_its_callers() {
    let (old, new) = (
        closure("(value: number)"),
        closure("(value: number, factor: number)"),
    );
    let mut host = changed("mount.ts", &old, &new, "");
    let index = ask(&mut host, json!({ "step": "index" }));
    let unit = &index["review_index"][0];
    let symbols = unit["symbols"].as_array().unwrap();
    let paths: Vec<&str> = symbols
        .iter()
        .map(|symbol| symbol["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["mount", "mount.scale"], "{unit:#}");
    assert_eq!(symbols[1]["changes"], json!(["parameters"]), "{unit:#}");
    // Nobody else sees the parameters of a closure.
    assert_eq!(unit["change_class"], "PublicBehavior", "{unit:#}");
    let tags = unit["tags"].to_string();
    assert!(!tags.contains("api_signature_changed"), "{tags}");

    let data = bundle(&mut host, 8_000);
    let shown = context(&data);
    assert!(shown.contains("export function mount"), "{shown}");
    assert!(shown.contains("return value + inner39;"), "{shown}");
    assert!(shown.contains("return scale(list[0]);"), "{shown}");
    assert!(!shown.contains("const after200"), "{shown}");

    let found = ask(&mut host, json!({ "step": "findings" }));
    let found = found["findings"].as_array().unwrap().iter();
    let mut found = found.filter(|found| found["category"] == "callers_not_adapted");
    assert_eq!(found.next().unwrap()["evidence"], json!(["mount.ts:475"]));
}

#[test]
fn a_closure_that_is_gone_leaves_no_uses_to_look_for() {
    let old = "def total(prices):\n    def rounded(price):\n        return round(price)\n    return sum(map(rounded, prices))\n";
    let new = "def total(prices):\n    return sum(prices)\n";
    let other = "//- /app/other.py\ndef shown(rounded):\n    return rounded(1)\n";
    let mut host = changed("total.py", old, new, other);
    let data = ask(&mut host, json!({ "step": "findings" }));
    let gone = |found: &&Value| found["category"] == "removed_but_used";
    let found = data["findings"].as_array().into_iter().flatten();
    assert_eq!(found.filter(gone).count(), 0, "{data:#}");
}

#[test]
fn a_member_without_a_body_is_shown_with_all_of_its_short_interface() {
    let of = |send: &str| {
        let fields = |from: u32| {
            let lines = (from..from + 9).map(|at| format!("  field{at}: string;\n"));
            lines.collect::<String>()
        };
        let (before, after) = (fields(0), fields(10));
        format!("export interface Bill {{\n{before}  {send}: void;\n{after}}}\n")
    };
    let (old, new) = (
        of("send(to: string)"),
        of("send(to: string, copy: boolean)"),
    );
    let data = bundle(&mut changed("bill.ts", &old, &new, ""), 4_000);
    let shown = context(&data);
    assert!(shown.contains("field0: string;"), "{shown}");
    assert!(shown.contains("field18: string;"), "{shown}");
}

#[test]
fn a_change_in_a_block_of_members_and_in_none_of_them_shows_the_block() {
    let of = |last: &str| {
        let lines = (0..12).map(|at| format!("        flag{at} => {at},\n"));
        let lines: String = lines.collect();
        format!(
            "pub struct Flags(u32);\n\nimpl Flags {{\n    accessors! {{\n{lines}        last => {last},\n    }}\n}}\n"
        )
    };
    let data = bundle(&mut changed("flags.rs", &of("12"), &of("13"), ""), 4_000);
    let shown = context(&data);
    assert!(shown.contains("impl Flags {"), "{shown}");
    assert!(shown.contains("flag0 => 0,"), "{shown}");
}

#[test]
fn a_prototype_of_what_changed_is_a_mention_and_no_caller() {
    let old = "#include \"pay.h\"\n\nint pay_all(int count)\n{\n  return count;\n}\n";
    let new =
        "#include \"pay.h\"\n\nint pay_all(int count, int price)\n{\n  return count * price;\n}\n";
    let others = "//- /app/pay.h
int pay_all(int count, int price);
//- /app/main.c
#include \"pay.h\"

int main(void)
{
  return pay_all(2, 3);
}
";
    let data = bundle(&mut changed("pay.c", old, new, others), 4_000);
    assert!(
        of(&data, "mentions", "pay.h").contains("int pay_all("),
        "{data:#}"
    );
    assert!(
        of(&data, "callers", "main.c").contains("return pay_all(2, 3);"),
        "{data:#}"
    );
    assert_eq!(of(&data, "callers", "pay.h"), "");
}

#[test]
fn an_export_of_what_changed_is_a_mention() {
    let old = "export function total(prices: number[]): number {\n  return prices[0];\n}\n";
    let new = "export function total(prices: number[], tax: number): number {\n  return prices[0] * tax;\n}\n";
    let others = "//- /app/index.ts\nexport {\n  total,\n} from './total';\n";
    let data = bundle(&mut changed("total.ts", old, new, others), 4_000);
    assert!(
        of(&data, "mentions", "index.ts").contains("total,"),
        "{data:#}"
    );
}

#[test]
fn a_field_that_an_added_line_reads_is_shown_where_it_is_declared() {
    let of = |body: &str| {
        format!(
            "export class Rig {{\n  testDir: string | null = null;\n{}\n  run(): string {{\n    return {body};\n  }}\n}}\n",
            "\n".repeat(12)
        )
    };
    let (old, new) = (of("'here'"), of("this.testDir ?? 'here'"));
    let data = bundle(&mut changed("rig.ts", &old, &new, ""), 4_000);
    let shown = context(&data);
    assert!(shown.contains("testDir: string | null = null;"), "{shown}");
}

/// What a removed call meant is shown, but after what the names on added lines mean, after tests, and after the nearest callers.
#[test]
fn namesakes_are_shown_after_what_is_surer() {
    let old = "from lib.text import squeeze\n\ndef label(name):\n    return squeeze(name)\n";
    let new = "from lib.marks import marked\n\ndef label(name, mark):\n    return marked(name.strip(), mark)\n";
    let others = "//- /app/lib/marks.py
def marked(text, mark):
    return mark + text
//- /app/lib/text.py
def squeeze(text):
    return ' '.join(text.split())
//- /app/tests/test_label.py
from shop.label import label

def test_label():
    assert label(' a ', '*') == '*a'
//- /app/shop/page.py
from shop.label import label
";
    let titles = (10..30).map(|at| {
        format!("\ndef title{at}(page):\n    return label(page.name_of_the_part_{at}, '*')\n")
    });
    let others = others.to_owned() + &titles.collect::<String>();
    let mut host = changed("shop/label.py", old, new, &others);
    let mut states = Vec::new();
    for tokens in (250..2_000).step_by(50) {
        let data = bundle(&mut host, tokens);
        let has = of(&data, "namesakes", "lib/text.py").contains("def squeeze(text):");
        if has {
            let callers = of(&data, "callers", "shop/page.py");
            assert!(callers.matches("return label(").count() >= 8, "{data:#}");
            assert!(of(&data, "definitions", "lib/marks.py").contains("def marked"));
            assert!(of(&data, "tests", "tests/test_label.py").contains("test_label"));
        }
        states.push(has);
    }
    // It comes with more room, and there is room for other things before.
    assert!(
        states.is_sorted() && !states[0] && states[states.len() - 1],
        "{states:?}"
    );
}

/// What the diff of the first item shows.
fn diff(data: &Value) -> &str {
    data["bundle"][0]["diff"].as_str().unwrap_or("")
}

#[test]
fn a_diff_that_takes_most_of_the_room_has_less_around_its_changes() {
    let body = |first: &str| {
        format!(
            "export function total(list: number[]): number {{
{}  const sum = {first};
{}  return sum;
}}
",
            filler("before", 4),
            filler("after", 4)
        )
    };
    let (old, new) = (body("list[0]"), body("list[0] + list[1]"));
    let mut host = changed("total.ts", &old, &new, "");
    let wide = bundle(&mut host, 4_000);
    assert!(diff(&wide).contains(" const before1 "), "{wide:#}");
    assert!(!context(&wide).contains("before1"), "{wide:#}");

    let narrow = bundle(&mut host, 200);
    assert!(diff(&narrow).contains("+  const sum"), "{narrow:#}");
    assert!(!diff(&narrow).contains("before1 "), "{narrow:#}");
    assert!(diff(&narrow).contains("before3 "), "{narrow:#}");
    // What the diff leaves out is a line of the function like others.
    assert!(context(&narrow).contains("const before2 "), "{narrow:#}");
}

#[test]
fn a_new_member_is_shown_with_the_rest_of_a_short_type() {
    let type_of = |more: &str| {
        format!(
            "export class Cart {{
  private items: number[] = [];
  add(item: number): void {{
    this.items.push(item);
  }}
  private limit(): number {{
    return 99;
  }}
  clear(): void {{
    this.items = [];
  }}
{more}}}
"
        )
    };
    let more = "  size(): number {\n    return this.items.length;\n  }\n";
    let mut host = changed("cart.ts", &type_of(""), &type_of(more), "");
    let data = bundle(&mut host, 4_000);
    assert!(
        context(&data).contains("this.items.push(item);"),
        "{data:#}"
    );
}

#[test]
fn names_beside_a_change_have_their_declarations_after_those_of_changed_lines() {
    let body = |rate: &str| {
        format!(
            "import {{ roundedPrice }} from './round';
import {{ reducedTax, usualTax }} from './tax';
export function priced(list: number[]): number {{
  const all = roundedPrice(list);
  const tax = {rate};
  return all * tax;
}}
"
        )
    };
    let other = "//- /app/round.ts
export function roundedPrice(list: number[]): number {
  return Math.round(list[0]);
}
";
    let taxes = "//- /app/tax.ts
export function usualTax(): number {
  return 1.19;
}
export function reducedTax(): number {
  return 1.07;
}
";
    let (old, new) = (body("usualTax()"), body("reducedTax()"));
    let mut host = changed("priced.ts", &old, &new, &(other.to_owned() + taxes));
    let head = "export function roundedPrice(list: number[]): number {";
    let mut states = Vec::new();
    for tokens in (150..1_500).step_by(25) {
        let data = bundle(&mut host, tokens);
        let has = of(&data, "definitions", "round.ts").contains(head);
        let means = of(&data, "definitions", "tax.ts").contains("function reducedTax");
        assert!(means || !has, "{data:#}");
        states.push(has);
    }
    assert!(
        states.is_sorted() && !states[0] && states[states.len() - 1],
        "{states:?}"
    );
}

#[test]
fn what_nobody_resolves_means_nothing_of_another_language() {
    let old = "def label(name):\n    return name\n";
    let new = "def label(name):\n    return name.squeeze().widened()\n";
    let others = "//- /app/web/text.js
export class Text {
  squeeze() {
    return this.text.trim();
  }
}
//- /app/lib/text.py
class Text:
    def widened(self):
        return ' '.join(self.text)
";
    let data = bundle(&mut changed("shop/label.py", old, new, others), 8_000);
    let shown = of(&data, "definitions", "lib/text.py");
    assert!(shown.contains("def widened"), "{data:#}");
    assert!(!data.to_string().contains("text.js"), "{data:#}");
}

#[test]
fn what_nobody_resolves_may_mean_something_of_a_language_on_the_same_platform() {
    let of_body = |body: &str| {
        format!(
            "package shop;\n\nclass Label {{\n  String of(Object name) {{\n    return {body};\n  }}\n}}\n"
        )
    };
    let (old, new) = (of_body("\"\""), of_body("new TextWidener().widened(name)"));
    let others = "//- /app/lib/TextWidener.kt
package lib

class TextWidener {
    fun widened(name: Any): String = name.toString()
}
";
    let data = bundle(&mut changed("shop/Label.java", &old, &new, others), 8_000);
    assert!(data.to_string().contains("class TextWidener"), "{data:#}");
}

#[test]
fn a_word_of_a_string_has_a_namesake_and_no_definition() {
    let of_body = |body: &str| {
        format!(
            "import {{ squeeze }} from '../lib/text';
export function label(name: string): string {{
  return {body};
}}
"
        )
    };
    let (old, new) = (of_body("name"), of_body("squeeze(name + 'widened')"));
    let others = "//- /app/lib/text.ts
export function squeeze(text: string): string {
  return text.trim();
}
//- /app/lib/wide.ts
export function widened(text: string): string {
  return ' ' + text;
}
";
    let data = bundle(&mut changed("shop/label.ts", &old, &new, others), 8_000);
    assert!(of(&data, "definitions", "lib/text.ts").contains("squeeze"));
    assert_eq!(of(&data, "definitions", "lib/wide.ts"), "", "{data:#}");
    let namesake = of(&data, "namesakes", "lib/wide.ts");
    assert!(namesake.contains("function widened"), "{data:#}");
}

#[test]
fn the_rest_of_a_function_comes_before_the_rest_of_a_type() {
    let fields: String = (0..6).map(|at| format!("  field{at}: number;\n")).collect();
    let text = |last: &str, first: &str| {
        format!(
            "export interface Options {{
{fields}  {last}: number;
}}
export function priced(list: number[]): number {{
  const tax = {first};
{}  return list[0] * tax;
}}
",
            filler("after", 12)
        )
    };
    let (old, new) = (text("tax", "1.19"), text("rate", "1.21"));
    let mut host = changed("priced.ts", &old, &new, "");
    let shown = |host: &mut Host, tokens| {
        let data = bundle(host, tokens);
        let shown = context(&data);
        (shown.contains("after11 "), shown.contains("field0"))
    };
    let states: Vec<_> = (150..1_200)
        .step_by(25)
        .map(|tokens| shown(&mut host, tokens))
        .collect();
    let in_order = states
        .iter()
        .all(|(function, of_type)| *function || !of_type);
    assert!(in_order, "{states:?}");
    assert_eq!(states.last(), Some(&(true, true)));
}

/// A lock file that changed by so many lines, beside a function.
fn with_lock(lines: u32) -> Host {
    let (old, new) = (
        "export const rate = () => 1.19;\n",
        "export const rate = () => 1.21;\n",
    );
    let lock: String = (0..lines)
        .map(|at| format!("+  \"package{at}\",\n"))
        .collect();
    let mut host = changed("rate.ts", old, new, "");
    let diff = host.diff.as_mut().unwrap();
    diff.patch += &format!(
        "diff --git a/yarn.lock b/yarn.lock\n--- a/yarn.lock\n+++ b/yarn.lock\n@@ -1,0 +1,{lines} @@\n{lock}"
    );
    host
}

#[test]
fn a_small_diff_of_noise_is_shown_where_room_is_left() {
    let has =
        |host: &mut Host, args: Value| ask(host, args)["bundle"].to_string().contains("package3");
    let named = |tokens: u32| json!({ "base": "main", "head": "HEAD", "maxTokens": tokens });
    let mut small = with_lock(6);
    assert!(has(&mut small, named(2_000)));
    assert!(!has(&mut small, named(300)));
    // Nobody who names no budget pays for it.
    assert!(!has(&mut small, json!({ "base": "main", "head": "HEAD" })));
    // What is left out is said.
    let large = bundle(&mut with_lock(400), 4_000);
    assert!(!large["bundle"].to_string().contains("package3"));
    let said = large["left_out"].as_array().unwrap();
    assert_eq!(said[0]["type"], "noise", "{said:?}");
    assert_eq!(said[0]["details"], "0 of 1 units shown");
    // A change of nothing else is no empty answer.
    let mut alone = with_lock(6);
    let diff = alone.diff.as_mut().unwrap();
    let at = diff.patch.find("diff --git a/yarn.lock").unwrap();
    diff.patch.drain(..at);
    diff.versions.clear();
    assert!(has(&mut alone, named(2_000)));
}

#[test]
fn an_import_tells_which_tests_there_are_where_the_diff_shows_the_others() {
    let (old, new) = (
        "export function total(list: number[]): number {\n  return list[0];\n}\n",
        "export function total(list: number[]): number {\n  return list[1];\n}\n",
    );
    let test = "//- /app/test/total.test.ts
import { total } from '../total';
import { helper } from './helper';
helper('total');
";
    let mut host = changed("total.ts", old, new, test);
    let data = bundle(&mut host, 4_000);
    let shown = of(&data, "mentions", "test/total.test.ts");
    assert!(shown.contains("import { total }"), "{data:#}");
}

#[test]
fn a_bundle_does_not_depend_on_the_order_in_which_files_were_read() {
    let head = |parameters: &str| {
        format!("export function total({parameters}): number {{\n  return list[0];\n}}\n")
    };
    let (old, new) = (
        head("list: number[]"),
        head("list: number[], rest: number[]"),
    );
    // The files come one after the other, and of some there is room for one caller less.
    let shown = |names: [&str; 4], tokens| {
        let mut host = changed("total.ts", &old, &new, "");
        for name in names {
            let path = format!("/w/app/{name}.ts");
            let text =
                format!("import {{ total }} from './total';\nexport const {name} = total([1]);\n");
            host.write(&path, &text);
            host.touched(&[&path]);
        }
        bundle(&mut host, tokens)["bundle"].clone()
    };
    for tokens in [2_000, 260, 240, 220, 200] {
        let forwards = shown(["ab", "ac", "ad", "ae"], tokens);
        assert!(forwards[0]["callers"].is_array(), "{tokens}: {forwards:#}");
        assert_eq!(forwards, shown(["ae", "ad", "ac", "ab"], tokens));
    }
}
