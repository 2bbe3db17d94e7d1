//! A peer: its messages in, replies and notices out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use codecortex_host::CallHandle;
use codecortex_rpc::{
    BatchId, CANCEL, FrameReader, Framing, Incoming, Message, MessageId, Replies, named_id,
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::{Shared, notices, requests};
use crate::ends::Ends;

/// So many requests of a peer are at work; more are not read before one of them is answered.
const AT_WORK: usize = 64;
/// So many messages wait for a peer that does not read.
const UNREAD: usize = 64;
/// Bytes that are read at once.
const PIECE: usize = 64 << 10;

/// Where messages to a peer go. Clones lead to the same.
#[derive(Clone)]
pub(super) struct PeerWriter {
    messages: mpsc::Sender<String>,
    replies: Arc<Mutex<Replies>>,
}

impl PeerWriter {
    /// Sends what answers nothing, or a whole reply.
    pub(super) async fn send(&self, message: String) {
        // A peer that is gone hears nothing.
        let _ = self.messages.send(message).await;
    }

    /// Sends a reply, with those of its batch once that is whole.
    async fn reply(&self, batch: Option<BatchId>, reply: String) {
        let reply = match batch {
            None => Some(reply),
            Some(batch) => self.batches(|replies| replies.add(batch, reply)),
        };
        if let Some(reply) = reply {
            self.send(reply).await;
        }
    }

    fn batches<T>(&self, with: impl FnOnce(&mut Replies) -> T) -> T {
        with(&mut self.replies.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until nobody reads any more.
    pub(super) async fn closed(&self) {
        self.messages.closed().await;
    }
}

/// Requests that are at work, by what gives them up.
#[derive(Clone, Default)]
pub(super) struct AtWork(Arc<Mutex<HashMap<MessageId, CallHandle>>>);

impl AtWork {
    pub(super) fn begin(&self, id: &MessageId, call: CallHandle) {
        self.with(|calls| calls.insert(id.clone(), call));
    }

    pub(super) fn end(&self, id: &MessageId) {
        self.with(|calls| calls.remove(id));
    }

    fn cancel(&self, id: &MessageId) {
        if let Some(call) = self.with(|calls| calls.get(id).cloned()) {
            call.cancel();
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut HashMap<MessageId, CallHandle>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Serves a peer until it closes its end, or the process is told to stop.
pub(super) async fn hold(
    mut reader: impl AsyncRead + Unpin,
    bytes_out: impl AsyncWrite + Unpin + Send + 'static,
    shared: &Arc<Shared>,
    ends: &Ends,
) {
    let framing = Arc::new(Mutex::new(Framing::default()));
    let (messages, unread) = mpsc::channel(UNREAD);
    let written = tokio::spawn(write(bytes_out, unread, Arc::clone(&framing)));
    let writer = PeerWriter {
        messages,
        replies: Arc::default(),
    };
    let changes = tokio::spawn(notices::tell_changes(Arc::clone(shared), writer.clone()));
    let mut session = PeerSession {
        shared: Arc::clone(shared),
        writer,
        at_work: AtWork::default(),
        permits: Arc::new(Semaphore::new(AT_WORK)),
        tasks: JoinSet::new(),
    };
    let mut frames = FrameReader::default();
    let mut piece = vec![0; PIECE];
    loop {
        let read = tokio::select! {
            read = reader.read(&mut piece) => read.unwrap_or(0),
            () = ends.begun() => 0,
            () = session.writer.closed() => 0,
        };
        if read == 0 {
            break;
        }
        frames.push(&piece[..read]);
        if !session.take_all(&mut frames, &framing).await {
            break;
        }
    }
    if let Some(rest) = frames.finish() {
        session.take(codecortex_rpc::incoming(&rest)).await;
    }
    tokio::select! {
        () = session.finish() => {}
        () = ends.finished() => {}
    }
    changes.abort();
    drop(session);
    // What is left to write belongs to nobody once the peer is gone.
    let _ = changes.await;
    let _ = written.await;
}

struct PeerSession {
    shared: Arc<Shared>,
    writer: PeerWriter,
    at_work: AtWork,
    permits: Arc<Semaphore>,
    tasks: JoinSet<()>,
}

impl PeerSession {
    /// Takes what is there. Whether more can be read.
    async fn take_all(&mut self, frames: &mut FrameReader, framing: &Mutex<Framing>) -> bool {
        loop {
            let next = frames.next_message();
            *framing.lock().unwrap_or_else(PoisonError::into_inner) = frames.framing();
            match next {
                Ok(None) => return true,
                Ok(Some(message)) => self.take(codecortex_rpc::incoming(&message)).await,
                Err(error) => {
                    let reply = codecortex_rpc::not_read(&error.to_string());
                    self.writer.send(reply).await;
                    if error.is_fatal() {
                        return false;
                    }
                }
            }
        }
    }

    async fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::One(message) => self.begin(None, message).await,
            Incoming::Batch(messages) => {
                let wants = |message: &&Message| {
                    !matches!(
                        message,
                        Message::Notification { .. } | Message::Reply { .. }
                    )
                };
                let requests = messages.iter().filter(wants).count();
                let batch = self.writer.batches(|replies| replies.open(requests));
                for message in messages {
                    self.begin(batch, message).await;
                }
            }
        }
    }

    async fn begin(&mut self, batch: Option<BatchId>, message: Message) {
        let (id, method, params) = match message {
            Message::Wrong(reply) => return self.writer.reply(batch, reply).await,
            Message::Notification { method, params } => return self.notified(&method, &params),
            // Nothing was asked of the peer.
            Message::Reply { .. } => return,
            Message::Request { id, method, params } => (id, method, params),
        };
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else {
            return;
        };
        // What has ended is forgotten.
        while self.tasks.try_join_next().is_some() {}
        let (shared, writer) = (Arc::clone(&self.shared), self.writer.clone());
        let at_work = self.at_work.clone();
        self.tasks.spawn(async move {
            let reply = requests::answer(&shared, &writer, &at_work, (&id, &method, params)).await;
            at_work.end(&id);
            writer.reply(batch, reply).await;
            drop(permit);
        });
    }

    /// What wants no answer: a request that is given up. Others say nothing to us.
    fn notified(&self, method: &str, params: &Value) {
        if method == CANCEL
            && let Some(id) = named_id(params)
        {
            self.at_work.cancel(&id);
        }
    }

    /// Waits until every request is answered.
    async fn finish(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Writes messages until nobody sends any, or the peer reads no more.
async fn write(
    mut writer: impl AsyncWrite + Unpin,
    mut unread: mpsc::Receiver<String>,
    framing: Arc<Mutex<Framing>>,
) {
    while let Some(message) = unread.recv().await {
        let framing = *framing.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = framing.write(&message);
        let is_written = writer.write_all(&bytes).await.is_ok() && writer.flush().await.is_ok();
        if !is_written {
            return;
        }
    }
}
