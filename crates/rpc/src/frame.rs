//! Frames: where a message begins and ends in a stream of bytes.
//!
//! A peer chooses by the first byte that it sends: messages behind `Content-Length` headers, as editors send them, or a
//! message a line. It is answered in the same way.

use thiserror::Error;

/// A longer message than this is not read (bytes).
pub(crate) const MAX_MESSAGE: usize = 16 << 20;
/// Longer headers than this are not read (bytes).
const MAX_HEAD: usize = 8 << 10;

/// How messages are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// A message a line.
    #[default]
    Lines,
    /// `Content-Length: N`, an empty line, and `N` bytes.
    Headers,
}

impl Framing {
    /// The bytes of a message on their way to the peer.
    #[must_use]
    pub fn write(self, message: &str) -> Vec<u8> {
        match self {
            Self::Lines => format!("{message}\n").into_bytes(),
            Self::Headers => {
                format!("Content-Length: {}\r\n\r\n{message}", message.len()).into_bytes()
            }
        }
    }
}

/// A stream that cannot be followed any further, or a message in it that is not read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FrameError {
    /// A message is too long. It is passed over.
    #[error("A message is longer than {MAX_MESSAGE} bytes.")]
    TooLong,
    /// Headers without a length: nobody knows where the next message begins.
    #[error("A header has no `Content-Length`.")]
    NoLength,
}

impl FrameError {
    /// Whether nothing behind it can be read.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::NoLength)
    }
}

/// Takes bytes as they come and gives messages.
#[derive(Debug, Default)]
pub struct FrameReader {
    framing: Option<Framing>,
    bytes: Vec<u8>,
    /// Up to where no line ends.
    searched: usize,
    /// So many bytes more belong to a message that is too long; of a line it is not known how many.
    skipped: Option<usize>,
}

impl FrameReader {
    /// A reader of messages behind headers, whatever the first byte is: an editor sends no others.
    #[must_use]
    pub fn with_headers() -> Self {
        Self {
            framing: Some(Framing::Headers),
            ..Self::default()
        }
    }

    /// How the peer frames its messages; as lines until it has sent any.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.framing.unwrap_or_default()
    }

    /// Takes bytes in.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next message that is there as a whole.
    ///
    /// # Errors
    /// When it is too long, or the stream cannot be followed.
    pub fn next_message(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        if self.framing.is_none() {
            let blank = self
                .bytes
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace());
            let blank = blank.count();
            self.bytes.drain(..blank);
            let Some(first) = self.bytes.first() else {
                return Ok(None);
            };
            self.framing = Some(match first.is_ascii_alphabetic() && !self.is_word() {
                true => Framing::Headers,
                false => Framing::Lines,
            });
        }
        match self.framing() {
            Framing::Lines => self.next_line(),
            Framing::Headers => self.next_body(),
        }
    }

    /// The rest, where the last line has no end.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        let is_whole = self.framing() == Framing::Lines && self.skipped.is_none();
        let rest = std::mem::take(&mut self.bytes);
        (is_whole && !rest.trim_ascii().is_empty()).then_some(rest)
    }

    /// Whether the stream begins with a JSON word rather than a header.
    fn is_word(&self) -> bool {
        ["true", "false", "null"]
            .iter()
            .any(|word| self.bytes.starts_with(word.as_bytes()))
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        loop {
            let end = self.bytes[self.searched..]
                .iter()
                .position(|byte| *byte == b'\n');
            let Some(end) = end.map(|end| self.searched + end) else {
                self.searched = self.bytes.len();
                if self.bytes.len() <= MAX_MESSAGE {
                    return Ok(None);
                }
                self.bytes.clear();
                self.searched = 0;
                let is_told = self.skipped.replace(0).is_some();
                return if is_told {
                    Ok(None)
                } else {
                    Err(FrameError::TooLong)
                };
            };
            let line: Vec<u8> = self.bytes.drain(..=end).collect();
            self.searched = 0;
            if self.skipped.take().is_some() || line.trim_ascii().is_empty() {
                continue;
            }
            return match line.len() > MAX_MESSAGE {
                true => Err(FrameError::TooLong),
                false => Ok(Some(line)),
            };
        }
    }

    fn next_body(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        if let Some(left) = self.skipped {
            let gone = left.min(self.bytes.len());
            self.bytes.drain(..gone);
            self.skipped = (gone < left).then_some(left - gone);
            if self.skipped.is_some() {
                return Ok(None);
            }
        }
        let Some((head, body)) = head(&self.bytes) else {
            return match self.bytes.len() > MAX_HEAD {
                true => Err(FrameError::NoLength),
                false => Ok(None),
            };
        };
        let length = length(head).ok_or(FrameError::NoLength)?;
        if length > MAX_MESSAGE {
            self.bytes.drain(..body);
            self.skipped = Some(length);
            return Err(FrameError::TooLong);
        }
        if self.bytes.len() < body + length {
            return Ok(None);
        }
        let message = self.bytes[body..body + length].to_vec();
        self.bytes.drain(..body + length);
        Ok(Some(message))
    }
}

/// The headers, and where the body begins.
fn head(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let window = &bytes[..bytes.len().min(MAX_HEAD)];
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let ends = ends.map(|end| {
        let at = window.windows(end.len()).position(|part| part == end);
        at.map(|at| (&bytes[..at], at + end.len()))
    });
    ends.into_iter().flatten().min_by_key(|(_, body)| *body)
}

fn length(head: &[u8]) -> Option<usize> {
    let head = std::str::from_utf8(head).ok()?;
    head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.trim().eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(reader: &mut FrameReader) -> Vec<Result<String, FrameError>> {
        let mut out = Vec::new();
        loop {
            match reader.next_message() {
                Ok(None) => return out,
                Ok(Some(message)) => {
                    out.push(Ok(
                        String::from_utf8_lossy(message.trim_ascii()).into_owned()
                    ));
                }
                Err(error) => {
                    let is_fatal = error.is_fatal();
                    out.push(Err(error));
                    if is_fatal {
                        return out;
                    }
                }
            }
        }
    }

    #[test]
    fn an_editor_s_first_byte_decides_nothing() {
        let mut reader = FrameReader::with_headers();
        assert_eq!(reader.framing(), Framing::Headers);
        reader.push(b"{\"a\":1}\n");
        // It is no header, and waits for one that ends.
        assert_eq!(reader.next_message(), Ok(None));
        reader.push(b"\r\n\r\n");
        assert_eq!(reader.next_message(), Err(FrameError::NoLength));
        let mut reader = FrameReader::with_headers();
        reader.push(b"Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull");
        assert_eq!(reader.next_message(), Ok(Some(b"{}".to_vec())));
        assert_eq!(reader.next_message(), Ok(Some(b"null".to_vec())));
        assert_eq!(reader.next_message(), Ok(None));
    }

    #[test]
    fn messages_come_in_pieces_of_any_size() {
        for (framing, text) in [
            (Framing::Lines, "{\"a\":1}\n\n{\"é\":2}\r\n".to_owned()),
            (
                Framing::Headers,
                "Content-Length: 7\r\n\r\n{\"a\":1}content-length:8\nX: y\n\n{\"é\":2}".to_owned(),
            ),
        ] {
            for size in 1..text.len() {
                let mut reader = FrameReader::default();
                let mut seen = Vec::new();
                for part in text.as_bytes().chunks(size) {
                    reader.push(part);
                    seen.extend(all(&mut reader));
                }
                assert_eq!(
                    seen,
                    [Ok("{\"a\":1}".to_owned()), Ok("{\"é\":2}".to_owned())],
                    "{size}"
                );
                assert_eq!(reader.framing(), framing);
            }
        }
    }

    #[test]
    fn a_message_that_is_too_long_is_passed_over() {
        let mut reader = FrameReader::default();
        reader.push(b"[1]\n");
        reader.push(&vec![b' '; MAX_MESSAGE + 1]);
        assert_eq!(
            all(&mut reader),
            [Ok("[1]".to_owned()), Err(FrameError::TooLong)]
        );
        reader.push(&vec![b'x'; MAX_MESSAGE + 1]);
        reader.push(b"\n[2]\n");
        assert_eq!(all(&mut reader), [Ok("[2]".to_owned())]);
        let mut reader = FrameReader::default();
        reader.push(format!("Content-Length: {}\r\n\r\n", MAX_MESSAGE + 1).as_bytes());
        assert_eq!(all(&mut reader), [Err(FrameError::TooLong)]);
        reader.push(&vec![b'x'; MAX_MESSAGE + 1]);
        reader.push(b"Content-Length: 3\r\n\r\n[2]");
        assert_eq!(all(&mut reader), [Ok("[2]".to_owned())]);
    }

    #[test]
    fn headers_without_a_length_end_the_stream() {
        let mut reader = FrameReader::default();
        reader.push(b"Content-Type: x\r\n\r\n{}");
        assert_eq!(all(&mut reader), [Err(FrameError::NoLength)]);
    }

    #[test]
    fn a_last_line_needs_no_end() {
        let mut reader = FrameReader::default();
        reader.push(b"[1]\n[2]");
        assert_eq!(all(&mut reader), [Ok("[1]".to_owned())]);
        assert_eq!(reader.finish().as_deref(), Some(b"[2]".as_slice()));
        assert_eq!(reader.finish(), None);
    }
}
