//! Java sources from class files and from the image of a JDK, and what damaged ones do.

use std::collections::BTreeMap;

use codecortex_external::standard_library::jdk::{
    ClassSource, ImageProblem, JdkImage, StubProblem, java_source, survey,
};
use codecortex_syntax::{Limits, Outcome, analyse_text};
use expect_test::expect;
use proptest::prelude::*;

/// A class file that is put together part by part.
#[derive(Default)]
struct ClassBuilder {
    constants: Vec<u8>,
    count: u16,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
    attributes: Vec<Vec<u8>>,
}

impl ClassBuilder {
    fn text(&mut self, text: &str) -> [u8; 2] {
        self.constants.push(1);
        self.constants.extend(
            u16::try_from(text.len())
                .expect("it is short")
                .to_be_bytes(),
        );
        self.constants.extend(text.as_bytes());
        self.count += 1;
        self.count.to_be_bytes()
    }

    fn class(&mut self, name: &str) -> [u8; 2] {
        let text = self.text(name);
        self.constants.push(7);
        self.constants.extend(text);
        self.count += 1;
        self.count.to_be_bytes()
    }

    fn attribute(&mut self, name: &str, content: &[u8]) -> Vec<u8> {
        let mut bytes = self.text(name).to_vec();
        bytes.extend(
            u32::try_from(content.len())
                .expect("it is short")
                .to_be_bytes(),
        );
        bytes.extend(content);
        bytes
    }

    fn signature(&mut self, signature: &str) -> Vec<u8> {
        let text = self.text(signature);
        self.attribute("Signature", &text)
    }

    fn member(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        signature: Option<&str>,
    ) -> Vec<u8> {
        let mut bytes = access.to_be_bytes().to_vec();
        bytes.extend(self.text(name));
        bytes.extend(self.text(descriptor));
        let code = self.attribute("Code", &[0xFF; 40]);
        let signature = signature.map(|signature| self.signature(signature));
        bytes.extend((1 + u16::from(signature.is_some())).to_be_bytes());
        bytes.extend(code);
        bytes.extend(signature.unwrap_or_default());
        bytes
    }

    fn field(mut self, access: u16, name: &str, descriptor: &str) -> Self {
        let member = self.member(access, name, descriptor, None);
        self.fields.push(member);
        self
    }

    fn method(
        mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        signature: Option<&str>,
    ) -> Self {
        let member = self.member(access, name, descriptor, signature);
        self.methods.push(member);
        self
    }

    fn generic(mut self, signature: &str) -> Self {
        let attribute = self.signature(signature);
        self.attributes.push(attribute);
        self
    }

    fn nested(mut self, rows: &[(&str, &str, &str, u16)]) -> Self {
        let mut content = u16::try_from(rows.len())
            .expect("they are few")
            .to_be_bytes()
            .to_vec();
        for (name, outer, simple, access) in rows {
            content.extend(self.class(name));
            content.extend(self.class(outer));
            content.extend(self.text(simple));
            content.extend(access.to_be_bytes());
        }
        let attribute = self.attribute("InnerClasses", &content);
        self.attributes.push(attribute);
        self
    }

    fn build(mut self, access: u16, name: &str, base: &str, interfaces: &[&str]) -> Vec<u8> {
        let mut body = access.to_be_bytes().to_vec();
        body.extend(self.class(name));
        body.extend(self.class(base));
        body.extend(
            u16::try_from(interfaces.len())
                .expect("they are few")
                .to_be_bytes(),
        );
        for interface in interfaces {
            body.extend(self.class(interface));
        }
        for members in [&self.fields, &self.methods, &self.attributes] {
            body.extend(
                u16::try_from(members.len())
                    .expect("they are few")
                    .to_be_bytes(),
            );
            body.extend(members.concat());
        }
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 69];
        bytes.extend((self.count + 1).to_be_bytes());
        bytes.extend(&self.constants);
        bytes.extend(body);
        bytes
    }
}

struct Classes(BTreeMap<&'static str, Vec<u8>>);

impl ClassSource for Classes {
    fn class(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }

    fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

const PUBLIC: u16 = 0x0001;
const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;
const VARARGS: u16 = 0x0080;
const ABSTRACT: u16 = 0x0400;
const INTERFACE: u16 = 0x0200;
const SYNTHETIC: u16 = 0x1000;

/// A class with a nested one, generics, hidden members and a neighbour that is named as a class of `java.lang`.
fn shelf() -> Classes {
    let rows = [
        ("p/Shelf$Slot", "p/Shelf", "Slot", PUBLIC),
        ("p/Shelf$Secret", "p/Shelf", "Secret", PRIVATE),
        (
            "java/util/Map$Entry",
            "java/util/Map",
            "Entry",
            PUBLIC | STATIC | INTERFACE | ABSTRACT,
        ),
    ];
    let shelf = ClassBuilder::default()
        .field(PUBLIC | STATIC, "COUNT", "I")
        .field(PRIVATE, "hidden", "I")
        .method(PUBLIC, "<init>", "(I)V", None)
        .method(
            PUBLIC,
            "find",
            "(Ljava/util/function/Predicate;)Ljava/lang/Comparable;",
            Some("<U::Ljava/lang/Comparable<-TU;>;>(Ljava/util/function/Predicate<-TT;>;)TU;"),
        )
        .method(PUBLIC | VARARGS, "all", "([Ljava/lang/String;)[[J", None)
        .method(
            PUBLIC,
            "first",
            "()Ljava/util/Map$Entry;",
            Some("()Ljava/util/Map$Entry<TT;*>;"),
        )
        .method(PUBLIC, "error", "(Ljava/lang/Error;)Lp/Error;", None)
        .method(PUBLIC | SYNTHETIC, "bridge", "()V", None)
        .method(PUBLIC, "class", "()V", None)
        .generic("<T:Ljava/lang/Object;>Ljava/util/AbstractList<TT;>;Ljava/lang/Iterable<TT;>;")
        .nested(&rows)
        .build(
            PUBLIC,
            "p/Shelf",
            "java/util/AbstractList",
            &["java/lang/Iterable"],
        );
    let slot = ClassBuilder::default()
        .method(PUBLIC, "<init>", "(Lp/Shelf;I)V", None)
        .method(PUBLIC, "list", "()Ljava/awt/List;", None)
        .method(PUBLIC, "other", "()Ljava/util/List;", None)
        .nested(&rows)
        .build(PUBLIC, "p/Shelf$Slot", "java/lang/Object", &[]);
    let error = ClassBuilder::default().build(PUBLIC, "p/Error", "java/lang/Object", &[]);
    Classes(BTreeMap::from([
        ("p/Shelf", shelf),
        ("p/Shelf$Slot", slot),
        ("p/Error", error),
    ]))
}

#[test]
fn a_class_reads_as_its_source_did() {
    let text = java_source(&shelf(), "p/Shelf", &|_| true).expect("the class is described");
    expect![[r#"
        package p;
        import java.awt.List;
        import java.util.AbstractList;
        import java.util.Map;
        import java.util.function.Predicate;
        public class Shelf<T> extends AbstractList<T> implements Iterable<T> {
            public static int COUNT;
            public Shelf(int a0) {}
            public <U extends Comparable<? super U>> U find(Predicate<? super T> a0);
            public long[][] all(String... a0);
            public Map.Entry<T, ?> first();
            public Error error(java.lang.Error a0);
            public class Slot {
                public Slot(int a0) {}
                public List list();
                public java.util.List other();
            }
        }
    "#]]
    .assert_eq(&text);
    let limits = Limits {
        max_file_size: u32::MAX,
        exclude_generated: false,
    };
    let Outcome::Facts(facts) = analyse_text("Shelf.java", &text, limits) else {
        panic!("it is Java");
    };
    assert_eq!(facts.syntax_errors, 0);
}

#[test]
fn a_survey_names_bases_and_nested_classes() {
    let classes = shelf();
    let of = survey(&classes.0["p/Shelf"]).expect("it is a class");
    assert!(of.is_public);
    assert_eq!(of.bases, ["java/util/AbstractList", "java/lang/Iterable"]);
    let nested: Vec<_> = of
        .nested
        .iter()
        .map(|(name, is_visible)| (name.as_str(), *is_visible))
        .collect();
    assert_eq!(nested, [("p/Shelf$Slot", true), ("p/Shelf$Secret", false)]);
}

#[test]
fn hostile_classes_cost_themselves_alone() {
    // nested in itself, and in what is nested in it
    let around = ClassBuilder::default()
        .nested(&[
            ("A$B", "A", "B", PUBLIC),
            ("A", "A$B", "A", PUBLIC),
            ("A$B", "A$B", "B", PUBLIC),
        ])
        .method(PUBLIC, "deep", &format!("({}I)V", "[".repeat(300)), None)
        .method(
            PUBLIC,
            "generic",
            "()V",
            Some(&format!("(){}", "Lp/A<".repeat(5000))),
        )
        .method(PUBLIC, "name; int injected", "()V", None)
        .generic("<T:>;;")
        .build(PUBLIC, "A", "A", &["A"]);
    let classes = Classes(BTreeMap::from([("A", around.clone()), ("A$B", around)]));
    let text = java_source(&classes, "A", &|_| true).expect("the class is described");
    assert!(
        !text.contains("injected") && !text.contains("deep"),
        "{text}"
    );
    assert!(text.len() < 1000, "{text}");
    assert_eq!(
        java_source(&classes, "Missing", &|_| true),
        Err(StubProblem::Missing)
    );
    assert_eq!(
        java_source(&classes, "a-b", &|_| true),
        Err(StubProblem::Name)
    );
    let cut = Classes(BTreeMap::from([("A", vec![0xCA, 0xFE])]));
    assert_eq!(
        java_source(&cut, "A", &|_| true),
        Err(StubProblem::Malformed)
    );
}

#[test]
fn a_source_that_multiplies_its_names_is_rejected() {
    // each type of 60,000 letters is stated once and named by 400 methods
    let long = format!("()L{};", "a".repeat(60_000));
    let mut builder = ClassBuilder::default();
    let descriptor = builder.text(&long);
    let name = builder.text("m");
    for _ in 0..400 {
        builder
            .methods
            .push([&PUBLIC.to_be_bytes()[..], &name, &descriptor, &[0, 0]].concat());
    }
    let classes = Classes(BTreeMap::from([(
        "A",
        builder.build(PUBLIC, "A", "java/lang/Object", &[]),
    )]));
    assert_eq!(
        java_source(&classes, "A", &|_| true),
        Err(StubProblem::TooLarge)
    );
}

/// An image with these resources: module, parent, base, extension, content.
fn image(resources: &[(&str, &str, &str, &str, Vec<u8>)]) -> Vec<u8> {
    const SLOTS: usize = 128;
    let mut strings = vec![0];
    let mut string = |text: &str| {
        let at = strings.len();
        strings.extend(text.as_bytes());
        strings.push(0);
        u32::try_from(at).expect("it is short")
    };
    let (mut redirects, mut offsets) = (vec![0_i32; SLOTS], vec![0_u32; SLOTS]);
    let (mut locations, mut contents) = (vec![0], Vec::new());
    for (module, parent, base, extension, content) in resources {
        let name = match *module {
            "" => format!("/{parent}/{base}"),
            module => format!("/{module}/{parent}/{base}.{extension}"),
        };
        let step = |hash: u32, byte: u8| hash.wrapping_mul(0x0100_0193) ^ u32::from(byte);
        let hash = name.bytes().fold(0x0100_0193, step) & 0x7FFF_FFFF;
        let slot = usize::try_from(hash).expect("it fits") % SLOTS;
        assert_eq!(redirects[slot], 0, "{name} needs another number of slots");
        redirects[slot] = -1 - i32::try_from(slot).expect("it fits");
        offsets[slot] = u32::try_from(locations.len()).expect("it is short");
        // a resource without a module has its first folder as one
        let (module, parent) = if module.is_empty() {
            (*parent, "")
        } else {
            (*module, *parent)
        };
        for (kind, value) in [
            (1, string(module)),
            (2, string(parent)),
            (3, string(base)),
            (4, string(extension)),
            (5, u32::try_from(contents.len()).expect("it is short")),
            (7, u32::try_from(content.len()).expect("it is short")),
        ] {
            locations.push(kind << 3 | 3);
            locations.extend(value.to_be_bytes());
        }
        locations.push(0);
        contents.extend(content);
    }
    let mut bytes = Vec::new();
    let sizes = [SLOTS, locations.len(), strings.len()]
        .map(|size| u32::try_from(size).expect("it is short"));
    for number in [0xCAFE_DADA, 1 << 16, 0, 1].into_iter().chain(sizes) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(redirects.iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(offsets.iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend([locations, strings, contents].concat());
    bytes
}

/// An image of one module with a class, and where the package's module is stated.
fn small_image() -> Vec<u8> {
    let class = ClassBuilder::default()
        .method(PUBLIC, "size", "()I", None)
        .build(PUBLIC, "p/A", "java/lang/Object", &[]);
    // the module's name is the first string of the first resource
    let package = [0_u32, 1].into_iter().flat_map(u32::to_le_bytes).collect();
    image(&[
        ("m", "p", "A", "class", class),
        ("", "packages", "p", "", package),
    ])
}

#[test]
fn an_image_gives_the_classes_of_its_modules() {
    let bytes = small_image();
    let bytes = bytes.as_slice();
    let image = JdkImage::open(&bytes).expect("it is an image");
    let classes: Vec<_> = image.classes().collect();
    assert_eq!(classes, [("m", "p/A".to_owned())]);
    assert!(image.contains("p/A") && !image.contains("p/B") && !image.contains("q/A"));
    assert_eq!(
        java_source(&image, "p/A", &|_| true).expect("the class is described"),
        "package p;\npublic class A {\n    public int size();\n}\n"
    );
}

#[test]
fn what_is_no_image_is_rejected() {
    let problem = |bytes: &[u8]| JdkImage::open(&bytes).err();
    let whole = small_image();
    assert_eq!(problem(b""), Some(ImageProblem::Malformed));
    assert_eq!(problem(&whole[..100]), Some(ImageProblem::Malformed));
    let mut swapped = whole.clone();
    swapped[..4].reverse();
    assert_eq!(problem(&swapped), Some(ImageProblem::Version));
    let mut later = whole.clone();
    later[6] = 2;
    assert_eq!(problem(&later), Some(ImageProblem::Version));
    let mut endless = whole;
    endless[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(problem(&endless), Some(ImageProblem::Malformed));
}

proptest! {
    #[test]
    fn a_damaged_class_never_panics(at in 0_usize..2000, value: u8, length in 0_usize..2000) {
        let mut classes = shelf();
        for bytes in classes.0.values_mut() {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
            bytes.truncate(length);
        }
        let _ = java_source(&classes, "p/Shelf", &|_| true);
        let _ = survey(&classes.0["p/Shelf"]);
    }

    #[test]
    fn a_damaged_image_never_panics(at in 0_usize..3000, value: u8) {
        let mut bytes = small_image();
        if let Some(byte) = bytes.get_mut(at) {
            *byte = value;
        }
        let bytes = bytes.as_slice();
        if let Ok(image) = JdkImage::open(&bytes) {
            let _ = image.classes().count();
            let _ = java_source(&image, "p/A", &|_| true);
        }
    }
}
