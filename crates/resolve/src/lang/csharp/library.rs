//! What the classes give that come with .NET: collections, LINQ, tasks.

use codecortex_bind::facts::Expr;

use super::support::{named, outside, plain, receiver};
use super::{conversions, signatures};
use crate::ids::{ExprRef, FileNo};
use crate::library_types;
use crate::library_types::table::LibraryMember;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The folders of namespaces in which types are known by their names, the best known first.
pub(super) const NAMESPACES: [&str; 24] = [
    "System",
    "System/Collections/Generic",
    "System/Linq",
    "System/Threading/Tasks",
    "System/IO",
    "System/Text",
    "System/Threading",
    "System/Collections",
    "System/Collections/Concurrent",
    "System/Collections/ObjectModel",
    "System/Collections/Immutable",
    "System/Globalization",
    "System/Reflection",
    "System/Runtime/CompilerServices",
    "System/Runtime/InteropServices",
    "System/Text/RegularExpressions",
    "System/Linq/Expressions",
    "System/Diagnostics",
    "System/ComponentModel",
    "System/Net/Http",
    "System/Net",
    "System/Data",
    "System/Data/Common",
    "System/Xml",
];

/// What a call gives of something that has no such member in the workspace.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    if let Some(given) = signatures::result(resolver, callee, args) {
        return Some(Typed::inferred(given));
    }
    let (of, name) = receiver(resolver, callee)?;
    let name = resolver.workspace.text(name);
    let of = resolver.type_of(of).ty;
    if let (Ty::External(..) | Ty::ExternalType(..), "Create" | "Run" | "StartNew") = (&of, name)
        && matches!(named(resolver, &of), "Task" | "TaskFactory")
    {
        let given = library_types::returned(resolver, file, args)?;
        return Some(Typed::inferred(match named(resolver, &given) {
            "Task" | "ValueTask" => given,
            _ => outside(resolver, "Task", vec![given]),
        }));
    }
    if let (Ty::External(..), "GetValueOrDefault", Some(held)) = (&of, name, held(resolver, &of)) {
        return Some(Typed::inferred(held));
    }
    if let ("Convert", Some(to)) = (named(resolver, &of), name.strip_prefix("To"))
        && let Some(to) = conversions::own_type(to)
    {
        return Some(Typed::inferred(plain(resolver, to)));
    }
    if name == "Invoke" {
        return super::delegates::result(resolver, &of).map(Typed::inferred);
    }
    if let Some(given) = library_types::call(resolver, file, &of, name, args) {
        return Some(Typed::inferred(given));
    }
    if let (Ty::Instance(..), "GetValueOrDefault" | "MemberwiseClone") = (&of, name) {
        return Some(Typed::inferred(of));
    }
    common(resolver, name)
        .or_else(|| of_written(resolver, callee, name))
        .map(Typed::inferred)
}

/// What `Guid?` holds.
pub(super) fn held(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let held = named(resolver, of).strip_suffix('?')?;
    Some(plain(resolver, held))
}

/// What a method gives that is told by its name and one written type argument: `GetService<T>()`, `OfType<T>()`.
fn of_written(resolver: &Resolver<'_>, callee: ExprRef, name: &str) -> Option<Ty> {
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
    let Expr::Apply { args, .. } = resolver.expr(callee) else {
        return None;
    };
    let written = resolver.each(callee.file, args, |at| resolver.lower_type(at).ty);
    let [of] = &written[..] else {
        return None;
    };
    let many = || outside(resolver, "IEnumerable", vec![of.clone()]);
    match name.strip_suffix("Async") {
        _ if matches!(name, "OfType" | "Cast" | "Empty") => Some(many()),
        _ if !ONE.iter().any(|start| name.starts_with(start)) => None,
        Some(_) => Some(outside(resolver, "Task", vec![of.clone()])),
        None if name.ends_with('s') => Some(many()),
        None => Some(of.clone()),
    }
}

/// What methods of these names give in all of the library.
fn common(resolver: &Resolver<'_>, name: &str) -> Option<Ty> {
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
    Some(plain(resolver, of))
}

/// What a method of the library writes into an argument.
pub(super) fn contextual_type(
    resolver: &Resolver<'_>,
    of: &Ty,
    member: &str,
    index: u32,
) -> Option<Ty> {
    let args = match of {
        Ty::External(_, args) | Ty::ExternalType(_, args) => args.to_vec(),
        Ty::Instance(..) => {
            let bases = resolver.external_bases(of);
            return bases
                .iter()
                .find_map(|base| contextual_type(resolver, base, member, index));
        }
        _ => return None,
    };
    match (member, index) {
        ("TryGetValue" | "TryRemove", 1) if args.len() == 2 => args.get(1).cloned(),
        ("TryDequeue" | "TryPop" | "TryPeek" | "TryTake", 0) => args.first().cloned(),
        ("TryParse" | "TryParseExact" | "TryCreate", 1..) if named(resolver, of) != "Enum" => {
            match of {
                Ty::ExternalType(name, args) => Some(Ty::External(*name, args.clone())),
                _ => Some(of.clone()),
            }
        }
        _ => None,
    }
}

/// What a generic method of the library writes into an argument of which its one written type argument is the type:
/// `TryGetValue<T>(key, out var found)`.
pub(super) fn written_into(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    let (_, name) = receiver(resolver, callee)?;
    let Expr::Apply { args, .. } = resolver.expr(callee) else {
        return None;
    };
    let written = resolver.each(callee.file, args, |at| resolver.lower_type(at).ty);
    let [of] = &written[..] else {
        return None;
    };
    let is_outside = resolver.find(callee).defs.is_empty();
    (resolver.workspace.text(name).starts_with("Try") && is_outside).then(|| of.clone())
}

const SEQUENCES: &str = "[] List IList IEnumerable ICollection IReadOnlyList IReadOnlyCollection HashSet ISet IReadOnlySet SortedSet Queue Stack LinkedList Collection ReadOnlyCollection ObservableCollection KeyedCollection ConcurrentQueue ConcurrentStack ConcurrentBag BlockingCollection ImmutableArray ImmutableList ImmutableHashSet ImmutableSortedSet ImmutableStack ImmutableQueue IImmutableList IImmutableSet IImmutableStack IImmutableQueue Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment FrozenSet IQueryable IOrderedEnumerable IOrderedQueryable IAsyncEnumerable IEnumerator IAsyncEnumerator ChannelReader";
const MAPS: &str = "Dictionary IDictionary IReadOnlyDictionary SortedDictionary SortedList ConcurrentDictionary ImmutableDictionary IImmutableDictionary ConditionalWeakTable FrozenDictionary";
/// What a range of something is of the same type.
const SLICED: &str =
    "[] string String Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment ImmutableArray List";
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

/// Whether a member of a type of the library is static.
pub(super) fn is_static(of: &str, member: &str) -> bool {
    STATIC
        .iter()
        .any(|(known, members)| *known == of && members.split(' ').any(|known| known == member))
}

/// Names of types that rows and rules speak of.
pub(super) const WORDS: [&str; 56] = [
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
    "ILookup",
    "HashSet",
    "FrozenSet",
    "FrozenDictionary",
    "ImmutableDictionary",
    "ImmutableHashSet",
    "ImmutableArray",
    "ImmutableList",
    "ImmutableQueue",
    "ImmutableStack",
    "ReadOnlyCollection",
    "IAsyncEnumerable",
    "Tuple",
    "ValueTask",
    "Span",
    "ReadOnlySpan",
    "Memory",
    "Range",
    "ChannelReader",
    "ChannelWriter",
];

/// Library types of .NET.
pub(super) const ROWS: [LibraryMember; 73] = [
    LibraryMember("ArraySegment", "Array", "[0]", ""),
    LibraryMember("ArraySegment", "Offset Count", "int", ""),
    LibraryMember(
        "Type TypeInfo",
        "MakeGenericType MakeArrayType MakeByRefType GetGenericTypeDefinition GetElementType GetInterface GetNestedType BaseType DeclaringType ReflectedType UnderlyingSystemType AsType",
        "Type",
        "",
    ),
    LibraryMember(
        "MethodInfo ConstructorInfo PropertyInfo FieldInfo EventInfo MemberInfo",
        "DeclaringType ReflectedType",
        "Type",
        "",
    ),
    LibraryMember("EqualityComparer Comparer", "Default", "self", ""),
    LibraryMember(
        "DateTime DateTimeOffset TimeSpan",
        "Ticks ToBinary ToFileTime ToFileTimeUtc ToUnixTimeMilliseconds ToUnixTimeSeconds",
        "long",
        "",
    ),
    LibraryMember(
        "DateTime DateTimeOffset TimeSpan",
        "Year Month Day DayOfYear Hour Minute Second Millisecond Days Hours Minutes Seconds Milliseconds",
        "int",
        "",
    ),
    LibraryMember(
        "TimeSpan",
        "TotalDays TotalHours TotalMinutes TotalSeconds TotalMilliseconds",
        "double",
        "",
    ),
    LibraryMember("Expression", "Compile", "0", ""),
    LibraryMember(
        SEQUENCES,
        "Add Enqueue Push Insert AddLast AddFirst",
        "_",
        "=0",
    ),
    LibraryMember(SEQUENCES, "Contains Remove TryAdd", "bool", "=0"),
    LibraryMember(MAPS, "Add TryAdd", "_", "=1"),
    LibraryMember("Convert", "FromBase64String", "[byte]", ""),
    LibraryMember(
        "Path",
        "Combine Join GetFullPath GetFileName GetFileNameWithoutExtension GetDirectoryName GetExtension GetTempPath GetTempFileName GetRandomFileName ChangeExtension GetPathRoot",
        "string",
        "",
    ),
    LibraryMember(
        "FileInfo DirectoryInfo FileSystemInfo Type MemberInfo MethodInfo PropertyInfo FieldInfo ParameterInfo ConstructorInfo Assembly Exception",
        "FullName Name DirectoryName Extension Namespace AssemblyQualifiedName Message StackTrace",
        "string",
        "",
    ),
    LibraryMember(
        "DateTimeOffset",
        "DateTime UtcDateTime LocalDateTime",
        "DateTime",
        "",
    ),
    LibraryMember(
        "DateTime DateTimeOffset",
        "TimeOfDay Offset",
        "TimeSpan",
        "",
    ),
    LibraryMember(
        SEQUENCES,
        "Where OrderBy OrderByDescending ThenBy ThenByDescending TakeWhile SkipWhile DistinctBy",
        "IEnumerable<0>",
        "0;int",
    ),
    LibraryMember(
        SEQUENCES,
        "Distinct Skip Take SkipLast TakeLast Reverse Concat Union Intersect Except Append Prepend AsEnumerable DefaultIfEmpty AsQueryable ToHashSet AsReadOnly GetRange AsSpan",
        "IEnumerable<0>",
        "",
    ),
    LibraryMember(SLICED, "Slice", "self", ""),
    LibraryMember("[]", "AsMemory", "Memory<0>", ""),
    LibraryMember("Memory", "Span", "Span<0>", ""),
    LibraryMember("ReadOnlyMemory", "Span", "ReadOnlySpan<0>", ""),
    LibraryMember("Channel", "Reader", "ChannelReader<0>", ""),
    LibraryMember("Channel", "Writer", "ChannelWriter<0>", ""),
    LibraryMember(SEQUENCES, "Select", "IEnumerable<ret>", "0;int"),
    LibraryMember(SEQUENCES, "ConvertAll", "List<ret>", "0"),
    LibraryMember(
        SEQUENCES,
        "First FirstOrDefault Single SingleOrDefault Last LastOrDefault Find FindLast MinBy MaxBy",
        "0",
        "0",
    ),
    LibraryMember(
        SEQUENCES,
        "ElementAt ElementAtOrDefault Dequeue Pop Peek Current @iter @index",
        "0",
        "",
    ),
    LibraryMember(SEQUENCES, "FindAll", "List<0>", "0"),
    LibraryMember(
        SEQUENCES,
        "ToList ToImmutableList ToListAsync",
        "List<0>",
        "",
    ),
    LibraryMember(SEQUENCES, "ToArray ToImmutableArray", "[0]", ""),
    LibraryMember(
        SEQUENCES,
        "Any All Count LongCount Sum Average RemoveAll RemoveWhere Exists TrueForAll FindIndex FindLastIndex ForEach",
        "_",
        "0",
    ),
    LibraryMember(SEQUENCES, "Sort", "_", "0;0"),
    LibraryMember(
        SEQUENCES,
        "GetEnumerator GetAsyncEnumerator",
        "IEnumerator<0>",
        "",
    ),
    LibraryMember("IGrouping", "@iter", "1", ""),
    LibraryMember("IGrouping", "Key", "0", ""),
    LibraryMember("ILookup Lookup", "@iter", "IGrouping<0,1>", ""),
    LibraryMember("ILookup Lookup", "@index", "IEnumerable<1>", ""),
    LibraryMember(MAPS, "@index GetValueOrDefault GetValue", "1", "0;1"),
    LibraryMember(MAPS, "@iter", "KeyValuePair<0,1>", ""),
    LibraryMember(MAPS, "Keys", "ICollection<0>", ""),
    LibraryMember(MAPS, "Values", "ICollection<1>", ""),
    LibraryMember("KeyValuePair", "Key", "0", ""),
    LibraryMember("KeyValuePair", "Value", "1", ""),
    LibraryMember(TASKS, "@await Result GetResult", "0", ""),
    LibraryMember(
        TASKS,
        "ConfigureAwait AsTask WaitAsync GetAwaiter",
        "self",
        "",
    ),
    LibraryMember(TASKS, "FromResult", "Task<arg>", ""),
    LibraryMember(TASKS, "ContinueWith", "Task<ret>", "self"),
    LibraryMember(
        "Lazy Nullable AsyncLocal ThreadLocal IOptions Option TaskCompletionSource StrongBox",
        "Value",
        "0",
        "",
    ),
    LibraryMember(
        "IOptions IOptionsMonitor IOptionsSnapshot",
        "CurrentValue Value Get",
        "0",
        "",
    ),
    LibraryMember("TaskCompletionSource", "Task", "Task<0>", ""),
    LibraryMember(
        "TimeSpan",
        "FromSeconds FromMilliseconds FromMinutes FromHours FromDays FromTicks Zero MaxValue MinValue Parse Add Subtract Negate Multiply Divide Duration",
        "TimeSpan",
        "",
    ),
    LibraryMember(
        "DateTime DateTimeOffset DateOnly TimeOnly",
        "Now UtcNow Today MinValue MaxValue Parse ParseExact AddDays AddHours AddMinutes AddSeconds AddMilliseconds AddMonths AddYears AddTicks Add ToUniversalTime ToLocalTime SpecifyKind Date",
        "self",
        "",
    ),
    LibraryMember("Guid", "NewGuid Parse Empty", "self", ""),
    LibraryMember("Encoding", "UTF8 ASCII Unicode GetEncoding", "self", ""),
    LibraryMember(
        "CultureInfo",
        "InvariantCulture CurrentCulture CurrentUICulture",
        "self",
        "",
    ),
    LibraryMember("CancellationToken", "None", "self", ""),
    LibraryMember("CancellationTokenSource", "Token", "CancellationToken", ""),
    LibraryMember("Task ValueTask", "CompletedTask Delay Yield", "Task", ""),
    LibraryMember(
        "string String",
        "Empty Format Join Concat Trim TrimStart TrimEnd Substring Replace ToLower ToUpper ToLowerInvariant ToUpperInvariant PadLeft PadRight Insert Remove Normalize Intern",
        "string",
        "",
    ),
    LibraryMember(
        "string String",
        "IndexOf LastIndexOf Length CompareTo Compare CompareOrdinal IndexOfAny",
        "int",
        "",
    ),
    LibraryMember("string String", "ToCharArray", "[char]", ""),
    LibraryMember("string String", "@iter @index", "char", ""),
    LibraryMember(
        "StringBuilder",
        "Append AppendLine AppendFormat Insert Remove Replace Clear AppendJoin",
        "self",
        "",
    ),
    LibraryMember(
        "int uint long ulong short ushort byte sbyte char float double decimal Int32 Int64 Double",
        "MaxValue MinValue NaN Epsilon PositiveInfinity NegativeInfinity Zero One",
        "self",
        "",
    ),
    LibraryMember(
        "int uint long ulong short ushort byte sbyte char float double decimal bool Int32 Int64 Double",
        "Parse",
        "self",
        "",
    ),
    LibraryMember("Math", "Max Min Abs Round Floor Ceiling Clamp", "arg", ""),
    LibraryMember(
        "Interlocked Volatile",
        "CompareExchange Exchange Read",
        "arg",
        "",
    ),
    LibraryMember("Enumerable", "Range", "IEnumerable<int>", ""),
    LibraryMember("Enumerable", "Repeat", "IEnumerable<arg>", ""),
    LibraryMember("Activator", "CreateInstance", "?", ""),
    LibraryMember("string", "Split", "[string]", ""),
];
