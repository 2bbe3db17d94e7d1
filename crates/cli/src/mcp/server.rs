//! What the client asks and what it gets.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use codecortex_engine::protocol::Answer;
use codecortex_engine::{ErrorCode, INSTRUCTIONS, Profile, ToolError, find_tool};
use codecortex_host::{Options, error_answer, internal_error};
use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode as RpcErrorCode, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult,
    InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig, SubscribeRequestParams, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext};
use serde_json::Value;
use tokio::sync::oneshot;

use super::agreement::{self, Agreement, WaitingPlan, WaitingPlans, WayToAsk, is_newest};
use super::resources::{self, Ask, RecentTypes};
use super::session::{CALLER, Session};
use super::subscriptions::{self, Subscriptions};
use super::tools::Listing;
use super::{operations, progress, prompts, wire};
use crate::args::{McpArgs, ProfileArg};
use crate::edit_gate::{EditGate, takes_plan};
use crate::failure::Failure;

/// Characters of a client's word that a sentence repeats.
const MAX_SHOWN: usize = 80;
/// How long a client may keep the list of tools, in ms.
const TTL_OF_TOOLS_MS: u64 = 3_600_000;

/// Answers the client's requests from the session's workspace.
#[derive(Clone)]
pub(super) struct Server {
    listing: Listing,
    session: Session,
    used: Arc<RecentTypes>,
    subscriptions: Subscriptions,
    /// Plans about which a person is asked between two calls.
    plans: WaitingPlans,
}

impl Server {
    /// A session; the index is begun where the folders are known already.
    pub(super) fn new(args: &McpArgs) -> Result<Self, Failure> {
        let has_own_roots = !args.workspace.roots.is_empty();
        let options = Options {
            watch: true,
            model: args.model.address(),
            ..args.workspace.options_of_calls(&args.edits)?
        };
        let session = Session::new(options, has_own_roots)
            .map_err(|error| Failure::Session(error.to_string()))?;
        Ok(Self {
            listing: Listing {
                profile: match args.profile {
                    ProfileArg::Default => Profile::Default,
                    ProfileArg::Full => Profile::Full,
                },
                has_output_schemas: args.output_schemas,
            },
            session,
            used: Arc::default(),
            subscriptions: Subscriptions::default(),
            plans: WaitingPlans::default(),
        })
    }

    /// Ends the engine. Whether it ended in time.
    pub(super) fn stop(&self, deadline: Instant) -> bool {
        self.session.stop(deadline)
    }

    async fn call(
        &self,
        name: &str,
        args: Value,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let gate = EditGate::of(name).filter(|gate| gate.concerns(&args));
        let way = gate.and_then(|_| agreement::way_to_ask(&context.peer, &context.meta));
        let answer = match (gate, way) {
            (Some(gate), Some(WayToAsk::Request)) => {
                self.agreed_answer((name, gate), args, context).await
            }
            (Some(gate), Some(WayToAsk::Result)) => {
                match self.question((name, gate), args, context).await {
                    Ok(question) => return question.into(),
                    Err(plan) => plan,
                }
            }
            // Nobody can be asked: a second call with the plan's id applies it.
            (Some(gate), None) if takes_plan(name) => {
                self.answer(name, gate.planning(&args), context).await
            }
            _ => self.answer(name, args, context).await,
        };
        self.noted(&answer).into()
    }

    /// The answer as a result. The types that it is about become resources.
    fn noted(&self, answer: &Answer) -> CallToolResult {
        let result = result(answer);
        if let Some(envelope) = &result.structured_content {
            self.used.note(envelope);
        }
        result
    }

    /// The plan of an edit as a question to the client's person; its answer where there is nothing to agree to.
    async fn question(
        &self,
        (name, gate): (&str, EditGate),
        args: Value,
        context: &RequestContext<RoleServer>,
    ) -> Result<InputRequiredResult, Answer> {
        let plan = self.answer(name, gate.planning(&args), context).await;
        let json = plan.json.as_deref().filter(|_| plan.ok);
        let Some(args) = json.and_then(|plan| gate.applying(&args, plan)) else {
            return Err(plan);
        };
        let shown = plan.text.as_deref().or(json).unwrap_or_default();
        let tool = name.to_owned();
        let question = self.plans.ask(shown, WaitingPlan { tool, args });
        question.ok_or(plan)
    }

    /// A call that is made again, with what the client's person said.
    async fn call_again(
        &self,
        request: &CallToolRequestParams,
        handle: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let taken = self.plans.take(handle, request.input_responses.as_ref());
        let taken = taken.filter(|(plan, _)| plan.tool == request.name);
        let Some((plan, agreement)) = taken else {
            let message =
                "There is no such request state, or it was used; make the call without it.";
            return Err(ErrorData::invalid_params(message, None));
        };
        let answer = match agreement {
            Agreement::Given => self.answer(&plan.tool, plan.args, context).await,
            Agreement::Refused | Agreement::Unknown => refused(),
        };
        Ok(self.noted(&answer))
    }

    /// The answer of an edit that the client's person agreed to; where nobody can say, that of its plan.
    async fn agreed_answer(
        &self,
        (name, gate): (&str, EditGate),
        args: Value,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let plan = self.answer(name, gate.planning(&args), context).await;
        let json = plan.json.as_deref().filter(|_| plan.ok);
        let Some(applying) = json.and_then(|plan| gate.applying(&args, plan)) else {
            return plan;
        };
        let text = plan.text.as_deref().or(json).unwrap_or_default();
        let agreement = tokio::select! {
            agreement = agreement::ask(&context.peer, text) => agreement,
            () = context.ct.cancelled() => Agreement::Unknown,
        };
        match agreement {
            Agreement::Given => self.answer(name, applying, context).await,
            Agreement::Refused => refused(),
            Agreement::Unknown => plan,
        }
    }

    async fn answer(
        &self,
        name: &str,
        args: Value,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let running = match self.session.workspace(&context.peer).await {
            Ok(running) => running,
            Err(error) => return internal_error(CALLER, &error.to_string()),
        };
        let (sender, answer) = oneshot::channel();
        let call = running.service.call(name, args, CALLER, move |answer| {
            // The client may have given up.
            let _ = sender.send(answer);
        });
        let told = async {
            match context.meta.get_progress_token() {
                Some(token) => {
                    progress::tell(context.peer.clone(), token, running.states.clone()).await;
                }
                None => std::future::pending().await,
            }
        };
        let answer = tokio::select! {
            answer = answer => {
                answer.unwrap_or_else(|_| internal_error(CALLER, "The engine has ended."))
            }
            () = context.ct.cancelled() => {
                call.cancel();
                error_answer(CALLER, &ToolError::new(ErrorCode::Cancelled, "The call was cancelled."))
            }
            () = told => internal_error(CALLER, "The engine has ended."),
        };
        match context.meta.get_progress_token() {
            Some(token) => {
                let asking = self.session.asking(&context.peer);
                operations::follow(&asking, name, token, answer, context).await
            }
            None => answer,
        }
    }
}

fn refused() -> Answer {
    let error = ToolError::new(ErrorCode::Cancelled, "The user did not want this edit.");
    error_answer(CALLER, &error.hint("Ask the user how to proceed."))
}

/// An answer as MCP has it: the envelope as an object, the text form as text (SPEC TC8).
fn result(answer: &Answer) -> CallToolResult {
    let json = answer.json.as_deref().unwrap_or_default();
    let text = answer.text.as_deref().unwrap_or(json);
    let content = vec![ContentBlock::text(text)];
    let mut result = if answer.ok {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    result.structured_content = serde_json::from_str(json).ok();
    result
}

/// What is said to a request that is none of MCP's in its method or in its parameters.
fn not_taken(method: &str) -> ErrorData {
    let shown: String = method.chars().take(MAX_SHOWN).collect();
    let (code, message) = match wire::is_known(method) {
        true => (
            RpcErrorCode::INVALID_PARAMS,
            format!("The parameters of `{shown}` are not those of MCP."),
        ),
        false => (
            RpcErrorCode::METHOD_NOT_FOUND,
            format!("There is no method `{shown}`."),
        ),
    };
    ErrorData::new(code, message, None)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("codecortex", env!("CARGO_PKG_VERSION"))
                    .with_title("CodeCortex"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    /// A client that initialises again is known by the version that was agreed on, not by the one that it asked for.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        let mut client = request;
        client.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        find_tool(name).map(|tool| self.listing.tool(tool))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(self.listing.tools());
        // The table is that of the program: it stays as long as the server runs.
        Ok(match is_newest(&context.meta) {
            true => list
                .with_ttl_ms(TTL_OF_TOOLS_MS)
                .with_cache_scope(CacheScope::Private),
            false => list,
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(handle) = &request.request_state {
            return Ok(self.call_again(&request, handle, &context).await?.into());
        }
        let args = request.arguments.map_or(Value::Null, Value::Object);
        Ok(self.call(&request.name, args, &context).await)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let asking = self.session.asking(&context.peer);
        let result = prompts::get(&asking, &request.name, request.arguments.as_ref()).await?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let asking = self.session.asking(&context.peer);
        // The first answer comes when every file was read; only then is it known how many symbols there are.
        asking.ask("codecortex_status", Value::Null).await;
        let symbols = self
            .session
            .states()
            .map_or(0, |states| states.borrow().symbols);
        let all = resources::list(&asking, &self.used, symbols).await;
        let (resources, next) = resources::page(all, cursor.as_deref())?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(
            resources::templates(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resources::read(&self.session.asking(&context.peer), &request.uri).await?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    // The newest protocol listens in another way; today's clients subscribe.
    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let uri = request.uri;
        if resources::symbol(&uri).is_none() {
            return Err(resources::not_found(&uri, "No such resource."));
        }
        // An outline that is not there yet can be waited for.
        let now = resources::read(&self.session.asking(&context.peer), &uri).await;
        if !self.subscriptions.add(uri, resources::digest(&now)) {
            let message = Cow::from("The session watches as many outlines as it can.");
            return Err(ErrorData::invalid_request(message, None));
        }
        if self.subscriptions.begin() {
            let (session, subscriptions) = (self.session.clone(), self.subscriptions.clone());
            tokio::spawn(subscriptions::watch(session, subscriptions, context.peer));
        }
        Ok(())
    }

    // The newest protocol listens in another way; today's clients subscribe.
    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    /// Calls whose parameters are not of the form that MCP wants still get an envelope (SPEC TC5).
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        let (true, Some(name)) = (request.method == "tools/call", params["name"].as_str()) else {
            return Err(not_taken(&request.method));
        };
        let args = params["arguments"].clone();
        // No edit has such arguments: the answer says what is wrong with them.
        let mut result = self.noted(&self.answer(name, args, &context).await);
        // Only the newest protocol knows this field, and its clients send what it wants.
        result.result_type = None;
        serde_json::to_value(result)
            .map(CustomResult::new)
            .map_err(|error| ErrorData::internal_error(Cow::from(error.to_string()), None))
    }

    /// The index is begun as soon as the client is there.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.session.use_model_of(&context.peer);
        if let Err(error) = self.session.workspace(&context.peer).await {
            tracing::error!(%error, "the workspace cannot be opened");
        }
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if let Err(error) = self.session.follow_roots(&context.peer).await {
            tracing::error!(%error, "the new folders cannot be opened");
        }
    }
}
