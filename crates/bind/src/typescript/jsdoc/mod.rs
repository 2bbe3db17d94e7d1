//! JSDoc: what comments of untyped code say of types, in TypeScript's way and in Closure's.

mod reader;
mod tags;
mod typedefs;
mod types;
