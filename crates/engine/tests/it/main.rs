//! Tests of the engine from outside, as one program: each program that is linked with all grammars takes 150 MB.

#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

mod access;
mod answers;
mod bad_input;
mod budgets;
mod by_name;
mod changes;
mod context;
mod context_damage;
mod damage;
mod edits;
mod external;
mod external_csharp;
mod external_python;
mod generated;
mod graph;
mod hierarchy;
mod kept;
mod keystrokes;
mod live;
mod many_calls;
mod map;
mod member_ids;
mod named_paths;
mod needs;
mod nowhere;
mod observations;
mod outline;
mod outline_rules;
mod outside;
mod packs;
mod previews;
mod prompts;
mod providers;
mod read_limits;
mod references;
mod relations;
mod replay;
mod reread;
mod review;
mod review_context;
mod review_documents;
mod review_examples;
mod review_fusion;
mod review_requests;
mod secrets;
mod semantic;
mod semantic_jobs;
mod tools;
mod unreal;
mod unsure;
mod window;
mod workspace;
