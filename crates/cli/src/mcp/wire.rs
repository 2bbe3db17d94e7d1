//! The lines between a client and the server. Each request that has an id is answered under that id, also where it is
//! broken, too long, or no request at all; nothing ends the session but the client (JSON-RPC 2.0, SPEC TC5, RPC1).
//!
//! The protocol's library would drop what it cannot read, or answer it without an id. So lines are read here
//! ([`lines`]), judged ([`judge`]) and numbered ([`in_flight`]); the library is given messages that it can read.

mod in_flight;
mod judge;
mod lines;
mod message;
mod params;
mod scan;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use codecortex_host::allocator;
use rmcp::model::{ClientRequest, JsonRpcMessage, ServerResult};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::ends::Ends;
use in_flight::{BatchNo, InFlight, ResponseOutcome};
use judge::{INVALID_REQUEST, MessageVerdict, PARSE_ERROR, Refusal, judge, refuse_unread};
use lines::{ClientLine, LineSplitter, MAX_LINE};

pub(super) use params::is_known;

/// Lines that a client goes on to write are read for so long after a signal.
const LAST_LINES: Duration = Duration::from_millis(500);
/// Who has written nothing for so long after a signal had written nothing before it either.
const QUIET: Duration = Duration::from_millis(50);
/// What is still at work this long after the end has begun is not waited for.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// A client that stops the process after it has closed stdin waits no longer than this.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Messages of a batch.
const MAX_BATCH: usize = 1000;
/// The versions of the protocol that have batches: one says so, and the one before it is JSON-RPC 2.0 as it is.
const HAVE_BATCHES: [&str; 2] = ["2024-11-05", "2025-03-26"];
/// A line of this many bytes leaves memory that is worth giving back.
const LARGE: usize = 1 << 20;
const INTERNAL_ERROR: i32 = -32603;

/// The server's side of the client's pipes.
pub(super) struct Wire<R> {
    lines: LineSplitter<R>,
    ends: Ends,
    /// Messages that the server has not taken yet.
    inbox: VecDeque<RxJsonRpcMessage<RoleServer>>,
    in_flight: InFlight,
    /// The protocol's version that was agreed on; none before the handshake.
    version: Option<String>,
    /// Whether `initialize` is on its way or was answered.
    is_open: bool,
    /// Set when a signal has come: until when lines are read that were written before.
    read_until: Option<Instant>,
    /// Set when no more is read: until when answers are waited for.
    deadline: Option<Instant>,
    /// Whether a signal has shortened that.
    is_hurried: bool,
    out: Option<UnboundedSender<String>>,
}

/// Connects a client's pipes; the task ends when all that the server said has been written, or nobody reads it. Must be
/// called within a runtime.
pub(super) fn connect<R: AsyncRead + Send + Unpin + 'static>(
    client: R,
    to_client: impl AsyncWrite + Send + Unpin + 'static,
    ends: &Ends,
) -> (Wire<R>, JoinHandle<()>) {
    let (out, lines) = unbounded_channel();
    let wire = Wire {
        lines: LineSplitter::new(client),
        ends: ends.clone(),
        inbox: VecDeque::new(),
        in_flight: InFlight::default(),
        version: None,
        is_open: false,
        read_until: None,
        deadline: None,
        is_hurried: false,
        out: Some(out),
    };
    (wire, tokio::spawn(give_out(lines, to_client, ends.clone())))
}

/// Writes lines, each whole, until there are no more.
async fn give_out(
    mut lines: UnboundedReceiver<String>,
    mut client: impl AsyncWrite + Unpin,
    ends: Ends,
) {
    loop {
        let line = tokio::select! {
            biased;
            line = lines.recv() => line,
            () = ends.finished() => None,
        };
        let Some(mut line) = line else {
            return;
        };
        line.push('\n');
        if client.write_all(line.as_bytes()).await.is_err() || client.flush().await.is_err() {
            tracing::info!("the client does not read any more");
            ends.finish();
            return;
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Wire<R> {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let line = match &message {
            JsonRpcMessage::Response(response) => {
                self.answer(&response.id, ResponseOutcome::Result(&response.result))
            }
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => self.answer(id, ResponseOutcome::Error(&error.error)),
                None => None,
            },
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {
                serde_json::to_string(&message).ok()
            }
        };
        self.write(line);
        std::future::ready(Ok(()))
    }

    /// Dropping the future loses nothing: the library does so whenever something else happens.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.inbox.pop_front() {
                return Some(message);
            }
            let Some(deadline) = self.deadline else {
                match self.next_line().await {
                    Some(line) => self.take_in(line),
                    None => self.deadline = Some(Instant::now() + LAST_ANSWERS),
                }
                continue;
            };
            if self.in_flight.is_empty() {
                return None;
            }
            tokio::select! {
                () = self.ends.begun(), if !self.is_hurried => {
                    self.is_hurried = true;
                    self.deadline = Some(deadline.min(Instant::now() + LAST_WORDS));
                }
                () = tokio::time::sleep_until(deadline) => self.abandon(),
                () = self.ends.finished() => self.abandon(),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.out = None;
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> Wire<R> {
    /// The next line; none when the client has closed its end. Once a signal has come, what was written before is still
    /// read, unless the client writes without an end.
    async fn next_line(&mut self) -> Option<ClientLine> {
        if !self.ends.has_begun() {
            tokio::select! {
                biased;
                line = self.lines.next() => return line,
                () = self.ends.begun() => {}
            }
        }
        self.is_hurried = true;
        let until = *self
            .read_until
            .get_or_insert_with(|| Instant::now() + LAST_LINES);
        if Instant::now() >= until {
            return None;
        }
        tokio::select! {
            biased;
            line = self.lines.next() => line,
            () = tokio::time::sleep(QUIET) => None,
        }
    }
}

impl<R> Wire<R> {
    fn write(&self, line: impl IntoIterator<Item = String>) {
        for line in line {
            // A client that is gone reads nothing.
            let _ = self.out.as_ref().map(|out| out.send(line));
        }
    }

    fn answer(
        &mut self,
        id: &rmcp::model::RequestId,
        outcome: ResponseOutcome<'_>,
    ) -> Option<String> {
        let answered = self.in_flight.answer(id, outcome)?;
        if answered.is_initialize {
            match outcome {
                ResponseOutcome::Result(ServerResult::InitializeResult(hello)) => {
                    self.version = Some(hello.protocol_version.to_string());
                }
                // The client may try again.
                _ => self.is_open = self.version.is_some(),
            }
        }
        answered.line
    }

    /// Tells whoever still waits that the session is over, and everybody else.
    fn abandon(&mut self) {
        let why = "The server was stopped before this was done.";
        let lines = self.in_flight.abandon(INTERNAL_ERROR, why);
        self.write(lines);
        self.ends.finish();
    }

    fn take_in(&mut self, line: ClientLine) {
        let is_large = match &line {
            ClientLine::Whole(bytes) => bytes.len() > LARGE,
            ClientLine::TooLong(_) => true,
        };
        match line {
            ClientLine::Whole(bytes) => self.take_in_text(&bytes),
            ClientLine::TooLong(glance) => {
                let why = format!("The line has more than {MAX_LINE} bytes.");
                let verdict = refuse_unread(&glance, INVALID_REQUEST, &why);
                self.follow(verdict, None);
            }
        }
        if is_large {
            allocator::give_back();
        }
    }

    fn take_in_text(&mut self, line: &[u8]) {
        // A mark of the byte order may stand in front of JSON (RFC 8259 §8.1).
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        match line.trim_ascii_start().first() {
            None => {}
            Some(b'[') => match self.batch(line) {
                Ok(messages) => self.follow_all(&messages),
                Err(refusal) => self.follow(MessageVerdict::Refused(refusal), None),
            },
            Some(_) => {
                let verdict = judge(line, self.is_open);
                self.follow(verdict, None);
            }
        }
    }

    /// The messages of a batch, where it is one and the session has batches.
    fn batch<'a>(&self, line: &'a [u8]) -> Result<Vec<&'a RawValue>, Refusal> {
        let refusal = |code, why: String| Err(Refusal::new(None, code, why));
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(line) {
            return refusal(PARSE_ERROR, format!("The line is not JSON: {error}."));
        }
        match self.version.as_deref() {
            Some(version) if HAVE_BATCHES.contains(&version) => {}
            Some(version) => {
                let why = format!(
                    "Protocol {version} has no batches: send each message on its own line."
                );
                return refusal(INVALID_REQUEST, why);
            }
            None => {
                let why = "The session is not initialised: send `initialize` first.".to_owned();
                return refusal(INVALID_REQUEST, why);
            }
        }
        match serde_json::from_slice::<Vec<&RawValue>>(line) {
            Ok(messages) if messages.is_empty() => {
                refusal(INVALID_REQUEST, "The batch is empty.".to_owned())
            }
            Ok(messages) if messages.len() > MAX_BATCH => {
                let count = messages.len();
                let why = format!("The batch has {count} messages; {MAX_BATCH} are the most.");
                refusal(INVALID_REQUEST, why)
            }
            Ok(messages) => Ok(messages),
            Err(error) => refusal(PARSE_ERROR, format!("The line is not JSON: {error}.")),
        }
    }

    fn follow_all(&mut self, messages: &[&RawValue]) {
        let verdicts =
            messages.iter().map(
                |message| match judge(message.get().as_bytes(), self.is_open) {
                    MessageVerdict::Request(id, request)
                        if matches!(*request, ClientRequest::InitializeRequest(_)) =>
                    {
                        let why = "`initialize` needs its own line, outside a batch.";
                        MessageVerdict::Refused(Refusal::new(Some(id), INVALID_REQUEST, why))
                    }
                    verdict => verdict,
                },
            );
        let verdicts: Vec<MessageVerdict> = verdicts.collect();
        let is_answered = |verdict: &&MessageVerdict| {
            matches!(
                verdict,
                MessageVerdict::Request(..) | MessageVerdict::Refused(_)
            )
        };
        let answers = verdicts.iter().filter(is_answered).count();
        let batch = (answers > 0).then(|| self.in_flight.add_batch(answers));
        for verdict in verdicts {
            self.follow(verdict, batch);
        }
    }

    fn follow(&mut self, verdict: MessageVerdict, batch: Option<BatchNo>) {
        match verdict {
            MessageVerdict::Request(id, request) => {
                let is_initialize = matches!(*request, ClientRequest::InitializeRequest(_));
                self.is_open |= is_initialize;
                let number = self.in_flight.add(id, batch, is_initialize);
                self.inbox
                    .push_back(JsonRpcMessage::request(*request, number));
            }
            MessageVerdict::Cancelled(id, params) => self.cancel(&id, &params),
            MessageVerdict::Message(message) => self.inbox.push_back(*message),
            MessageVerdict::Nothing => {}
            MessageVerdict::Refused(refusal) => {
                let line = self.in_flight.refuse(batch, &refusal);
                self.write(line);
            }
        }
    }

    /// Has the server give up the requests of an id. They get no answer.
    fn cancel(&mut self, id: &Value, params: &Map<String, Value>) {
        let (numbers, lines) = self.in_flight.cancel(id);
        for number in numbers {
            let mut params = params.clone();
            params.insert("requestId".to_owned(), number.into_json_value());
            let told = judge::notification_of("notifications/cancelled", Some(params));
            self.inbox.extend(told.map(JsonRpcMessage::notification));
        }
        self.write(lines);
    }
}
