//! A program with a time limit: it is ended with its children when the time is over.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::cancellation::{LOOK, StillNeeded};

/// Bytes of stderr that are kept.
const MAX_SAID: u64 = 16 << 10;
/// Between two looks whether a program that has closed its stdout has ended, at most.
const LONGEST_WAIT: Duration = Duration::from_millis(10);
/// How long stderr of a program that has ended is waited for.
const LONGEST_SAYING: Duration = Duration::from_secs(1);

/// Why a program gave nothing.
#[derive(Debug)]
pub(super) enum ProcessFailure {
    /// It was ended after its time.
    TooSlow,
    /// It was ended when nobody wanted its answer any more.
    Unwanted,
    /// It could not be started, or its pipes are broken.
    Io(io::Error),
}

/// How a program ended.
pub(super) struct ProcessEnd<T> {
    /// What was made of its stdout.
    pub(super) read: T,
    /// None where it was ended because enough was read.
    pub(super) status: Option<ExitStatus>,
    /// The beginning of its stderr.
    pub(super) said: String,
}

/// What was made of a program's stdout.
pub(crate) enum StdoutResult<T> {
    /// It was read to its end.
    Whole(T),
    /// What follows is of no use.
    Enough(T),
}

/// Runs a program. `input` is written to its stdin, which is empty otherwise; `read` is told its stdout.
pub(super) fn run<T: Send + 'static>(
    mut command: Command,
    input: Option<Vec<u8>>,
    limit: Duration,
    wanted: &StillNeeded,
    read: impl FnOnce(&mut BufReader<ChildStdout>) -> io::Result<StdoutResult<T>> + Send + 'static,
) -> Result<ProcessEnd<T>, ProcessFailure> {
    let deadline = Instant::now() + limit;
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    alone(&mut command);
    let mut child = command.spawn().map_err(ProcessFailure::Io)?;
    let (Some(stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        end(&mut child);
        return Err(ProcessFailure::Io(io::ErrorKind::BrokenPipe.into()));
    };
    // Pipes are bounded: who does one after the other may wait for ever. None of these threads is waited for, as a
    // program that left its group may hold the other end.
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let (say, heard) = channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.by_ref().take(MAX_SAID).read_to_end(&mut said);
        let _ = io::copy(&mut stderr, &mut io::sink());
        let _ = say.send(String::from_utf8_lossy(&said).into_owned());
    });
    let (send, received) = channel();
    thread::spawn(move || drop(send.send(read(&mut BufReader::new(stdout)))));
    let found = receive(&received, deadline, wanted).inspect_err(|_| end(&mut child))?;
    let (read, status) = match found {
        StdoutResult::Whole(read) => (read, Some(wait(&mut child, deadline)?)),
        StdoutResult::Enough(read) => {
            end(&mut child);
            (read, None)
        }
    };
    // A child that lives on may hold the other end.
    let said = heard.recv_timeout(left(deadline).min(LONGEST_SAYING));
    let said = said.unwrap_or_default();
    Ok(ProcessEnd { read, status, said })
}

/// Waits for what a program prints, as long as that is wanted.
fn receive<T>(
    printed: &Receiver<io::Result<T>>,
    deadline: Instant,
    wanted: &StillNeeded,
) -> Result<T, ProcessFailure> {
    loop {
        match printed.recv_timeout(left(deadline).min(LOOK)) {
            Ok(read) => return read.map_err(ProcessFailure::Io),
            Err(_) if !wanted.is_wanted() => return Err(ProcessFailure::Unwanted),
            Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
            Err(_) => return Err(ProcessFailure::TooSlow),
        }
    }
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Waits for a program that has closed its stdout; what does not end is ended.
fn wait(child: &mut Child, deadline: Instant) -> Result<ExitStatus, ProcessFailure> {
    let mut pause = Duration::from_micros(50);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() < deadline => {
                thread::sleep(pause);
                pause = (pause * 2).min(LONGEST_WAIT);
            }
            Ok(None) => {
                end(child);
                return Err(ProcessFailure::TooSlow);
            }
            Err(error) => {
                end(child);
                return Err(ProcessFailure::Io(error));
            }
        }
    }
}

/// Puts a program into a process group of its own, so that its children can be ended with it.
#[cfg(unix)]
fn alone(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Keeps Windows from opening a console for a program.
#[cfg(windows)]
fn alone(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(any(unix, windows)))]
fn alone(_command: &mut Command) {}

/// Ends a program that was not waited for yet, so that its id is still its own.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id())
        && let Some(group) = rustix::process::Pid::from_raw(id)
    {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null());
        command
    }

    fn all(out: &mut BufReader<ChildStdout>) -> io::Result<StdoutResult<Vec<u8>>> {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes)?;
        Ok(StdoutResult::Whole(bytes))
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn output_status_and_errors_are_told() {
        let ran = run(
            shell("cat; echo why >&2; exit 3"),
            Some(b"in".to_vec()),
            LONG,
            &StillNeeded::always(),
            all,
        )
        .unwrap();
        assert_eq!(
            (ran.read.as_slice(), ran.said.as_str()),
            (&b"in"[..], "why\n")
        );
        assert_eq!(ran.status.unwrap().code(), Some(3));
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        for script in ["sleep 1000 & sleep 1000", "exec >&- ; sleep 1000 & wait"] {
            let (mut reader, writer) = io::pipe().unwrap();
            let mut command = shell(script);
            // Every process has the writing end: reading ends when the last of them has.
            command.stdin(writer);
            let ran = run(
                command,
                None,
                Duration::from_millis(100),
                &StillNeeded::always(),
                all,
            );
            assert!(matches!(ran, Err(ProcessFailure::TooSlow)), "{script}");
            reader.read_to_end(&mut Vec::new()).unwrap();
        }
    }

    #[test]
    fn a_program_whose_answer_is_long_enough_is_ended() {
        let some = |out: &mut BufReader<ChildStdout>| {
            let mut bytes = vec![0; 1_000];
            out.read_exact(&mut bytes)?;
            Ok(StdoutResult::Enough(bytes))
        };
        let ran = run(
            shell("while echo y; do :; done"),
            None,
            LONG,
            &StillNeeded::always(),
            some,
        )
        .unwrap();
        assert!(ran.status.is_none() && ran.read.starts_with(b"y\n"));
    }

    #[test]
    fn a_program_that_nobody_waits_for_is_ended() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut command = shell("echo begun >&0; sleep 1000");
        command.stdin(writer);
        let begun = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let is_begun = std::sync::Arc::clone(&begun);
        let reads = thread::spawn(move || {
            reader.read_exact(&mut [0; 6]).unwrap();
            begun.store(true, std::sync::atomic::Ordering::SeqCst);
            // The program and its child have the other end.
            reader.read_to_end(&mut Vec::new()).unwrap();
        });
        let wanted = StillNeeded::new(move || !is_begun.load(std::sync::atomic::Ordering::SeqCst));
        let ran = run(command, None, LONG, &wanted, all);
        assert!(matches!(ran, Err(ProcessFailure::Unwanted)));
        reads.join().unwrap();
    }
}
