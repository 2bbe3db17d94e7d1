use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

const PATIENCE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(100);

/// A folder with two files, and workers that are told of their jobs.
fn workers(
    limit: Duration,
    on_job: impl Fn(&Job) + Send + Sync + 'static,
) -> (tempfile::TempDir, Workers) {
    let place = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        let text = format!("class {name}: pass\n");
        std::fs::write(place.path().join(format!("{name}.py")), text).unwrap();
    }
    let setting = JobSettings {
        roots: vec![Root {
            name: "r".to_owned(),
            path: place.path().to_str().unwrap().to_owned(),
            link: None,
        }],
        limits: Limits {
            max_file_size: 1_000,
            exclude_generated: true,
        },
        limit,
        on_job: Some(Arc::new(on_job)),
    };
    (place, Workers::with(setting, 1))
}

fn read(path: &str) -> Job {
    let path = path.to_owned();
    Job::Read(FileRef { root: 0, path }, None)
}

fn root() -> DirRef {
    let dir = String::new();
    DirRef { root: 0, dir }
}

/// The next result in words.
fn next(workers: &mut Workers) -> String {
    match workers.next(PATIENCE).unwrap() {
        Done::Listed(listing, _) => listing.error.unwrap_or_else(|| "listed".to_owned()),
        Done::Read(read, _) => match read.outcome {
            Outcome::Skipped(SkipReason::Unreadable(why)) => format!("{}: {why}", read.file.path),
            _ => read.file.path,
        },
    }
}

/// Holds a thread as long as somebody says.
fn hold(held: &AtomicBool) {
    while held.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_disk_that_does_not_answer_costs_one_file_until_it_does() {
    let held = Arc::new(AtomicBool::new(true));
    let holds = Arc::clone(&held);
    let (_place, mut workers) = workers(SHORT, move |job| {
        if matches!(job, Job::Read(file, _) if file.path == "a.py") {
            hold(&holds);
        }
    });
    workers.add([read("a.py"), read("b.py")].into_iter(), false);
    let hung = "a.py: The disk did not give it within 100 ms.";
    assert_eq!(next(&mut workers), hung);
    assert_eq!(next(&mut workers), "b.py");
    assert!(workers.are_idle());
    // It is not tried a second time while it hangs.
    workers.add([read("a.py")].into_iter(), false);
    assert_eq!(next(&mut workers), hung);
    held.store(false, Ordering::SeqCst);
    while !workers.shared.lock().hung.is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    workers.add([read("a.py")].into_iter(), false);
    assert_eq!(next(&mut workers), "a.py");
}

#[test]
fn a_folder_that_does_not_answer_is_given_up() {
    let held = Arc::new(AtomicBool::new(true));
    let holds = Arc::clone(&held);
    let (_place, mut workers) = workers(SHORT, move |job| {
        if matches!(job, Job::List(_)) {
            hold(&holds);
        }
    });
    workers.add([Job::List(root())].into_iter(), false);
    assert_eq!(
        next(&mut workers),
        "The disk did not list it within 100 ms."
    );
    assert!(workers.hangs_at(&root()));
    workers.add([read("b.py")].into_iter(), false);
    assert_eq!(next(&mut workers), "b.py");
    held.store(false, Ordering::SeqCst);
}

#[test]
fn threads_rest_when_there_is_nothing_to_do() {
    let (_place, mut workers) = workers(PATIENCE, |_| {});
    workers.add([read("a.py")].into_iter(), false);
    assert_eq!(next(&mut workers), "a.py");
    let (send, rested) = channel();
    let send = Mutex::new(send);
    workers.rest(Arc::new(move || {
        let name = std::thread::current().name().map(ToOwned::to_owned);
        let _ = lock(&send).send(name);
    }));
    let name = rested.recv_timeout(PATIENCE).unwrap();
    assert_eq!(name.as_deref(), Some("worker-0"));
    workers.add([read("b.py"), Job::List(root())].into_iter(), false);
    assert_eq!([next(&mut workers), next(&mut workers)], ["b.py", "listed"]);
}
