//! The types and traits of the standard library by their names. What a value of one of them points to or gives is known:
//! itself, or what its type arguments say. A value of any other type from outside may point to one of the workspace.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// Types, traits and primitives of `core`, `alloc`, `std` and `proc_macro`.
const NAMES: &str = "\
    AccessError Add AddAssign AddrParseError Alignment Ancestors Any Arc Args ArgsOs Arguments AsFd AsMut \
    AsRawFd AsRef AssertUnwindSafe AsyncDrop AtomicBool AtomicI16 AtomicI32 AtomicI64 AtomicI8 AtomicIsize \
    AtomicPtr AtomicU16 AtomicU32 AtomicU64 AtomicU8 AtomicUsize BTreeMap BTreeSet Backtrace BacktraceStatus \
    Barrier BarrierWaitResult Binary BinaryHeap BitAnd BitAndAssign BitOr BitOrAssign BitXor BitXorAssign Borrow \
    BorrowError BorrowMut BorrowMutError BorrowedFd Bound Box BufRead BufReader BufWriter BuildHasher \
    BuildHasherDefault Builder Bytes CStr CString Cell Chain CharIndices CharTryFromError Chars Child \
    ChildStderr ChildStdin ChildStdout ChunkBy Chunks ChunksExact ChunksMut Cloned Command CommandArgs \
    CommandEnvs CommandExt Component Components Concat Condvar Context ControlFlow Copied Copy Coroutine \
    CoroutineState Cow Cursor Cycle Debug DebugList DebugMap DebugSet DebugStruct DebugTuple DecodeUtf16 \
    DecodeUtf16Error DefaultHasher Delimiter Deref DerefMut Diagnostic DirBuilder DirEntry Discriminant Display \
    Div DivAssign DoubleEndedIterator Drain Drop Duration DynMetadata Empty EncodeUtf16 Entry Enumerate Eq Error \
    ErrorKind EscapeDebug EscapeDefault EscapeUnicode ExactSizeIterator Exclusive ExitCode ExitStatus \
    ExitStatusExt Extend ExtractIf File FileExt FileTimes FileType Filter FilterMap FlatMap Flatten Fn FnMut \
    FnOnce Formatter FpCategory From FromBytesUntilNulError FromBytesWithNulError FromFn FromIterator FromRawFd \
    FromStr FromUtf16Error FromUtf8Error FromVecWithNulError Fuse FusedIterator Future Global Group Hash HashMap \
    HashSet Hasher Ident Incoming Index IndexMut Infallible Inspect Instant IntErrorKind Into IntoFuture \
    IntoInnerError IntoIter IntoIterator IntoRawFd IntoStringError IoSlice IoSliceMut IpAddr Ipv4Addr Ipv6Addr \
    IsTerminal Iter IterMut Iterator Join JoinHandle JoinPathsError Layout LayoutError LazyCell LazyLock \
    LexError LineWriter Lines LinkedList Literal LocalKey LocalWaker Location LockResult LowerExp LowerHex \
    ManuallyDrop Map MapWhile MappedMutexGuard MatchIndices Matches MaybeUninit Metadata MetadataExt Mul \
    MulAssign Mutex MutexGuard Neg NonNull NonZero NonZeroI128 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI8 \
    NonZeroIsize NonZeroU128 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU8 NonZeroUsize Not NulError OccupiedEntry \
    Octal Once OnceCell OnceLock OnceState OnceWith OpenOptions OpenOptionsExt Option Ord Ordering OsStr \
    OsStrExt OsString OsStringExt Output OwnedFd PanicHookInfo PanicInfo PanicMessage ParseBoolError \
    ParseCharError ParseError ParseFloatError ParseIntError PartialEq PartialOrd Path PathBuf PeekMut Peekable \
    Pending Permissions PermissionsExt PhantomData PhantomPinned Pin PipeReader PipeWriter Pointer PoisonError \
    Poll PollFn Prefix PrefixComponent Product Punct RChunks RSplit RandomState Range RangeBounds RangeFrom \
    RangeFull RangeInclusive RangeTo RangeToInclusive RawFd RawWaker RawWakerVTable Rc Read ReadDir Ready \
    Receiver RecvError RecvTimeoutError ReentrantLock ReentrantLockGuard Ref RefCell RefMut RefUnwindSafe Rem \
    RemAssign Repeat RepeatN RepeatWith Report Result Rev Reverse RwLock RwLockReadGuard RwLockWriteGuard \
    Saturating Scan Scope ScopedJoinHandle Seek SeekFrom Self Send SendError Sender Shl ShlAssign Shr ShrAssign \
    Shutdown Sink SipHasher Sized Skip SkipWhile SliceIndex SocketAddr SocketAddrV4 SocketAddrV6 Spacing Span \
    Splice Split SplitAsciiWhitespace SplitInclusive SplitN SplitPaths SplitTerminator SplitWhitespace Stderr \
    StderrLock Stdin StdinLock Stdio Stdout StdoutLock StepBy String StripPrefixError Sub SubAssign Successors \
    Sum Sync SyncSender SyncUnsafeCell System SystemTime SystemTimeError Take TakeWhile TcpListener TcpStream \
    Termination ThinBox Thread ThreadId ToLowercase ToOwned ToSocketAddrs ToString ToUppercase TokenStream \
    TokenTree TrustedLen TryFrom TryFromCharError TryFromFloatSecsError TryFromIntError TryFromSliceError \
    TryInto TryIter TryLockError TryLockResult TryRecvError TryReserveError TrySendError Tuple TypeId UdpSocket \
    Unique UniqueRc UnixDatagram UnixListener UnixStream Unpin UnsafeCell UnwindSafe UpperExp UpperHex Utf8Chunk \
    Utf8Chunks Utf8Error VaList VacantEntry VarError Vars VarsOs Vec VecDeque WaitTimeoutResult Wake Waker Weak \
    Windows Wrapping Write Zip bool char f128 f16 f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 \
    usize";

/// Whether a type of this name is one of the standard library's, as far as its name tells.
pub(super) fn is_standard(name: &str) -> bool {
    static ALL: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let all = ALL.get_or_init(|| NAMES.split_ascii_whitespace().collect());
    all.contains(name) || matches!(name, "()" | "[]" | "{}" | "_" | "!")
}
