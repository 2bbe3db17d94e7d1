//! Methods of types of the language's own packages that programs embed or ask for.

use crate::query::Query;
use crate::workspace::{DefRef, Sym};

/// Interfaces, each method with the number of its parameters.
const INTERFACES: [(&str, &str); 46] = [
    ("error", "Error/0"),
    ("Stringer", "String/0"),
    ("GoStringer", "GoString/0"),
    ("Formatter", "Format/2"),
    ("Reader", "Read/1"),
    ("Writer", "Write/1"),
    ("Closer", "Close/0"),
    ("Seeker", "Seek/2"),
    ("ReadWriter", "Read/1 Write/1"),
    ("ReadCloser", "Read/1 Close/0"),
    ("WriteCloser", "Write/1 Close/0"),
    ("ReadWriteCloser", "Read/1 Write/1 Close/0"),
    ("ReadSeeker", "Read/1 Seek/2"),
    ("WriteSeeker", "Write/1 Seek/2"),
    ("ReadWriteSeeker", "Read/1 Write/1 Seek/2"),
    ("ReadSeekCloser", "Read/1 Seek/2 Close/0"),
    ("ReaderAt", "ReadAt/2"),
    ("WriterAt", "WriteAt/2"),
    ("WriterTo", "WriteTo/1"),
    ("ReaderFrom", "ReadFrom/1"),
    ("StringWriter", "WriteString/1"),
    ("ByteReader", "ReadByte/0"),
    ("ByteScanner", "ReadByte/0 UnreadByte/0"),
    ("ByteWriter", "WriteByte/1"),
    ("RuneReader", "ReadRune/0"),
    ("RuneScanner", "ReadRune/0 UnreadRune/0"),
    ("Interface", "Len/0 Less/2 Swap/2"),
    ("Locker", "Lock/0 Unlock/0"),
    ("Context", "Deadline/0 Done/0 Err/0 Value/1"),
    ("Handler", "ServeHTTP/2"),
    ("RoundTripper", "RoundTrip/1"),
    ("ResponseWriter", "Header/0 Write/1 WriteHeader/1"),
    ("Flusher", "Flush/0"),
    ("Hijacker", "Hijack/0"),
    ("CloseNotifier", "CloseNotify/0"),
    ("Pusher", "Push/2"),
    ("Marshaler", "MarshalJSON/0"),
    ("Unmarshaler", "UnmarshalJSON/1"),
    ("TextMarshaler", "MarshalText/0"),
    ("TextUnmarshaler", "UnmarshalText/1"),
    ("BinaryMarshaler", "MarshalBinary/0"),
    ("BinaryUnmarshaler", "UnmarshalBinary/1"),
    ("Addr", "Network/0 String/0"),
    ("Listener", "Accept/0 Close/0 Addr/0"),
    ("FileInfo", "Name/0 Size/0 Mode/0 ModTime/0 IsDir/0 Sys/0"),
    ("DirEntry", "Name/0 IsDir/0 Type/0 Info/0"),
];

/// What tests, benchmarks and both have.
const TESTING: &str = "Cleanup/1 Error/1 Errorf/2 Fail/0 FailNow/0 Failed/0 Fatal/1 Fatalf/2 Helper/0 Log/1 Logf/2 \
                       Name/0 Setenv/2 Skip/1 SkipNow/0 Skipf/2 Skipped/0 TempDir/0";

/// Other types, with methods that interfaces of programs ask for.
const TYPES: [(&str, &str); 9] = [
    ("T", TESTING),
    ("B", TESTING),
    ("TB", TESTING),
    ("Mutex", "Lock/0 Unlock/0 TryLock/0"),
    (
        "RWMutex",
        "Lock/0 Unlock/0 TryLock/0 RLock/0 RUnlock/0 TryRLock/0",
    ),
    ("WaitGroup", "Add/1 Done/0 Wait/0"),
    // What those of all packages have.
    ("File", "Stat/0 Read/1 Close/0"),
    (
        "Cmd",
        "Run/0 Start/0 Wait/0 Output/0 CombinedOutput/0 StdinPipe/0 StdoutPipe/0 StderrPipe/0 String/0",
    ),
    (
        "Buffer",
        "Read/1 Write/1 String/0 Len/0 Cap/0 Bytes/0 Reset/0 Grow/1 Truncate/1 Next/1 WriteString/1 ReadByte/0 \
         WriteByte/1 ReadRune/0 WriteRune/1 ReadString/1 ReadBytes/1 WriteTo/1 ReadFrom/1",
    ),
];

/// Whether a type that is embedded brings a method with this number of parameters.
pub(super) fn has_with(outside: &str, name: &str, params: &str) -> bool {
    let mut known = INTERFACES.iter().chain(&TYPES);
    let methods = known.find(|(known, _)| *known == outside);
    methods.is_some_and(|(_, methods)| {
        let mut methods = methods.split(' ').filter_map(|known| known.split_once('/'));
        methods.any(|known| known == (name, params))
    })
}

/// The methods of an interface, with the number of their parameters.
pub(super) fn wanted_by(name: &str) -> Option<impl Iterator<Item = (&'static str, &'static str)>> {
    let (_, methods) = INTERFACES.iter().find(|(known, _)| *known == name)?;
    Some(
        methods
            .split(' ')
            .filter_map(|method| method.split_once('/')),
    )
}

/// Whether a type that is embedded brings a method that takes as much as the one which is wanted.
pub(super) fn brings(query: &Query<'_>, outside: Sym, name: Sym, wanted: DefRef) -> bool {
    let params = query.arity(wanted).to_string();
    has_with(
        query.workspace.text(outside),
        query.workspace.text(name),
        &params,
    )
}

/// The names of all methods that an embedded type brings.
pub(super) fn brought_by(outside: &str) -> impl Iterator<Item = &'static str> {
    let mut known = INTERFACES.iter().chain(&TYPES);
    let methods = known.find(|(known, _)| *known == outside);
    let methods = methods.map_or("", |(_, methods)| methods).split(' ');
    methods.filter_map(|method| Some(method.split_once('/')?.0))
}

/// Types that bring a method of a name.
pub(super) fn bringing(name: &str) -> impl Iterator<Item = &'static str> {
    let has_it = move |(_, methods): &&(&str, &str)| {
        let mut methods = methods
            .split(' ')
            .filter_map(|method| method.split_once('/'));
        methods.any(|(known, _)| known == name)
    };
    let known = INTERFACES.iter().chain(&TYPES);
    known.filter(has_it).map(|(name, _)| *name)
}
