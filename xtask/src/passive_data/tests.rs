#![allow(clippy::unwrap_used, reason = "a test")]

use walrus::{FunctionBuilder, ValType};

use super::*;

/// Where the constants begin.
const START: u32 = 0x10_0000;
const LANGUAGE: u32 = START + 64;
const LARGE: u32 = START + 1024;
const SMALL: u32 = LARGE + 600 * 4 * 2;
const MAP: u32 = SMALL + 500 * 10;
const ACTIONS: u32 = MAP + 500 * 4;
const LEX_MODES: u32 = ACTIONS + 703 * 8;
const PRIMARY: u32 = LEX_MODES + 1100 * 6;
const END: u32 = PRIMARY + 1100 * 2;

/// Constants with a grammar of 4 symbols, of which 2 are tokens, in 1100 states, of which 600 have rows of their own.
/// State 599 leads, by a token, to the two actions behind entry 700, and by another symbol to state 900, as the list of
/// each state behind it does.
fn constants() -> Vec<u8> {
    // no zeros, so that whatever is lost is missed
    let mut bytes: Vec<u8> = (START..END).map(|at| (at % 251) as u8 + 1).collect();
    let mut put = |address: u32, value: &[u8]| {
        let at = (address - START) as usize;
        bytes[at..at + value.len()].copy_from_slice(value);
    };
    let counts = [15, 4, 0, 2, 0, 1100, 600, 0, 0, 0];
    let tables = [
        LARGE, SMALL, MAP, ACTIONS, 0, 0, 0, 0, 0, 0, 0, 0, LEX_MODES,
    ];
    for (nth, number) in counts.iter().chain(&tables).enumerate() {
        put(LANGUAGE + nth as u32 * 4, &number.to_le_bytes());
    }
    put(LANGUAGE + 132, &PRIMARY.to_le_bytes());
    let numbers = |list: &[u16]| -> Vec<u8> { list.iter().flat_map(|n| n.to_le_bytes()).collect() };
    for state in 0..600 {
        let action = if state == 599 { 700 } else { 3 };
        put(LARGE + state * 8, &numbers(&[1, action, 900, 900]));
    }
    for state in 0..500 {
        put(SMALL + state * 10, &numbers(&[1, 900, 2, 2, 3]));
        put(MAP + state * 4, &(state * 5).to_le_bytes());
    }
    put(ACTIONS + 700 * 8, &[2]);
    bytes
}

/// A module as it is read.
fn module(constants: &[u8]) -> Module {
    Module::from_buffer(&built(constants).emit_wasm()).unwrap()
}

fn built(constants: &[u8]) -> Module {
    let mut module = Module::default();
    let memory = module.memories.add_local(false, false, 32, None, None);
    module.exports.add("memory", memory);
    let kind = DataKind::Active {
        memory,
        offset: ConstExpr::Value(Value::I32(START as i32)),
    };
    module.data.add(kind, constants.to_vec());
    for (name, constant) in [
        ("tree_sitter_small", LANGUAGE),
        ("tree_sitter_small_external_scanner_create", 0),
    ] {
        let mut builder = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
        builder.name(name.to_owned());
        builder.func_body().i32_const(constant as i32);
        let function = builder.finish(Vec::new(), &mut module.funcs);
        module.exports.add(name, function);
    }
    let one = module.types.add(&[ValType::I32], &[ValType::I32]);
    let two = module.types.add(&[ValType::I32; 2], &[]);
    // two crates ask for the size
    let imports = [
        ("address", one),
        ("size", one),
        ("size", one),
        ("copy", two),
    ];
    for (nth, (name, kind)) in imports.into_iter().enumerate() {
        let (function, _) = module.add_import_func(IMPORTED, name, kind);
        module.exports.add(&format!("{name}{nth}"), function);
    }
    module
}

/// What an instance copies, by address.
fn active(module: &Module) -> Vec<(u32, Vec<u8>)> {
    image::active_segments(module)
        .into_iter()
        .map(|(start, id)| (start, module.data.get(id).value.clone()))
        .collect()
}

/// What it does not copy.
fn passive(module: &Module) -> Vec<Vec<u8>> {
    let segments = module.data.iter().filter(|data| data.is_passive());
    segments.map(|data| data.value.clone()).collect()
}

#[test]
fn large_tables_are_not_copied_and_nothing_is_lost() {
    let constants = constants();
    let mut module = module(&constants);
    let taken = make_passive(&mut module, &[]).unwrap();
    // what wasm-bindgen does afterwards
    walrus::passes::gc::run(&mut module);
    // the map of 2000 bytes and the primary states of 2200 stay
    let wanted = [
        (LARGE, SMALL),
        (SMALL, MAP),
        (ACTIONS, LEX_MODES),
        (LEX_MODES, PRIMARY),
    ];
    let bytes = wanted.map(|(start, end)| (end - start) as usize);
    assert_eq!(
        taken,
        Taken {
            grammars: 1,
            tables: 4,
            archives: 0,
            bytes: bytes.iter().sum(),
        }
    );

    // what is written out is a valid module
    let written = Module::from_buffer(&module.emit_wasm()).unwrap();
    let (active, passive) = (active(&written), passive(&written));
    assert_eq!(passive.iter().map(Vec::len).collect::<Vec<_>>(), bytes);
    let mut again = vec![0; constants.len()];
    let tables = wanted.iter().map(|(start, _)| *start).zip(passive);
    for (start, value) in active.into_iter().chain(tables) {
        let at = (start - START) as usize;
        assert!(again[at..at + value.len()].iter().all(|byte| *byte == 0));
        again[at..at + value.len()].copy_from_slice(&value);
    }
    assert!(again == constants);
    assert_eq!(written.imports.iter().count(), 0);
}

#[test]
fn an_archive_is_not_copied() {
    // between two tables; another one is not in the module
    let constants = constants();
    let at = (MAP - START) as usize + 100;
    let archives = [constants[at..at + 300].to_vec(), vec![7; 300]];
    let mut module = module(&constants);
    let taken = make_passive(&mut module, &archives).unwrap();
    assert_eq!((taken.tables, taken.archives), (4, 1));
    assert!(passive(&module).contains(&archives[0]));
    let is_copied =
        |(_, bytes): &(u32, Vec<u8>)| bytes.windows(300).any(|part| part == archives[0]);
    assert!(!active(&module).iter().any(is_copied));
}

#[test]
fn what_is_no_grammar_is_an_error() {
    let mut other_version = constants();
    other_version[64] = 13;
    let error = make_passive(&mut module(&other_version), &[]).unwrap_err();
    assert!(format!("{error:#}").contains("tree_sitter_small: no grammar of version 14 or 15"));

    let mut beyond = constants();
    // the map sends a state to behind the end
    beyond[(MAP - START) as usize + 2] = 0xff;
    let error = make_passive(&mut module(&beyond), &[]).unwrap_err();
    assert!(format!("{error:#}").contains("beyond its segment"));

    let error = make_passive(&mut Module::default(), &[]).unwrap_err();
    assert!(error.to_string().contains("no memory"));
}

#[test]
fn a_module_that_cannot_ask_for_its_tables_is_an_error() {
    let mut module = module(&constants());
    module.imports.remove(IMPORTED, "copy").unwrap();
    let error = make_passive(&mut module, &[]).unwrap_err();
    assert!(error.to_string().contains("`passive_data.copy`"));
}
