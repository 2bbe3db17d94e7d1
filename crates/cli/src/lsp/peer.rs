//! The stream of an editor: messages in, replies and notifications out.

use std::time::Duration;

use codecortex_rpc::{FrameReader, Framing, Incoming, incoming, not_read};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::session::{Client, EditorSession};
use super::workspace::Workspace;
use crate::ends::Ends;

/// So many messages wait for an editor that does not read.
const MAX_UNREAD: usize = 64;
/// Bytes that are read at once.
const PIECE: usize = 64 << 10;
/// An editor that does not read its last answers is waited for so long.
const LAST_WRITE: Duration = Duration::from_secs(2);

/// Serves an editor until it says `exit`, closes its end, or the process is told to stop. The exit code, and what is left
/// of the workspace.
pub(super) async fn hold(
    mut reader: impl AsyncRead + Unpin,
    bytes_out: impl AsyncWrite + Unpin + 'static,
    mut session: EditorSession,
    ends: &Ends,
) -> (i32, Option<Workspace>) {
    let (messages, unread) = mpsc::channel(MAX_UNREAD);
    let written = tokio::task::spawn_local(write(bytes_out, unread));
    let client = Client::new(messages);
    let mut frames = FrameReader::with_headers();
    let mut piece = vec![0; PIECE];
    let code = loop {
        let read = tokio::select! {
            read = reader.read(&mut piece) => read.unwrap_or(0),
            () = ends.begun() => break 0,
            () = client.closed() => 0,
        };
        if read == 0 {
            break session.code_when_gone();
        }
        frames.push(&piece[..read]);
        if let Some(code) = take_all(&mut frames, &client, &mut session).await {
            break code;
        }
    };
    if session.exit().is_none() {
        tokio::select! {
            () = session.finish() => {}
            () = ends.finished() => {}
        }
    }
    let workspace = session.into_workspace();
    // What was answered is written, and nothing else is waited for.
    drop(client);
    tokio::select! {
        _ = written => {}
        () = tokio::time::sleep(LAST_WRITE) => {}
    }
    (code, workspace)
}

/// Takes what is there. The exit code, where nothing more is to be read.
async fn take_all(
    frames: &mut FrameReader,
    client: &Client,
    session: &mut EditorSession,
) -> Option<i32> {
    loop {
        match frames.next_message() {
            Ok(None) => return None,
            Ok(Some(message)) => match incoming(&message) {
                Incoming::One(message) => session.take(client, message).await,
                // The protocol has no batches: each message is answered by itself.
                Incoming::Batch(messages) => {
                    for message in messages {
                        session.take(client, message).await;
                    }
                }
            },
            Err(error) => {
                client.send(not_read(&error.to_string())).await;
                if error.is_fatal() {
                    return Some(1);
                }
            }
        }
        if let Some(code) = session.exit() {
            return Some(code);
        }
    }
}

/// Writes messages until nobody sends any, or the editor reads no more.
async fn write(mut writer: impl AsyncWrite + Unpin, mut unread: mpsc::Receiver<String>) {
    while let Some(message) = unread.recv().await {
        let bytes = Framing::Headers.write(&message);
        let is_written = writer.write_all(&bytes).await.is_ok() && writer.flush().await.is_ok();
        if !is_written {
            return;
        }
    }
}
