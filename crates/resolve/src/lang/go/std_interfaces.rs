//! Method sets of interfaces of the standard library that programs embed or ask for.

use codecortex_bind::facts::{Expr, NONE};

use crate::ids::{DefRef, ExprRef, Name};
use crate::overloads::arity;
use crate::resolver::Resolver;

/// Interfaces, each method with the number of its parameters and results.
const INTERFACES: [(&str, &str); 46] = [
    ("error", "Error/0/1"),
    ("Stringer", "String/0/1"),
    ("GoStringer", "GoString/0/1"),
    ("Formatter", "Format/2/0"),
    ("Reader", "Read/1/2"),
    ("Writer", "Write/1/2"),
    ("Closer", "Close/0/1"),
    ("Seeker", "Seek/2/2"),
    ("ReadWriter", "Read/1/2 Write/1/2"),
    ("ReadCloser", "Read/1/2 Close/0/1"),
    ("WriteCloser", "Write/1/2 Close/0/1"),
    ("ReadWriteCloser", "Read/1/2 Write/1/2 Close/0/1"),
    ("ReadSeeker", "Read/1/2 Seek/2/2"),
    ("WriteSeeker", "Write/1/2 Seek/2/2"),
    ("ReadWriteSeeker", "Read/1/2 Write/1/2 Seek/2/2"),
    ("ReadSeekCloser", "Read/1/2 Seek/2/2 Close/0/1"),
    ("ReaderAt", "ReadAt/2/2"),
    ("WriterAt", "WriteAt/2/2"),
    ("WriterTo", "WriteTo/1/2"),
    ("ReaderFrom", "ReadFrom/1/2"),
    ("StringWriter", "WriteString/1/2"),
    ("ByteReader", "ReadByte/0/2"),
    ("ByteScanner", "ReadByte/0/2 UnreadByte/0/1"),
    ("ByteWriter", "WriteByte/1/1"),
    ("RuneReader", "ReadRune/0/3"),
    ("RuneScanner", "ReadRune/0/3 UnreadRune/0/1"),
    ("Interface", "Len/0/1 Less/2/1 Swap/2/0"),
    ("Locker", "Lock/0/0 Unlock/0/0"),
    ("Context", "Deadline/0/2 Done/0/1 Err/0/1 Value/1/1"),
    ("Handler", "ServeHTTP/2/0"),
    ("RoundTripper", "RoundTrip/1/2"),
    ("ResponseWriter", "Header/0/1 Write/1/2 WriteHeader/1/0"),
    ("Flusher", "Flush/0/0"),
    ("Hijacker", "Hijack/0/3"),
    ("CloseNotifier", "CloseNotify/0/1"),
    ("Pusher", "Push/2/1"),
    ("Marshaler", "MarshalJSON/0/2"),
    ("Unmarshaler", "UnmarshalJSON/1/1"),
    ("TextMarshaler", "MarshalText/0/2"),
    ("TextUnmarshaler", "UnmarshalText/1/1"),
    ("BinaryMarshaler", "MarshalBinary/0/2"),
    ("BinaryUnmarshaler", "UnmarshalBinary/1/1"),
    ("Addr", "Network/0/1 String/0/1"),
    ("Listener", "Accept/0/2 Close/0/1 Addr/0/1"),
    (
        "FileInfo",
        "Name/0/1 Size/0/1 Mode/0/1 ModTime/0/1 IsDir/0/1 Sys/0/1",
    ),
    ("DirEntry", "Name/0/1 IsDir/0/1 Type/0/1 Info/0/2"),
];

/// What tests, benchmarks and both have.
const TESTING: &str = "Cleanup/1/0 Error/1/0 Errorf/2/0 Fail/0/0 FailNow/0/0 Failed/0/1 Fatal/1/0 \
                       Fatalf/2/0 Helper/0/0 Log/1/0 Logf/2/0 Name/0/1 Setenv/2/0 Skip/1/0 SkipNow/0/0 Skipf/2/0 \
                       Skipped/0/1 TempDir/0/1";

/// Other types, with methods that interfaces of programs ask for.
const TYPES: [(&str, &str); 10] = [
    ("T", TESTING),
    ("B", TESTING),
    ("TB", TESTING),
    ("Mutex", "Lock/0/0 Unlock/0/0 TryLock/0/1"),
    (
        "RWMutex",
        "Lock/0/0 Unlock/0/0 TryLock/0/1 RLock/0/0 RUnlock/0/0 TryRLock/0/1",
    ),
    ("WaitGroup", "Add/1/0 Done/0/0 Wait/0/0"),
    // What those of all packages have.
    ("File", "Stat/0/2 Read/1/2 Close/0/1"),
    (
        "ExitError",
        "Error/0/1 ExitCode/0/1 Exited/0/1 Pid/0/1 String/0/1 Success/0/1 Sys/0/1 SysUsage/0/1 \
         SystemTime/0/1 UserTime/0/1",
    ),
    (
        "Cmd",
        "Run/0/1 Start/0/1 Wait/0/1 Output/0/2 CombinedOutput/0/2 StdinPipe/0/2 StdoutPipe/0/2 \
         StderrPipe/0/2 String/0/1",
    ),
    (
        "Buffer",
        "Read/1/2 Write/1/2 String/0/1 Len/0/1 Cap/0/1 Bytes/0/1 Reset/0/0 Grow/1/0 Truncate/1/0 \
         Next/1/1 WriteString/1/2 ReadByte/0/2 WriteByte/1/1 ReadRune/0/3 WriteRune/1/2 ReadString/1/2 \
         ReadBytes/1/2 WriteTo/1/2 ReadFrom/1/2",
    ),
];

/// Methods that functions of the library ask for of what they are given, beside those above: too common to be its own
/// wherever they are.
const OF_ARGUMENTS: &str = "Set/1/1 Push/1/0 Pop/0/1 Scan/1/1 Scan/2/1 Value/0/2 Is/1/1 As/1/1 Unwrap/0/1 \
                            Enabled/2/1 Handle/2/1 WithAttrs/1/1 WithGroup/1/1 LogValue/0/1 Level/0/1 Open/1/2 \
                            Stat/1/2 Stat/0/2 ReadDir/1/2 ReadFile/1/2 Glob/1/2 Sub/1/2 Visit/1/1 Int63/0/1 \
                            Uint64/0/1 Seed/1/0 Sum/1/1 Reset/0/0 Size/0/1 BlockSize/0/1 Encrypt/2/0 Decrypt/2/0 \
                            CryptBlocks/2/0 XORKeyStream/2/0 Public/0/1 Sign/3/2 LocalAddr/0/1 RemoteAddr/0/1 \
                            SetDeadline/1/1 SetReadDeadline/1/1 SetWriteDeadline/1/1 Timeout/0/1 Temporary/0/1 \
                            MarshalXML/2/1 UnmarshalXML/2/1 MarshalXMLAttr/1/2 UnmarshalXMLAttr/1/1 Token/0/2 \
                            GobEncode/0/2 GobDecode/1/1 AppendText/1/2 AppendBinary/1/2 SetCookies/2/0 \
                            Cookies/1/1 Connect/1/2 Driver/0/1 ColorModel/0/1 Bounds/0/1 At/2/1 RGBA/0/4 \
                            Convert/1/1 Start/1/3 Next/2/2 Get/1/2 Put/2/0 Signal/0/0 RuntimeError/0/0";

/// Types whose names are other packages' types as well, and the package that is meant.
const HOMES: [(&str, &str); 10] = [
    ("T", "testing"),
    ("B", "testing"),
    ("TB", "testing"),
    ("Mutex", "sync"),
    ("RWMutex", "sync"),
    ("WaitGroup", "sync"),
    ("Cmd", "exec"),
    ("ExitError", "exec"),
    ("Buffer", "bytes"),
    ("Interface", "sort"),
];

/// Whether a type of a package is the one that is known by this name.
pub(super) fn is_meant(name: &str, package: &str) -> bool {
    let home = HOMES.iter().find(|(known, _)| *known == name);
    home.is_none_or(|(_, home)| *home == package)
}

/// Whether an interface asks for a method of this name and form.
pub(super) fn is_asked_for(resolver: &Resolver<'_>, method: DefRef) -> bool {
    let Some(name) = resolver.name_of(method) else {
        return false;
    };
    let name = resolver.workspace.text(name);
    let mut asked = INTERFACES
        .iter()
        .flat_map(|(_, methods)| listed(methods))
        .filter(|(asked, _)| *asked == name)
        .peekable();
    asked.peek().is_some() && {
        let form = form(resolver, method);
        asked.any(|(_, asked)| asked == form)
    }
}

/// Whether functions of the library may ask for a method of this name and form of what they are given.
pub(super) fn is_asked_of_arguments(resolver: &Resolver<'_>, method: DefRef) -> bool {
    let form = form(resolver, method);
    listed(OF_ARGUMENTS).any(|asked| asked == (resolver.name(method), form.as_str()))
}

/// A method: its name, how much it takes and gives.
type Method = (&'static str, &'static str);

fn methods_of(name: &str) -> impl Iterator<Item = Method> {
    let mut known = INTERFACES.iter().chain(&TYPES);
    let methods = known.find(|(known, _)| *known == name);
    listed(methods.map_or("", |(_, methods)| methods))
}

fn listed(methods: &'static str) -> impl Iterator<Item = Method> {
    let methods = methods.split(' ');
    methods.filter_map(|method| method.split_once('/'))
}

/// How much a method takes and gives, as the tables have it.
pub(super) fn form(resolver: &Resolver<'_>, method: DefRef) -> String {
    let ty = resolver.def(method).map_or(NONE, |def| def.ty);
    let result = ExprRef {
        file: method.file,
        expr: ty,
    };
    let results = match resolver.expr(result) {
        _ if ty == NONE => 0,
        Expr::Tuple { of } => {
            let bound = resolver.file(method.file);
            bound.map_or(0, |bound| bound.list(of).len())
        }
        _ => 1,
    };
    format!("{}/{results}", arity::arity(resolver, method))
}

/// Whether a type that is embedded brings a method of this form.
pub(super) fn has_with(outside: &str, name: &str, form: &str) -> bool {
    methods_of(outside).any(|known| known == (name, form))
}

/// The methods of an interface, with their forms.
pub(super) fn wanted_by(name: &str) -> Option<impl Iterator<Item = Method>> {
    let (_, methods) = INTERFACES.iter().find(|(known, _)| *known == name)?;
    Some(listed(methods))
}

/// Whether a type that is embedded brings a method that takes and gives as much as the one which is wanted.
pub(super) fn brings(resolver: &Resolver<'_>, outside: Name, name: Name, wanted: DefRef) -> bool {
    has_with(
        resolver.workspace.text(outside),
        resolver.workspace.text(name),
        &form(resolver, wanted),
    )
}

/// The names of all methods that an embedded type brings.
pub(super) fn brought_by(outside: &str) -> impl Iterator<Item = &'static str> {
    methods_of(outside).map(|(name, _)| name)
}

/// Types that bring a method of a name.
pub(super) fn bringing(name: &str) -> impl Iterator<Item = &'static str> {
    let has_it = move |(_, methods): &&(&str, &'static str)| {
        let mut methods = listed(methods);
        methods.any(|(known, _)| known == name)
    };
    let known = INTERFACES.iter().chain(&TYPES);
    known.filter(has_it).map(|(name, _)| *name)
}
