//! What the client asks and what it gets.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Answer, Door, DoorKind, Root, State};
use codecortex_engine::{ErrorCode, Profile, ToolError, find_tool};
use codecortex_host::{Options, Service, error_answer, internal_error};
use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode as RpcErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig, SubscribeRequestParams, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use super::resources::{self, Ask, Used};
use super::subscriptions::{self, Subscriptions};
use super::{progress, prompts, roots, tools};
use crate::args::{McpArgs, ProfileArg};
use crate::failure::Failure;

const DOOR: Door = Door {
    kind: DoorKind::Mcp,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};
/// A client that offers roots and does not name them is not waited for any longer.
const ROOTS_PATIENCE: Duration = Duration::from_secs(3);

const INSTRUCTIONS: &str = "CodeCortex knows every declaration of this workspace and keeps up with \
    edits. Before reading or grepping files: codecortex_searchApi finds declarations by name, \
    initials, part or documentation; codecortex_getOutline shows what is in a file or type, with \
    line numbers, for a fraction of its source; codecortex_resolveSymbol says where a symbol path \
    is declared. Give maxTokens to bound an answer; what is left out is named with what it would \
    cost, and nextCursor goes on.";

/// An indexed workspace and what it is doing.
struct Running {
    service: Service,
    states: watch::Receiver<State>,
}

/// One session.
#[derive(Clone)]
pub(super) struct Server {
    profile: Profile,
    options: Arc<Options>,
    /// Whether the folders were named on the command line, so that the client's do not count.
    has_own_roots: bool,
    running: Arc<Mutex<Option<Arc<Running>>>>,
    /// Only one asks the client for its roots.
    opening: Arc<tokio::sync::Mutex<()>>,
    used: Arc<Used>,
    subscriptions: Subscriptions,
}

/// Calls tools for the server itself.
pub(super) struct Asking<'a> {
    server: &'a Server,
    peer: &'a Peer<RoleServer>,
}

impl Asking<'_> {
    /// What a tool answers; none when the engine has ended.
    pub(super) async fn answer(&self, tool: &str, args: Value) -> Option<Answer> {
        let (sender, answer) = oneshot::channel();
        if let Ok(running) = self.server.workspace(self.peer).await {
            running.service.call(tool, args, DOOR, move |answer| {
                // Whoever asked may be gone.
                let _ = sender.send(answer);
            });
        }
        answer.await.ok()
    }
}

impl Ask for Asking<'_> {
    async fn ask(&self, tool: &str, args: Value) -> Value {
        let json = self.answer(tool, args).await.and_then(|answer| answer.json);
        json.and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default()
    }
}

impl Server {
    /// A session; the index is begun where the folders are known already.
    pub(super) fn new(args: &McpArgs) -> Result<Self, Failure> {
        let has_own_roots = !args.workspace.roots.is_empty();
        let options = Options {
            watch: true,
            ..args.workspace.options()?
        };
        let server = Self {
            profile: match args.profile {
                ProfileArg::Default => Profile::Default,
                ProfileArg::Full => Profile::Full,
            },
            options: Arc::new(options),
            has_own_roots,
            running: Arc::default(),
            opening: Arc::default(),
            used: Arc::default(),
            subscriptions: Subscriptions::default(),
        };
        if has_own_roots {
            server
                .open(server.options.roots.clone())
                .map_err(|error| Failure::Session(error.to_string()))?;
        }
        Ok(server)
    }

    /// Ends the engine. Whether it ended in time.
    pub(super) fn stop(&self, deadline: Instant) -> bool {
        match self.replace(None).map(Arc::try_unwrap) {
            Some(Ok(running)) => running.service.stop(deadline),
            // A call that was abandoned still holds it; the process ends anyway.
            Some(Err(_)) => false,
            None => true,
        }
    }

    fn replace(&self, running: Option<Arc<Running>>) -> Option<Arc<Running>> {
        let mut slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *slot, running)
    }

    fn current(&self) -> Option<Arc<Running>> {
        let slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        slot.clone()
    }

    /// What the engine does, as long as there is one.
    pub(super) fn states(&self) -> Option<watch::Receiver<State>> {
        self.current().map(|running| running.states.clone())
    }

    pub(super) fn asking<'a>(&'a self, peer: &'a Peer<RoleServer>) -> Asking<'a> {
        Asking { server: self, peer }
    }

    fn open(&self, roots: Vec<Root>) -> std::io::Result<Arc<Running>> {
        let (sender, states) = watch::channel(codecortex_host::no_state());
        let options = Options {
            roots,
            ..Options::clone(&self.options)
        };
        let on_state = move |state: &State| {
            // Nobody may be interested at the moment.
            sender.send_replace(state.clone());
        };
        let service = Service::start(options, on_state, codecortex_host::memory::give_back)?;
        let running = Arc::new(Running { service, states });
        self.replace(Some(Arc::clone(&running)));
        Ok(running)
    }

    /// The workspace; where its folders are not known yet, the client is asked.
    async fn workspace(&self, peer: &Peer<RoleServer>) -> std::io::Result<Arc<Running>> {
        let _opening = self.opening.lock().await;
        match self.current() {
            Some(running) => Ok(running),
            None => self.open(client_roots(peer).await),
        }
    }

    async fn call(
        &self,
        name: &str,
        args: Value,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let running = match self.workspace(&context.peer).await {
            Ok(running) => running,
            Err(error) => return result(&internal_error(DOOR, &error.to_string())),
        };
        let (sender, answer) = oneshot::channel();
        let call = running.service.call(name, args, DOOR, move |answer| {
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
                answer.unwrap_or_else(|_| internal_error(DOOR, "The engine has ended."))
            }
            () = context.ct.cancelled() => {
                call.cancel();
                error_answer(DOOR, &ToolError::new(ErrorCode::Cancelled, "The call was given up."))
            }
            () = told => internal_error(DOOR, "The engine has ended."),
        };
        let result = result(&answer);
        if let Some(envelope) = &result.structured_content {
            self.used.note(envelope);
        }
        result
    }
}

/// The folders of a client that has some, else the one we were started in.
#[expect(
    deprecated,
    reason = "the newest protocol drops roots; today's clients have no other way"
)]
async fn client_roots(peer: &Peer<RoleServer>) -> Vec<Root> {
    let offers = peer
        .peer_info()
        .is_some_and(|client| client.capabilities.roots.is_some());
    if offers {
        let listed = tokio::time::timeout(ROOTS_PATIENCE, peer.list_roots()).await;
        match listed {
            Ok(Ok(listed)) => {
                let roots = roots::of_client(listed.roots.iter().map(|root| root.uri.as_str()));
                if !roots.is_empty() {
                    return roots;
                }
            }
            Ok(Err(error)) => tracing::warn!(%error, "the client does not name its roots"),
            Err(_) => tracing::warn!("the client does not name its roots in time"),
        }
    }
    roots::of_process()
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

    fn get_tool(&self, name: &str) -> Option<Tool> {
        find_tool(name).map(tools::mcp_tool)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::tools(self.profile)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let args = request.arguments.map_or(Value::Null, Value::Object);
        Ok(self.call(&request.name, args, &context).await.into())
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
        let asking = self.asking(&context.peer);
        let result = prompts::get(&asking, &request.name, request.arguments.as_ref()).await?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let asking = self.asking(&context.peer);
        // The first answer comes when every file was read; only then is it known how many symbols there are.
        asking.ask("codecortex_status", Value::Null).await;
        let symbols = self.states().map_or(0, |states| states.borrow().symbols);
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
        let contents = resources::read(&self.asking(&context.peer), &request.uri).await?;
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
        let now = resources::read(&self.asking(&context.peer), &uri).await;
        if !self.subscriptions.add(uri, resources::digest(&now)) {
            let message = Cow::from("The session watches as many outlines as it can.");
            return Err(ErrorData::invalid_request(message, None));
        }
        if self.subscriptions.begin() {
            let (server, peer) = (self.clone(), context.peer);
            tokio::spawn(subscriptions::watch(
                server,
                self.subscriptions.clone(),
                peer,
            ));
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
            let code = if request.method == "tools/call" {
                RpcErrorCode::INVALID_PARAMS
            } else {
                RpcErrorCode::METHOD_NOT_FOUND
            };
            return Err(ErrorData::new(code, request.method, None));
        };
        let args = params["arguments"].clone();
        let mut result = self.call(name, args, &context).await;
        // Only the newest protocol knows this field, and its clients send what it wants.
        result.result_type = None;
        serde_json::to_value(result)
            .map(CustomResult::new)
            .map_err(|error| ErrorData::internal_error(Cow::from(error.to_string()), None))
    }

    /// The index is begun as soon as the client is there.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Err(error) = self.workspace(&context.peer).await {
            tracing::error!(%error, "the workspace cannot be opened");
        }
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if self.has_own_roots {
            return;
        }
        let _opening = self.opening.lock().await;
        if let Err(error) = self.open(client_roots(&context.peer).await) {
            tracing::error!(%error, "the new folders cannot be opened");
        }
    }
}
