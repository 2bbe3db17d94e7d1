//! The forms of an outline that are one text (SPEC H1, `000` §3.4, §6).

use crate::support::{Host, MIXED, moved};
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/src/Shop.cs
namespace Shop;
/// <summary>
/// Takes orders.
/// More about it.
/// </summary>
public class Orders : Service, IOrders, IDisposable, System.IEquatable<Orders> {
    public Orders(Clock clock) { }
    public event EventHandler? Changed;
    public Receipt Place(Basket basket, string note = \"\") => null!;
    public Receipt Place(Basket basket) => null!;
    protected internal Basket Last { get; set; }
    public const int Most = 3;
    internal Clock clock;
    private Secret secret;
    public enum State { Open, Closed }
}
public class Service : ExternalBase { }
public interface IOrders { Receipt Place(Basket basket); }
public class Receipt { }
public class Basket { }
public class Clock { }
public class Secret { }
public delegate Receipt Placing(Basket basket);
public struct Money : IComparable { }
//- /app/lib/src/lib.rs
/// A store.
pub struct Store { pub items: Vec<Item>, count: usize }
pub struct Item;
pub trait Keep { fn keep(&self, item: Item); }
impl Keep for Store { fn keep(&self, item: Item) {} }
impl Store { pub fn new() -> Self { todo!() } pub(crate) fn inner(&self) {} fn own(&self) {} }
pub fn open(path: &str) -> Store { fn local() {} todo!() }
mod hidden { pub struct Deep { pub at: u8 } }
//- /app/web/cart.ts
export interface Line { id: string }
/** Holds lines. */
export class Cart<T extends Line> extends Base implements Iterable<T>, Sized {
    private lines: T[] = [];
    add(line: T): Line { const inner = () => 1; return line; }
    get size(): number { return 1; }
}
export type Carts = Map<string, Cart<Line>>;
export const total = (cart: Cart<Line>): number => 0;
//- /app/go/server.go
package server
type Handler interface { Serve(conn Conn) error }
type Conn struct { Addr string }
type Server struct { Conn; handlers []Handler }
func (s *Server) Listen(port int) (Conn, error) { return Conn{}, nil }
func (s *Server) close() {}
//- /app/py/store.py
class Base: ...
class Store(Base):
    '''Keeps things.'''
    limit: int = 3
    def put(self, thing: 'Thing') -> Base: ...
    def _own(self): ...
class Thing: ...
";

fn text(host: &mut Host, args: Value) -> String {
    let data = host.ok("getOutline", args);
    assert!(data.get("declarations").is_none(), "{data}");
    data["outlineText"].as_str().unwrap().to_owned()
}

fn check(fixture: &str, args: Value, expected: Expect) {
    expected.assert_eq(&text(&mut Host::new(fixture), args));
}

fn outline(symbol: &str) -> Value {
    json!({ "symbol": symbol, "form": "outline" })
}

fn compact(symbol: &str) -> Value {
    json!({ "symbol": symbol, "form": "compact" })
}

#[test]
fn a_type_s_outline_is_of_the_exact_form() {
    check(
        MIXED,
        outline("NodeStore"),
        expect![[r#"
            # Memo.Core.NodeStore T_zctqva5w
            Kind: class | Files: src/Store.Part.cs,src/Store.cs | Assembly: | StructureHash: 7DSPK7ZZ
            PublicImplHash: VS5R2R77 | InternalImplHash: 60J8AE3R | ImplHash: BCFYA5BT
            XmlDocHash: YCH04F01
            XMLDOC: Keeps nodes by id.

            Public API:
              + public int Size { get; }
              + public void Add(int id)
              + public void Add(string name, int id)

            Implements: IStore
            DependsOn: Memo.Core.Base
        "#]],
    );
    check(
        SHOP,
        outline("Shop.Orders"),
        expect![[r##"
            # Shop.Orders T_aag5bx7k
            Kind: class | Files: src/Shop.cs | Assembly: | StructureHash: W5VPA9XM
            PublicImplHash: BCX76KKK | InternalImplHash: E25MF9AE | ImplHash: A181MEBZ
            XmlDocHash: ZR047TMV
            XMLDOC: Takes orders.

            Public API:
              + public enum State
              + public const int Most = 3
              + protected internal Basket Last { get; set; }
              + public event EventHandler? Changed
              + public Orders(Clock clock)
              + public Receipt Place(Basket basket)
              + public Receipt Place(Basket basket, string note = "")

            Implements: IOrders, IDisposable, System.IEquatable<Orders>
            DependsOn: Shop.Service, Shop.Basket, Shop.Receipt, Shop.Clock
        "##]],
    );
    check(
        SHOP,
        outline("lib.Store"),
        expect![[r#"
            # lib::Store T_qzsss5d1
            Kind: struct | Files: lib/src/lib.rs | Assembly: lib | StructureHash: KV31V1VM
            PublicImplHash: 5W1QZ7DX | InternalImplHash: GSW0Z22D | ImplHash: 3HXK83W1
            XmlDocHash: 21HWVB88
            XMLDOC: A store.

            Public API:
              + pub items: Vec<Item>
              + fn keep(&self, item: Item)
              + pub fn new() -> Self

            Implements: Keep
            DependsOn: lib::Item
        "#]],
    );
    check(
        SHOP,
        outline("Cart"),
        expect![[r#"
            # web/cart.Cart T_eprc114r
            Kind: class | Files: web/cart.ts | Assembly: web/cart | StructureHash: A2GAZNF0
            PublicImplHash: 2S07G2K0 | InternalImplHash: DWK8QG75 | ImplHash: 0ZJ3HTFF
            XmlDocHash: 9V7B546K
            XMLDOC: Holds lines.

            Public API:
              + get size(): number
              + add(line: T): Line

            Implements: Iterable<T>, Sized
            DependsOn: Base, web/cart.Line
        "#]],
    );
    check(
        SHOP,
        outline("Server"),
        expect![[r#"
            # server.Server T_996j2d9k
            Kind: struct | Files: go/server.go | Assembly: server | StructureHash: M2NRT7D7
            PublicImplHash: MW9F1QAM | InternalImplHash: KEREWSEC | ImplHash: 3A4T84FG
            XmlDocHash: KP88XKXP
            XMLDOC:

            Public API:
              + Conn
              + func (s *Server) Listen(port int) (Conn, error)

            Implements:
            DependsOn: server.Conn
        "#]],
    );
    check(
        SHOP,
        outline("store.Store"),
        expect![[r#"
            # store.Store T_39797qj3
            Kind: class | Files: py/store.py | Assembly: store | StructureHash: DDX8ES2M
            PublicImplHash: Y9WDQ764 | InternalImplHash: WJ1V8QJP | ImplHash: TPT7HXPY
            XmlDocHash: KRDNS3R4
            XMLDOC: Keeps things.

            Public API:
              + limit: int = 3
              + def put(self, thing: 'Thing') -> Base

            Implements:
            DependsOn: store.Base, store.Thing
        "#]],
    );
    check(
        SHOP,
        outline("Placing"),
        expect![[r#"
            # Shop.Placing T_p94gmxqg
            Kind: delegate | Files: src/Shop.cs | Assembly: | StructureHash: 2CYK42AF
            PublicImplHash: WERC8GMR | InternalImplHash: WERC8GMR | ImplHash: P6ZB85PV
            XmlDocHash: KP88XKXP
            XMLDOC:

            Public API:
              + public delegate Receipt Placing(Basket basket)

            Implements:
            DependsOn: Shop.Basket, Shop.Receipt
        "#]],
    );
    check(
        SHOP,
        outline("Money"),
        expect![[r#"
            # Shop.Money T_excx3yw8
            Kind: struct | Files: src/Shop.cs | Assembly: | StructureHash: 9YS1VMFY
            PublicImplHash: WERC8GMR | InternalImplHash: WERC8GMR | ImplHash: P6ZB85PV
            XmlDocHash: KP88XKXP
            XMLDOC:

            Public API:

            Implements: IComparable
            DependsOn:
        "#]],
    );
}

#[test]
fn a_member_s_outline_has_each_overload() {
    check(
        SHOP,
        outline("Shop.Orders.Place"),
        expect![[r##"
        # Shop.Orders.Place T_aag5bx7k_arccvz
        Kind: method | File: src/Shop.cs:9 | In: T_aag5bx7k
          + public Receipt Place(Basket basket, string note = "")
        DependsOn: Shop.Basket, Shop.Receipt
        # Shop.Orders.Place T_aag5bx7k_f3qzj0
        Kind: method | File: src/Shop.cs:10 | In: T_aag5bx7k
          + public Receipt Place(Basket basket)
        DependsOn: Shop.Basket, Shop.Receipt
    "##]],
    );
    check(
        SHOP,
        outline("Cart.size"),
        expect![[r#"
        # web/cart.Cart.size T_eprc114r_42ryhq
        Kind: property | File: web/cart.ts:6 | In: T_eprc114r
          + get size(): number
    "#]],
    );
    check(
        SHOP,
        outline("open"),
        expect![[r#"
        # lib::open T_mzxwwvmy_rb8sv4
        Kind: function | File: lib/src/lib.rs:7 | In: T_mzxwwvmy
          + pub fn open(path: &str) -> Store
        DependsOn: lib::Store
    "#]],
    );
}

#[test]
fn the_compact_form() {
    check(
        MIXED,
        compact("NodeStore"),
        expect![[r#"
        partial class Memo.Core.NodeStore : Base, IStore
        method:
        void Add(int id)
        void Add(string name, int id)
        private field:
        int count
        property:
        int Size { get; }
    "#]],
    );
    check(
        SHOP,
        compact("Shop.Orders"),
        expect![[r#"
        class Shop.Orders : Service, IOrders, IDisposable, System.IEquatable<Orders>
        event EventHandler? Changed
        enum State
         Open
         Closed
        constructor:
        Orders(Clock clock)
        method:
        Receipt Place(Basket basket, string note = "")
        Receipt Place(Basket basket)
        protected property:
        protected internal Basket Last { get; set; }
        constant:
        const int Most = 3
        internal field:
        Clock clock
        private field:
        Secret secret
    "#]],
    );
    check(
        SHOP,
        compact("lib.Store"),
        expect![[r#"
        struct lib::Store
        field:
        items: Vec<Item>
        private field:
        count: usize
        method:
        fn keep(&self, item: Item)
        fn new() -> Self
        internal method:
        fn inner(&self)
        private method:
        fn own(&self)
    "#]],
    );
    check(
        SHOP,
        compact("Shop.Orders.Place"),
        expect![[r#"
        method:
        Receipt Shop.Orders.Place(Basket basket, string note = "")
        Receipt Place(Basket basket)
    "#]],
    );
    check(
        SHOP,
        compact("store.Store"),
        expect![[r#"
        class store.Store(Base)
        field:
        limit: int = 3
        method:
        def put(self, thing: 'Thing') -> Base
        private method:
        def _own(self)
    "#]],
    );
    for_file(
        "lib/src/lib.rs",
        expect![[r#"
        app/lib/src/lib.rs
        struct Store
         field:
         items: Vec<Item>
         private field:
         count: usize
        struct Item
        trait Keep
         method:
         fn keep(&self, item: Item)
        impl Keep for Store
         method:
         fn keep(&self, item: Item)
        impl Store
         method:
         fn new() -> Self
         internal method:
         fn inner(&self)
         private method:
         fn own(&self)
        mod hidden
         struct Deep
          field:
          at: u8
        function:
        fn open(path: &str) -> Store
    "#]],
    );
    for_file(
        "web/cart.ts",
        expect![[r#"
        app/web/cart.ts
        interface Line
         property:
         id: string
        class Cart<T extends Line> extends Base implements Iterable<T>, Sized
         private field:
         lines: T[] = []
         method:
         add(line: T): Line
         property:
         get size(): number
        type Carts = Map<string, Cart<Line>>
        function:
        const total = (cart: Cart<Line>): number
    "#]],
    );
    for_file(
        "go/server.go",
        expect![[r#"
        app/go/server.go
        type Handler interface
         method:
         Serve(conn Conn) error
        type Conn struct
         field:
         Addr string
        type Server struct
         field:
         Conn
         internal field:
         handlers []Handler
        method:
        func (s *Server) Listen(port int) (Conn, error)
        internal method:
        func (s *Server) close()
    "#]],
    );
}

fn for_file(path: &str, expected: Expect) {
    check(
        SHOP,
        json!({ "filePath": path, "form": "compact" }),
        expected,
    );
}

#[test]
fn forms_can_be_cut_and_gone_on_with() {
    let mut host = Host::new(SHOP);
    for (form, budget) in [("outline", 200), ("compact", 170)] {
        let whole = text(&mut host, json!({ "symbol": "Shop.Orders", "form": form }));
        let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
        let total = loop {
            pages += 1;
            assert!(pages < 20, "it ends");
            let args = json!({ "symbol": "Shop.Orders", "form": form, "maxTokens": budget, "cursor": cursor });
            let data = host.ok("getOutline", args);
            let text = data["outlineText"].as_str().unwrap().to_owned();
            assert_eq!(text.lines().next(), whole.lines().next());
            seen.extend(text.lines().map(str::to_owned));
            cursor = data["nextCursor"].clone();
            if cursor.is_null() {
                break data["total"].as_u64().unwrap();
            }
        };
        for line in whole.lines() {
            assert!(
                seen.iter().any(|seen| seen == line),
                "{form}: {line} of {seen:?}"
            );
        }
        assert!(total > 3 && pages > 1, "{total} {pages}");
    }
    let mut args = json!({ "symbol": "Shop.Orders", "form": "outline", "maxTokens": 200 });
    let cursor = &host.ok("getOutline", args.clone())["nextCursor"];
    args["cursor"] = moved(cursor, 999);
    let error = host.fail("getOutline", args);
    assert_eq!(error["code"], "InvalidParams");
}

#[test]
fn the_text_form_is_the_outline_itself() {
    let mut host = Host::new(SHOP);
    let whole = text(&mut host, outline("Shop.Orders"));
    let answer = host.call_at(
        "codecortex_getOutline",
        json!({ "symbol": "Shop.Orders", "form": "outline", "format": "text" }),
        codecortex_engine::protocol::Caller::default(),
    );
    let said = answer.text.unwrap();
    let account = said.strip_prefix(&whole).unwrap();
    assert!(
        account.starts_with("// ") && account.lines().count() == 1,
        "{account}"
    );
}

#[test]
fn a_type_is_found_behind_what_extends_it() {
    let mut host = Host::new(
        "//- /app/src/a.rs\nimpl Engine { pub fn early(&self) {} }\n//- /app/src/engine.rs\npub struct Engine;\nimpl Engine { pub fn late(&self) {} }\n",
    );
    let data = host.ok(
        "getOutline",
        json!({ "symbol": "Engine", "form": "outline" }),
    );
    let text = data["outlineText"].as_str().unwrap();
    assert!(
        text.contains("Engine T_") && text.contains("fn late"),
        "{text}"
    );
}

#[test]
fn the_case_that_is_written_counts_more_than_a_whole_path() {
    let mut host = Host::new(
        "//- /app/Cargo.toml\n//- /app/src/lib.rs\nmod engine;\n//- /app/src/engine.rs\npub struct Engine;\n",
    );
    let data = host.ok("resolveSymbol", json!({ "symbol": "Engine" }));
    assert_eq!(data["candidates"][0]["kind"], "struct", "{data}");
}

/// A person's editor needs exact places; what it asks is neither booked nor remembered as a use.
#[test]
fn editors_are_told_exact_ranges_and_leave_no_trace() {
    let mut host = Host::new(MIXED);
    let caller = Caller {
        kind: CallerKind::Editor,
        ..Caller::default()
    };
    let mut ask = |tool: &str, args: Value| -> Value {
        let answer = host.call_at(&format!("codecortex_{tool}"), args, caller);
        serde_json::from_str(&answer.json.unwrap()).unwrap()
    };
    let outline = ask("getOutline", json!({ "filePath": "pkg/tools.py" }));
    let first = &outline["data"]["declarations"][0];
    assert_eq!(first["name"], "HttpClient");
    assert_eq!(
        first["nameRange"],
        json!({ "start": { "line": 0, "character": 6 }, "end": { "line": 0, "character": 16 } })
    );
    assert_eq!(
        first["range"]["start"],
        json!({ "line": 0, "character": 0 })
    );
    let found = ask("searchApi", json!({ "labelQuery": "get_page" }));
    let range = &found["data"]["items"][0]["nameRange"];
    assert_eq!(range["start"], json!({ "line": 2, "character": 8 }));
    ask("getOutline", json!({ "symbol": "NodeStore" }));
    let window = host.ok("getContext", json!({}));
    assert!(!window.to_string().contains("NodeStore"), "{window}");
    let usual = host.ok("getOutline", json!({ "filePath": "pkg/tools.py" }));
    assert!(usual["declarations"][0].get("range").is_none());
}

const BANK: &str = "
//- /app/src/Bank.cs
namespace Bank;

public class Account : Base
{
    private decimal balance;
    private string owner;
    private const decimal Most = 100;

    // One.
    public void Skip() { }

    /// <summary>
    /// Takes money.
    /// </summary>
    [Checked]
    public void Deposit(decimal amount)
    {
        if (amount < Most)
            balance += amount;
    }

    public void Deposit() { }
}
//- /app/web/url.ts
export function one(): number {
  return 1;
}
";

/// SPEC H1: the code of a declaration with its head, what it names of its container, and its documentation.
#[test]
fn source_is_the_code_with_what_it_needs() {
    let mut host = Host::new(BANK);
    let args = json!({ "symbol": "Account.Deposit(decimal)", "form": "source" });
    let mut wanted = args.clone();
    wanted["format"] = "text".into();
    let answer = host.call_at("codecortex_getOutline", wanted, Caller::default());
    let text = answer.text.expect("a text was asked for");
    expect![[r#"
        // Bank.Account.Deposit · app/src/Bank.cs:15-20 · csharp
        3: public class Account : Base
        4: {
        5:     private decimal balance;
        … 1 line
        7:     private const decimal Most = 100;
        … 4 lines
        12:     /// <summary>
        13:     /// Takes money.
        14:     /// </summary>
        15:     [Checked]
        16:     public void Deposit(decimal amount)
        17:     {
        18:         if (amount < Most)
        19:             balance += amount;
        20:     }
    "#]]
    .assert_eq(&code(&text));
    let data = host.ok("getOutline", args);
    assert_eq!(data["sources"][0]["startLine"], 15);
    assert_eq!(
        data["sources"][0]["resolved"]["path"],
        "Bank.Account.Deposit"
    );
    assert!(
        data["sources"][0]["source"]
            .as_str()
            .unwrap()
            .starts_with("3: public class")
    );
}

/// Without the account at the end.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains(" tokens"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn source_of_several_symbols_names_what_is_not_there() {
    let mut host = Host::new(BANK);
    let args = json!({ "symbol": ["one", "Account.Skip", "Nobody"], "form": "source" });
    let data = host.ok("getOutline", args);
    let paths: Vec<&str> = data["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["filePath"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["app/web/url.ts", "app/src/Bank.cs"]);
    assert_eq!(data["missing"], json!(["Nobody"]));
    let none = host.fail(
        "getOutline",
        json!({ "symbol": ["Nobody", "None"], "form": "source" }),
    );
    assert_eq!(none["code"], "SymbolNotFound");
    let list = host.ok("getOutline", json!({ "symbol": ["one", "Account"] }));
    assert_eq!(list["more"][0]["resolved"]["path"], "Bank.Account");
}

/// No watcher told of it yet.
#[test]
fn source_of_a_file_that_got_shorter_is_what_is_left() {
    let mut host = Host::new(BANK);
    host.write("/w/app/src/Bank.cs", "namespace Bank;\n");
    let args = json!({ "symbol": ["Account.Deposit", "Account"], "form": "source" });
    let data = host.ok("getOutline", args);
    let sources = data["sources"].as_array().unwrap();
    let left = sources
        .iter()
        .map(|source| source["source"].as_str().unwrap());
    assert_eq!(
        left.collect::<Vec<_>>(),
        [
            "15: <source unavailable>\n",
            "22: <source unavailable>\n",
            "3: <source unavailable>\n"
        ]
    );
}

#[test]
fn source_goes_on_behind_the_budget() {
    let mut host = Host::new(BANK);
    let mut args = json!({ "symbol": "Account", "form": "source", "maxTokens": 190 });
    let (mut lines, mut pages) = (Vec::new(), 0);
    loop {
        let data = host.ok("getOutline", args.clone());
        let own = data["sources"][0]["source"].as_str().unwrap().lines();
        lines.extend(own.map(str::to_owned));
        pages += 1;
        match data["nextCursor"].as_str() {
            Some(cursor) => args["cursor"] = cursor.into(),
            None => break,
        }
    }
    assert!(pages > 1);
    let numbers: Vec<u32> = lines
        .iter()
        .map(|line| line.split(':').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers, (3..=23).collect::<Vec<u32>>());
}

/// SPEC H1: an outline shows the first line of each documentation comment unless more is asked for.
#[test]
fn documentation_is_one_line_unless_asked_for() {
    let mut host = Host::new(SHOP);
    let doc = |host: &mut Host, docs: Option<&str>| {
        let mut args = json!({ "symbol": "Shop.Orders" });
        if let Some(docs) = docs {
            args["docs"] = docs.into();
        }
        let data = host.ok("getOutline", args);
        assert_eq!(data["budget"]["downgrade_applied"], Value::Null);
        data["declarations"][0]["doc"].clone()
    };
    assert_eq!(doc(&mut host, None), "Takes orders.");
    assert_eq!(
        doc(&mut host, Some("full")),
        "Takes orders.\nMore about it."
    );
    assert_eq!(doc(&mut host, Some("none")), Value::Null);
}
