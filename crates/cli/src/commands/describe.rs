//! `codecortex describe`: has a model describe types (SPEC SE2, SE3).

use std::time::Duration;

use codecortex_engine::protocol::Caller;
use codecortex_host::{HostWorkspace, ModelAddress, Options, default_slots};
use codecortex_ledger::LEASE;
use serde_json::{Value, json};

use super::outline::subject;
use super::semantic::{object, update_if_kept};
use super::{context, make_folders, ready, shown};
use crate::args::{DescribeArgs, ModelArgs};
use crate::failure::Failure;
use crate::output;

impl ModelArgs {
    /// Whether the command line names an address, rather than the environment.
    pub(crate) fn is_named(&self) -> bool {
        self.model_url.is_some() && std::env::var("CODECORTEX_MODEL_URL").ok() != self.model_url
    }

    /// The model that the command line names.
    pub(crate) fn address(&self) -> Option<ModelAddress> {
        Some(ModelAddress {
            url: self.model_url.clone()?,
            model: self.model.clone()?,
            key: std::env::var(&self.model_key)
                .ok()
                .filter(|key| !key.is_empty()),
            timeout: Duration::from_secs(self.model_timeout),
            slots: default_slots(),
        })
    }
}

pub(crate) fn run(args: &DescribeArgs) -> Result<i32, Failure> {
    let options = Options {
        model: args.model.address(),
        ..match args.dry_run {
            true => args.workspace.options()?,
            false => args.workspace.keeping_options()?,
        }
    };
    let has_model = options.model.is_some();
    let mut workspace = ready(options);
    match args.dry_run {
        true => update_if_kept(&mut workspace),
        false => {
            make_folders(&mut workspace);
            context::settle(&mut workspace)?;
        }
    }
    let call = shown(&args.show, object(arguments(args)));
    let answer = workspace.call("codecortex_describe", call, Caller::default());
    let mut code = output::print_answer(&answer)?;
    if !args.dry_run && answer.ok {
        context::settle(&mut workspace)?;
        if has_model && !args.cancel {
            code = describe(&mut workspace)?;
        }
    }
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(code)
}

fn arguments(args: &DescribeArgs) -> Value {
    let mut call = match &args.what {
        Some(what) => {
            let (name, value) = subject(what);
            json!({ name: value })
        }
        None => json!({ "all": true }),
    };
    call["dryRun"] = args.dry_run.into();
    call["cancel"] = args.cancel.into();
    call
}

/// Waits for the model, telling how many texts are left; then which were not made, and why. 1 where some were not.
fn describe(workspace: &mut HostWorkspace) -> Result<i32, Failure> {
    workspace.run_model(|left| {
        if left > 0 {
            output::warn(&format!("{left} texts left"));
        }
    });
    context::settle(workspace)?;
    let failed = workspace.failed_texts();
    for (path, error) in &failed {
        output::warn(&format!("{path}: {error}"));
    }
    let held = workspace.held_texts();
    if let Some((waiting, why)) = &held {
        output::warn(&format!("{waiting} texts wait: {why}"));
    }
    let elsewhere = workspace.texts_elsewhere();
    if elsewhere > 0 {
        output::warn(&format!(
            "{elsewhere} types are reserved by another process; reservations of ended processes expire after {} minutes, or at once with --cancel",
            LEASE / 60_000
        ));
    }
    let is_done = failed.is_empty() && held.is_none() && elsewhere == 0;
    Ok(i32::from(!is_done))
}
