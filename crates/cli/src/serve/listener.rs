//! A socket that peers connect to.

use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::{Shared, peer};
use crate::ends::Ends;
use crate::failure::Failure;

/// Serves whoever connects, until the process is told to stop.
pub(super) async fn serve(path: &Path, shared: &Arc<Shared>, ends: &Ends) -> Result<(), Failure> {
    let mut socket = Socket::open(path).await?;
    tracing::info!(path = %path.display(), "serving");
    let mut peers = JoinSet::new();
    loop {
        let (reader, writer) = tokio::select! {
            peer = socket.accept() => match peer {
                Ok(peer) => peer,
                Err(error) => {
                    tracing::warn!(%error, "a peer could not connect");
                    continue;
                }
            },
            () = ends.begun() => break,
        };
        while peers.try_join_next().is_some() {}
        let (shared, ends) = (Arc::clone(shared), ends.clone());
        peers.spawn(async move { peer::hold(reader, writer, &shared, &ends).await });
    }
    while peers.join_next().await.is_some() {}
    Ok(())
}

fn failed(what: &'static str) -> impl Fn(std::io::Error) -> Failure {
    move |source| Failure::Io { what, source }
}

#[cfg(unix)]
mod system {
    use std::fs;
    use std::io;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
    use tokio::net::{UnixListener, UnixStream};

    use super::failed;
    use crate::failure::Failure;

    /// A socket in the file system; removed at the end.
    pub(super) struct Socket {
        listener: UnixListener,
        path: PathBuf,
    }

    impl Socket {
        pub(super) async fn open(path: &Path) -> Result<Self, Failure> {
            let what = "the socket cannot be opened";
            let is_socket = fs::symlink_metadata(path).is_ok_and(|of| of.file_type().is_socket());
            // Of a process that was killed the socket is left, and nobody answers.
            if is_socket && UnixStream::connect(path).await.is_err() {
                fs::remove_file(path).map_err(failed(what))?;
            }
            let listener = UnixListener::bind(path).map_err(failed(what))?;
            let socket = Self {
                listener,
                path: path.to_owned(),
            };
            // Whoever connects reads the code.
            let own = fs::Permissions::from_mode(0o600);
            fs::set_permissions(path, own).map_err(failed(what))?;
            Ok(socket)
        }

        pub(super) async fn accept(&mut self) -> io::Result<(OwnedReadHalf, OwnedWriteHalf)> {
            let (stream, _) = self.listener.accept().await?;
            Ok(stream.into_split())
        }
    }

    impl Drop for Socket {
        fn drop(&mut self) {
            // Another process may have removed it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::OsString;
    use std::io;
    use std::path::Path;

    use tokio::io::{ReadHalf, WriteHalf};
    use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};

    use super::failed;
    use crate::failure::Failure;

    /// A named pipe.
    pub(super) struct Socket {
        next: NamedPipeServer,
        name: OsString,
    }

    impl Socket {
        pub(super) async fn open(path: &Path) -> Result<Self, Failure> {
            let name = path.as_os_str().to_owned();
            let next = ServerOptions::new()
                .first_pipe_instance(true)
                .create(&name)
                .map_err(failed("the pipe cannot be opened"))?;
            Ok(Self { next, name })
        }

        pub(super) async fn accept(
            &mut self,
        ) -> io::Result<(ReadHalf<NamedPipeServer>, WriteHalf<NamedPipeServer>)> {
            self.next.connect().await?;
            let next = ServerOptions::new().create(&self.name)?;
            let peer = std::mem::replace(&mut self.next, next);
            Ok(tokio::io::split(peer))
        }
    }
}

use system::Socket;
