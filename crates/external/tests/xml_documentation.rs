//! What XML documentation says, and that no text of that kind ends the reader (SPEC D30).

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_external::{External, Reader, Source};
use proptest::prelude::*;

const SHOP: &str = r#"<?xml version="1.0"?>
<doc>
  <assembly><name>Shop</name></assembly>
  <members>
    <member name="T:Shop.Cart`1">
      <summary>
        Holds what <see cref="T:Shop.Buyer"/> &amp; others
        want, <c>a</c> of <typeparamref name="TItem"/>.
        <para>Second.</para>
      </summary>
      <typeparam name="TItem">What it holds.</typeparam>
    </member>
    <member name="M:Shop.Cart`1.#ctor(System.Int32)"><param name="size">How many.</param></member>
    <member name="M:Shop.Cart`1.Find``1(System.Collections.Generic.List{``0},`0@)">
      <summary>Looks.</summary>
      <typeparam name="TKey">By what.</typeparam>
      <param name="keys">Where.</param>
      <param name="found">What was found.</param>
      <returns>Whether
        there is one.</returns>
    </member>
    <member name="P:Shop.Cart`1.Size"><summary>How many.</summary></member>
    <member name="P:Shop.Cart`1.Item(System.Int32)"/>
    <member name="F:Shop.Cart`1.Most"/>
    <member name="E:Shop.Cart`1.Filled"/>
    <member name="M:Shop.Cart`1.System#IDisposable#Dispose"/>
    <member name="T:Shop.Cart`1.Line"><summary>Of a cart.</summary></member>
    <member name="M:Shop.Cart`1.Line.Price(`0)"/>
    <member name="M:Shop.Tools.Text.event(System.String[],System.Int32[0:,0:])"/>
    <member name="N:Shop"><summary>All.</summary></member>
    <member name="M:Shop.Cart.Of(System.Object)"/>
  </members>
</doc>
"#;

fn read(text: &[u8]) -> External {
    let mut reader = Reader::new();
    reader.add("bin/Shop.xml", text);
    reader.finish()
}

/// Each declaration as `line: kind path: signature`, with the line of the documentation.
fn listed(read: External) -> Vec<String> {
    let mut all = Vec::new();
    for file in read.files {
        assert_eq!((file.ending, file.source), (".cs", Source::External));
        assert_eq!(file.facts.syntax_errors, 0);
        let (facts, origin) = file.into_parts();
        for item in &facts.items {
            let mut path = facts.str(item.name).to_owned();
            let mut around = item.parent;
            while let Some(parent) = around {
                let parent = &facts.items[parent as usize];
                path = format!("{}.{path}", facts.str(parent.name));
                around = parent.parent;
            }
            let line = origin.line(item.name_start.line) + 1;
            let signature = facts.str(item.signature);
            all.push(format!(
                "{line}: {} {path}: {signature}",
                item.kind.as_str()
            ));
        }
    }
    all
}

#[test]
fn members_are_declarations() {
    let read = read(SHOP.as_bytes());
    assert_eq!(read.problems, []);
    let all = listed(read);
    expect_test::expect![[r#"
        31: namespace Shop: namespace Shop
        31: class Shop.Cart: public class Cart
        31: method Shop.Cart.Of: public Of(object)
        5: namespace Shop: namespace Shop
        5: class Shop.Cart: public class Cart<TItem>
        13: constructor Shop.Cart.Cart: public Cart(int size)
        14: method Shop.Cart.Find: public Find<TKey>(System.Collections.Generic.List<TKey> keys, ref TItem found)
        22: property Shop.Cart.Size: public Size { get; }
        23: property Shop.Cart.this[]: public this[int] { get; }
        24: field Shop.Cart.Most: public Most
        25: event Shop.Cart.Filled: public event Filled
        27: class Shop.Cart.Line: public class Line
        28: method Shop.Cart.Line.Price: public Price(TItem)
        29: namespace Shop.Tools: namespace Shop.Tools
        29: class Shop.Tools.Text: public class Text
        29: method Shop.Tools.Text.event: public @event(string[], int[,])"#]].assert_eq(&all.join("\n"));
}

#[test]
fn texts_are_documentation() {
    let read = read(SHOP.as_bytes());
    let docs: Vec<&str> = read
        .files
        .iter()
        .flat_map(|file| file.facts.items.iter().map(|item| file.facts.str(item.doc)))
        .filter(|doc| !doc.is_empty())
        .collect();
    assert_eq!(
        docs,
        [
            "Holds what Shop.Buyer & others want, a of TItem.\nSecond.",
            "Looks.\nReturns: Whether there is one.",
            "How many.",
            "Of a cart.",
        ]
    );
}

#[test]
fn what_is_broken_is_told_and_the_rest_counts() {
    let cut = &SHOP[..SHOP.find("P:Shop.Cart`1.Size").unwrap()];
    let crossed = SHOP.replace("<c>a</c>", "<c>a</d>");
    let cases = [
        (cut.to_owned(), "not XML", 3),
        (crossed, "not XML from line 8", 1),
        (SHOP.replace("</members>\n</doc>", ""), "in the middle", 12),
        (
            SHOP.replace("P:Shop.Cart`1.Size", "Q: ; class X { }"),
            "1 of its ids",
            11,
        ),
        (SHOP.replace("doc>", "project>"), "its root is not `doc`", 0),
        (
            r#"<doc><members/></doc>"#.to_owned(),
            "documents nothing",
            0,
        ),
        (format!("<doc>{}", "<a>".repeat(100_000)), "too deeply", 0),
        ("MZ\u{0}\u{1}".to_owned(), "", 0),
    ];
    for (text, problem, least) in cases {
        let read = read(text.as_bytes());
        let problems = &read.problems;
        assert_eq!(problems.len(), 1, "{problem}: {problems:?}");
        assert!(problems[0].1.contains(problem), "{problem}: {problems:?}");
        assert!(listed(read).len() >= least, "{problem}");
    }
}

#[test]
fn large_files_take_the_time_that_they_are_long() {
    let member = |number: usize| {
        format!(
            "<member name=\"M:A.B{}.C.D{number}(System.Int32)\"><summary>x</summary></member>\n",
            number / 50
        )
    };
    let of_one = |number: usize| format!("<member name=\"M:A.All.D{number}\"/>\n");
    let members: String = (0..4_000).map(member).collect();
    let one: String = (0..6_000).map(of_one).collect();
    let text = format!("<doc><members>{members}{one}</members></doc>");
    let read = read(text.as_bytes());
    assert_eq!(read.problems, []);
    let items: usize = read.files.iter().map(|file| file.facts.items.len()).sum();
    assert!(items >= 10_080, "{items}");
}

proptest! {
    #[test]
    fn no_text_ends_the_reader(at in 0..SHOP.len(), byte in any::<u8>(), id in "[TMPFEN!]:[A-Za-z.`#(){},@*~0-9\\[\\]: ]{0,60}") {
        let mut bytes = SHOP.as_bytes().to_vec();
        bytes[at] = byte;
        let _ = read(&bytes);
        let _ = read(&bytes[..at]);
        let read = read(SHOP.replace("P:Shop.Cart`1.Size", &id).as_bytes());
        // Whatever an id says, what is written for it is C#, and no declaration ends early.
        for file in &read.files {
            prop_assert_eq!(file.facts.syntax_errors, 0, "{}", id);
        }
    }
}
