//! Lines of bounded length: what a client sends without an end takes no memory without one (SPEC TC5).

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::scan::{Glance, MessageScan};

/// Bytes of the longest line that is read, without its end.
pub(super) const MAX_LINE: usize = 16 << 20;
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// A line of the client.
#[derive(Debug)]
pub(super) enum ClientLine {
    /// Its bytes, without the line feed.
    Whole(Vec<u8>),
    /// It is longer than [`MAX_LINE`]: what could be told of it while it was skipped.
    TooLong(Glance),
}

/// Splits what a client writes into lines.
pub(super) struct LineSplitter<R> {
    from: BufReader<R>,
    /// What was read of a line that has not ended.
    line: Vec<u8>,
    /// Set while a line that is too long is skipped.
    skipped: Option<MessageScan>,
}

impl<R: AsyncRead + Unpin> LineSplitter<R> {
    pub(super) fn new(from: R) -> Self {
        Self {
            from: BufReader::with_capacity(CHUNK, from),
            line: Vec::new(),
            skipped: None,
        }
    }

    /// The next line; none when the client has closed its end. Nothing is lost where the future is dropped before.
    pub(super) async fn next(&mut self) -> Option<ClientLine> {
        loop {
            let chunk = match self.from.fill_buf().await {
                Ok(chunk) => chunk,
                Err(error) => {
                    tracing::warn!(%error, "stdin cannot be read");
                    return None;
                }
            };
            if chunk.is_empty() {
                let has_some = !self.line.is_empty() || self.skipped.is_some();
                return has_some.then(|| self.take());
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let read = part.len() + usize::from(end.is_some());
            match &mut self.skipped {
                Some(scan) => scan.read(part),
                None if self.line.len() + part.len() > MAX_LINE => {
                    let mut scan = MessageScan::default();
                    scan.read(&self.line);
                    scan.read(part);
                    self.line = Vec::new();
                    self.skipped = Some(scan);
                }
                None => self.line.extend_from_slice(part),
            }
            self.from.consume(read);
            if end.is_some() {
                return Some(self.take());
            }
        }
    }

    fn take(&mut self) -> ClientLine {
        match self.skipped.take() {
            Some(scan) => ClientLine::TooLong(scan.end()),
            None => ClientLine::Whole(std::mem::take(&mut self.line)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::MessageKind;
    use super::*;

    async fn all(bytes: &[u8]) -> Vec<ClientLine> {
        let mut lines = LineSplitter::new(bytes);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await {
            all.push(line);
        }
        all
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn lines_end_at_a_line_feed_and_at_the_end() {
        let lines = wait(all(b"one\n\ntwo\r\nthree"));
        let texts: Vec<&[u8]> = lines
            .iter()
            .map(|line| match line {
                ClientLine::Whole(bytes) => bytes.as_slice(),
                ClientLine::TooLong(glance) => panic!("{glance:?}"),
            })
            .collect();
        assert_eq!(texts, [b"one".as_slice(), b"", b"two\r", b"three"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_known_by_its_id_wherever_that_stands() {
        let text = "x".repeat(MAX_LINE);
        let front = format!("{{\"id\":7,\"method\":\"m\",\"params\":{{\"s\":\"{text}\"}}}}\n");
        let back = format!("{{\"method\":\"m\",\"params\":{{\"s\":\"{text}\"}},\"id\":\"a\"}}\n");
        let at_most = format!("{text}\nend");
        let lines = wait(all([front, back, at_most].concat().as_bytes()));
        let ids: Vec<String> = lines[..2]
            .iter()
            .map(|line| match line {
                ClientLine::TooLong(glance) => match glance.kind() {
                    MessageKind::Request(id) => id.get().to_owned(),
                    other => panic!("{other:?}"),
                },
                ClientLine::Whole(bytes) => panic!("{} bytes", bytes.len()),
            })
            .collect();
        assert_eq!(ids, ["7", "\"a\""]);
        assert!(matches!(&lines[2], ClientLine::Whole(bytes) if bytes.len() == MAX_LINE));
        assert!(matches!(&lines[3], ClientLine::Whole(bytes) if bytes == b"end"));
    }

    #[test]
    fn a_line_that_was_read_in_part_goes_on_where_it_was() {
        wait(async {
            let (mut client, server) = tokio::io::duplex(64);
            let mut lines = LineSplitter::new(server);
            tokio::io::AsyncWriteExt::write_all(&mut client, b"half")
                .await
                .unwrap();
            // The future is dropped: it waits for the other half.
            tokio::select! {
                biased;
                line = lines.next() => panic!("{line:?}"),
                () = std::future::ready(()) => {}
            }
            tokio::io::AsyncWriteExt::write_all(&mut client, b" whole\n")
                .await
                .unwrap();
            let line = lines.next().await;
            assert!(matches!(line, Some(ClientLine::Whole(bytes)) if bytes == b"half whole"));
        });
    }
}
