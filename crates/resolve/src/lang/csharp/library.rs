//! What the classes give that come with .NET: collections, LINQ, tasks.

use codecortex_bind::facts::Expr;

use super::{conversions, named, outside, plain, receiver};
use crate::containers::{self, Row};
use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{ExprRef, FileNo};

/// What a call gives of something that has no such member in the workspace.
pub(super) fn call(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let (of, name) = receiver(query, callee)?;
    let name = query.workspace.text(name);
    let of = query.type_of(of).ty;
    if let (Ty::External(..) | Ty::ExternalType(..), "Create" | "Run" | "StartNew") = (&of, name)
        && matches!(named(query, &of), "Task" | "TaskFactory")
    {
        let given = containers::returned(query, file, args)?;
        return Some(Typed::guess(match named(query, &given) {
            "Task" | "ValueTask" => given,
            _ => outside(query, "Task", vec![given]),
        }));
    }
    if let (Ty::External(..), "GetValueOrDefault", Some(held)) = (&of, name, held(query, &of)) {
        return Some(Typed::guess(held));
    }
    if let ("Convert", Some(to)) = (named(query, &of), name.strip_prefix("To"))
        && let Some(to) = conversions::own_type(to)
    {
        return Some(Typed::guess(plain(query, to)));
    }
    if name == "Invoke" {
        return super::functions::result(query, &of).map(Typed::guess);
    }
    if let Some(given) = containers::call(query, file, &of, name, args) {
        return Some(Typed::guess(given));
    }
    if let (Ty::Instance(..), "GetValueOrDefault" | "MemberwiseClone") = (&of, name) {
        return Some(Typed::guess(of));
    }
    common(query, name)
        .or_else(|| of_written(query, callee, name))
        .map(Typed::guess)
}

/// What `Guid?` holds.
pub(super) fn held(query: &Query<'_>, of: &Ty) -> Option<Ty> {
    let held = named(query, of).strip_suffix('?')?;
    Some(plain(query, held))
}

/// What a method gives that is told by its name and one written type argument: `GetService<T>()`, `OfType<T>()`.
fn of_written(query: &Query<'_>, callee: ExprRef, name: &str) -> Option<Ty> {
    const ONE: [&str; 10] = [
        "Get",
        "Create",
        "Resolve",
        "Deserialize",
        "Find",
        "First",
        "Single",
        "Last",
        "Read",
        "Convert",
    ];
    let Expr::Apply { args, .. } = query.expr(callee) else {
        return None;
    };
    let written = query.each(callee.file, args, |at| query.denotes(at).ty);
    let [of] = &written[..] else {
        return None;
    };
    let many = || outside(query, "IEnumerable", vec![of.clone()]);
    match name.strip_suffix("Async") {
        _ if matches!(name, "OfType" | "Cast" | "Empty") => Some(many()),
        _ if !ONE.iter().any(|start| name.starts_with(start)) => None,
        Some(_) => Some(outside(query, "Task", vec![of.clone()])),
        None if name.ends_with('s') => Some(many()),
        None => Some(of.clone()),
    }
}

/// What methods of these names give in all of the library.
fn common(query: &Query<'_>, name: &str) -> Option<Ty> {
    let of = match name {
        "ToString" | "GetString" | "ReadToEnd" | "ReadLine" | "ToLowerInvariant" => "string",
        "GetHashCode" | "CompareTo" | "IndexOf" | "LastIndexOf" | "Count" | "Compare" => "int",
        "GetType" => "Type",
        "GetTypeInfo" => "TypeInfo",
        "Equals" | "Contains" | "ContainsKey" | "StartsWith" | "EndsWith" | "Any" | "All"
        | "TryGetValue" | "TryParse" | "IsNullOrEmpty" | "IsNullOrWhiteSpace"
        | "ReferenceEquals" | "MoveNext" => "bool",
        _ => return None,
    };
    Some(plain(query, of))
}

/// What a method of the library writes into an argument.
pub(super) fn expected(query: &Query<'_>, of: &Ty, member: &str, index: u32) -> Option<Ty> {
    let args = match of {
        Ty::External(_, args) | Ty::ExternalType(_, args) => args.to_vec(),
        Ty::Instance(..) => {
            let bases = query.outside_bases(of);
            return bases
                .iter()
                .find_map(|base| expected(query, base, member, index));
        }
        _ => return None,
    };
    match (member, index) {
        ("TryGetValue" | "TryRemove", 1) if args.len() == 2 => args.get(1).cloned(),
        ("TryDequeue" | "TryPop" | "TryPeek" | "TryTake", 0) => args.first().cloned(),
        ("TryParse", 1) => match of {
            Ty::ExternalType(name, args) => Some(Ty::External(*name, args.clone())),
            _ => Some(of.clone()),
        },
        _ => None,
    }
}

const SEQUENCES: &str = "[] List IList IEnumerable ICollection IReadOnlyList IReadOnlyCollection HashSet ISet IReadOnlySet SortedSet Queue Stack LinkedList Collection ReadOnlyCollection ObservableCollection KeyedCollection ConcurrentQueue ConcurrentStack ConcurrentBag BlockingCollection ImmutableArray ImmutableList ImmutableHashSet ImmutableSortedSet ImmutableStack ImmutableQueue IImmutableList IImmutableSet IImmutableStack IImmutableQueue Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment IQueryable IOrderedEnumerable IOrderedQueryable IAsyncEnumerable IEnumerator IAsyncEnumerator ChannelReader";
const MAPS: &str = "Dictionary IDictionary IReadOnlyDictionary SortedDictionary SortedList ConcurrentDictionary ImmutableDictionary IImmutableDictionary ConditionalWeakTable FrozenDictionary";
const TASKS: &str = "Task ValueTask ConfiguredTaskAwaitable ConfiguredValueTaskAwaitable";

/// Static members of types that properties are named after.
const STATIC: [(&str, &str); 11] = [
    (
        "Type",
        "EmptyTypes Missing FilterName GetTypeFromHandle GetTypeCode GetTypeArray",
    ),
    (
        "TaskScheduler",
        "Default Current FromCurrentSynchronizationContext",
    ),
    (
        "CultureInfo",
        "InvariantCulture CurrentCulture CurrentUICulture GetCultureInfo GetCultures CreateSpecificCulture",
    ),
    (
        "Encoding",
        "UTF8 ASCII Unicode Default GetEncoding GetEncodings",
    ),
    (
        "DateTime",
        "Now UtcNow Today Parse TryParse ParseExact TryParseExact MinValue MaxValue FromBinary FromFileTime SpecifyKind DaysInMonth",
    ),
    (
        "TimeSpan",
        "FromDays FromHours FromMinutes FromSeconds FromMilliseconds FromTicks Zero Parse TryParse MinValue MaxValue",
    ),
    ("Guid", "NewGuid Empty Parse TryParse"),
    ("Version", "Parse TryParse"),
    (
        "Assembly",
        "Load LoadFrom LoadFile GetExecutingAssembly GetCallingAssembly GetEntryAssembly GetAssembly",
    ),
    ("Thread", "CurrentThread CurrentPrincipal Sleep Yield"),
    ("CancellationToken", "None"),
];

pub(super) fn is_static(of: &str, member: &str) -> bool {
    STATIC
        .iter()
        .any(|(known, members)| *known == of && members.split(' ').any(|known| known == member))
}

/// Names of types that rows and rules speak of.
pub(super) const WORDS: [&str; 36] = [
    "short",
    "long",
    "float",
    "decimal",
    "sbyte",
    "ushort",
    "uint",
    "ulong",
    "DateTime",
    "DateTimeOffset",
    "Guid",
    "BigInteger",
    "Action",
    "TypeInfo",
    "string",
    "int",
    "bool",
    "char",
    "double",
    "object",
    "byte",
    "null",
    "void",
    "Type",
    "Task",
    "List",
    "IEnumerable",
    "IEnumerator",
    "IGrouping",
    "Dictionary",
    "ICollection",
    "KeyValuePair",
    "EventArgs",
    "TimeSpan",
    "CancellationToken",
    "global",
];

pub(super) const ROWS: [Row; 81] = [
    Row("ArraySegment", "Array", "[0]", ""),
    Row("ArraySegment", "Offset Count", "int", ""),
    Row(
        "Type TypeInfo",
        "MakeGenericType MakeArrayType MakeByRefType GetGenericTypeDefinition GetElementType GetInterface GetNestedType BaseType DeclaringType ReflectedType UnderlyingSystemType AsType",
        "Type",
        "",
    ),
    Row(
        "MethodInfo ConstructorInfo PropertyInfo FieldInfo EventInfo MemberInfo",
        "DeclaringType ReflectedType",
        "Type",
        "",
    ),
    Row("EqualityComparer Comparer", "Default", "self", ""),
    Row(
        "DateTime DateTimeOffset TimeSpan",
        "Ticks ToBinary ToFileTime ToFileTimeUtc ToUnixTimeMilliseconds ToUnixTimeSeconds",
        "long",
        "",
    ),
    Row(
        "DateTime DateTimeOffset TimeSpan",
        "Year Month Day DayOfYear Hour Minute Second Millisecond Days Hours Minutes Seconds Milliseconds",
        "int",
        "",
    ),
    Row(
        "TimeSpan",
        "TotalDays TotalHours TotalMinutes TotalSeconds TotalMilliseconds",
        "double",
        "",
    ),
    Row("Expression", "Compile", "0", ""),
    Row(
        SEQUENCES,
        "Add Enqueue Push Insert AddLast AddFirst",
        "_",
        "=0",
    ),
    Row(SEQUENCES, "Contains Remove TryAdd", "bool", "=0"),
    Row(MAPS, "Add TryAdd", "_", "=1"),
    Row("Convert", "FromBase64String", "[byte]", ""),
    Row(
        "Path",
        "Combine Join GetFullPath GetFileName GetFileNameWithoutExtension GetDirectoryName GetExtension GetTempPath GetTempFileName GetRandomFileName ChangeExtension GetPathRoot",
        "string",
        "",
    ),
    Row(
        "FileInfo DirectoryInfo FileSystemInfo Type MemberInfo MethodInfo PropertyInfo FieldInfo ParameterInfo ConstructorInfo Assembly Exception",
        "FullName Name DirectoryName Extension Namespace AssemblyQualifiedName Message StackTrace",
        "string",
        "",
    ),
    Row(
        "DateTimeOffset",
        "DateTime UtcDateTime LocalDateTime",
        "DateTime",
        "",
    ),
    Row(
        "DateTime DateTimeOffset",
        "TimeOfDay Offset",
        "TimeSpan",
        "",
    ),
    Row(
        SEQUENCES,
        "Where OrderBy OrderByDescending ThenBy ThenByDescending TakeWhile SkipWhile DistinctBy",
        "IEnumerable<0>",
        "0;int",
    ),
    Row(
        SEQUENCES,
        "Distinct Skip Take SkipLast TakeLast Reverse Concat Union Intersect Except Append Prepend AsEnumerable DefaultIfEmpty AsQueryable ToHashSet AsReadOnly GetRange Slice AsSpan",
        "IEnumerable<0>",
        "",
    ),
    Row(SEQUENCES, "Select", "IEnumerable<ret>", "0;int"),
    Row(SEQUENCES, "SelectMany", "IEnumerable<flat>", "0;int"),
    Row(SEQUENCES, "ConvertAll", "List<ret>", "0"),
    Row(
        SEQUENCES,
        "GroupBy ToLookup",
        "IEnumerable<IGrouping<ret,0>>",
        "0",
    ),
    Row(
        SEQUENCES,
        "First FirstOrDefault Single SingleOrDefault Last LastOrDefault Find FindLast MinBy MaxBy",
        "0",
        "0",
    ),
    Row(
        SEQUENCES,
        "ElementAt ElementAtOrDefault Dequeue Pop Peek Current @iter @index",
        "0",
        "",
    ),
    Row(SEQUENCES, "FindAll", "List<0>", "0"),
    Row(
        SEQUENCES,
        "ToList ToImmutableList ToListAsync",
        "List<0>",
        "",
    ),
    Row(SEQUENCES, "ToArray ToImmutableArray", "[0]", ""),
    Row(
        SEQUENCES,
        "ToDictionary ToImmutableDictionary",
        "Dictionary<ret,0>",
        "0",
    ),
    Row(
        SEQUENCES,
        "Any All Count LongCount Sum Average RemoveAll RemoveWhere Exists TrueForAll FindIndex FindLastIndex ForEach",
        "_",
        "0",
    ),
    Row(SEQUENCES, "Min Max", "ret", "0"),
    Row(SEQUENCES, "Sort", "_", "0;0"),
    Row(SEQUENCES, "Aggregate", "arg", "?;0"),
    Row(SEQUENCES, "Zip", "IEnumerable<(0,?)>", ""),
    Row(
        SEQUENCES,
        "GetEnumerator GetAsyncEnumerator",
        "IEnumerator<0>",
        "",
    ),
    Row(
        "IGrouping",
        "@iter First Last ElementAt Single FirstOrDefault",
        "1",
        "1",
    ),
    Row("IGrouping", "Key", "0", ""),
    Row("IGrouping", "Where OrderBy", "IEnumerable<1>", "1"),
    Row("IGrouping", "Select", "IEnumerable<ret>", "1"),
    Row("IGrouping", "ToList", "List<1>", ""),
    Row("IGrouping", "ToArray", "[1]", ""),
    Row(
        MAPS,
        "@index GetValueOrDefault GetOrAdd AddOrUpdate GetValue",
        "1",
        "0;1",
    ),
    Row(
        MAPS,
        "@iter First Single Last FirstOrDefault ElementAt",
        "KeyValuePair<0,1>",
        "KeyValuePair<0,1>",
    ),
    Row(MAPS, "Keys", "ICollection<0>", ""),
    Row(MAPS, "Values", "ICollection<1>", ""),
    Row(
        MAPS,
        "Where OrderBy OrderByDescending Skip Take",
        "IEnumerable<KeyValuePair<0,1>>",
        "KeyValuePair<0,1>",
    ),
    Row(MAPS, "Select", "IEnumerable<ret>", "KeyValuePair<0,1>"),
    Row(MAPS, "Any All Count", "_", "KeyValuePair<0,1>"),
    Row(MAPS, "ToList", "List<KeyValuePair<0,1>>", ""),
    Row(MAPS, "ToArray", "[KeyValuePair<0,1>]", ""),
    Row("KeyValuePair", "Key", "0", ""),
    Row("KeyValuePair", "Value", "1", ""),
    Row(TASKS, "@await Result GetResult", "0", ""),
    Row(
        TASKS,
        "ConfigureAwait AsTask WaitAsync GetAwaiter",
        "self",
        "",
    ),
    Row(TASKS, "FromResult", "Task<arg>", ""),
    Row(TASKS, "ContinueWith", "Task<ret>", "self"),
    Row(
        "Lazy Nullable AsyncLocal ThreadLocal IOptions Option TaskCompletionSource StrongBox",
        "Value",
        "0",
        "",
    ),
    Row(
        "IOptions IOptionsMonitor IOptionsSnapshot",
        "CurrentValue Value Get",
        "0",
        "",
    ),
    Row("TaskCompletionSource", "Task", "Task<0>", ""),
    Row(
        "TimeSpan",
        "FromSeconds FromMilliseconds FromMinutes FromHours FromDays FromTicks Zero MaxValue MinValue Parse Add Subtract Negate Multiply Divide Duration",
        "TimeSpan",
        "",
    ),
    Row(
        "DateTime DateTimeOffset DateOnly TimeOnly",
        "Now UtcNow Today MinValue MaxValue Parse ParseExact AddDays AddHours AddMinutes AddSeconds AddMilliseconds AddMonths AddYears AddTicks Add ToUniversalTime ToLocalTime SpecifyKind Date",
        "self",
        "",
    ),
    Row("Guid", "NewGuid Parse Empty", "self", ""),
    Row("Encoding", "UTF8 ASCII Unicode GetEncoding", "self", ""),
    Row(
        "CultureInfo",
        "InvariantCulture CurrentCulture CurrentUICulture",
        "self",
        "",
    ),
    Row("CancellationToken", "None", "self", ""),
    Row("CancellationTokenSource", "Token", "CancellationToken", ""),
    Row("Task ValueTask", "CompletedTask Delay Yield", "Task", ""),
    Row("Task ValueTask", "WhenAll", "Task<[?]>", ""),
    Row(
        "string String",
        "Empty Format Join Concat Trim TrimStart TrimEnd Substring Replace ToLower ToUpper ToLowerInvariant ToUpperInvariant PadLeft PadRight Insert Remove Normalize Intern",
        "string",
        "",
    ),
    Row(
        "string String",
        "IndexOf LastIndexOf Length CompareTo Compare CompareOrdinal IndexOfAny",
        "int",
        "",
    ),
    Row("string String", "ToCharArray", "[char]", ""),
    Row("string String", "@iter @index", "char", ""),
    Row(
        "StringBuilder",
        "Append AppendLine AppendFormat Insert Remove Replace Clear AppendJoin",
        "self",
        "",
    ),
    Row(
        "int uint long ulong short ushort byte sbyte char float double decimal Int32 Int64 Double",
        "MaxValue MinValue NaN Epsilon PositiveInfinity NegativeInfinity Zero One",
        "self",
        "",
    ),
    Row(
        "int uint long ulong short ushort byte sbyte char float double decimal bool Int32 Int64 Double",
        "Parse",
        "self",
        "",
    ),
    Row("Math", "Max Min Abs Round Floor Ceiling Clamp", "arg", ""),
    Row(
        "Interlocked Volatile",
        "CompareExchange Exchange Read",
        "arg",
        "",
    ),
    Row("Enumerable", "Range", "IEnumerable<int>", ""),
    Row("Enumerable", "Repeat", "IEnumerable<arg>", ""),
    Row("Activator", "CreateInstance", "?", ""),
    Row("string", "Split", "[string]", ""),
];
