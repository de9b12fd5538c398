"""Which frames of a native stack belong to the machinery and not to the program: allocators, abort and unwinding,
sanitizers, the C and C++ libraries' insides, process start, fuzzing engines.

Source: the symbols of glibc, bionic, musl, libstdc++, libc++, compiler-rt, libFuzzer, the Windows C runtime, Rust's
std, glog, Abseil and Chromium's base, and where their sources lie.
"""

import re
from functools import cache

_FUNCTIONS = {
    "sanitizers": r"_*(?:asan|hwasan|msan|tsan|ubsan|lsan|dfsan|memprof)_+\w|(?:__)?(?:a|hwa|m|t|ub|l)san::"
    r"|agent::asan::|_*sanitizer_|__sanitizer"
    r"|_*interceptor_|___interceptor|__interceptor|asan\.module_[cd]tor|ubsan_GetStackTrace|Printf\b|CheckUnwind"
    r"|GetStackTrace|wrap_\w*alloc|(?:asan|scudo|gwp_asan)::|ScopedInErrorReport|HandleCFI|__cfi_\w+",
    "allocators": r"_*libc_(?:malloc|calloc|realloc|free|memalign)|(?:je_|tc_|mi_|dl|Shim|_+)?(?:malloc|calloc"
    r"|realloc|free|cfree|memalign)(?:_base|_dbg|_crt)?$"
    r"|reallocarray$|posix_memalign|aligned_alloc$|p?valloc$|operator (?:new|delete)|_int_(?:malloc|free|realloc)"
    r"|malloc_\w+$"
    r"|(?:Rtl|Heap|Local|Global)(?:p)?(?:Alloc|Free|ReAlloc)\w*|RtlAllocateHeap|RtlFreeHeap|RtlReAllocateHeap"
    r"|RtlpWaitFor\w*"
    r"|(?:base::)?(?:allocator_shim|partition_alloc|allocator)::|base::(?:TerminateBecauseOutOfMemory|UncheckedMalloc)"
    r"|(?:WTF|blink)::(?:Partitions|PartitionAllocator)::|WTF::fastMalloc|__libcpp_(?:allocate|deallocate|operator_new)"
    r"|(?:new|delete)$|rust_oom|__rust_\w*alloc\w*|__rg_oom|__rdl_\w+|alloc::alloc::|g_malloc\w*$|g_(?:realloc|free"
    r"|try_malloc\w*)$"
    r"|munmap_chunk|malloc_printerr|New(?:Array|ForOverwrite)?(?:<|$)|Rtlp\w*Heap\w*|RtlReportCriticalFailure$"
    r"|MemoryProtection::CMemoryProtector::",
    "abort": r"_*(?:abort|raise|gsignal|tgkill|exit|_exit|kill|quick_exit)$|_*pthread_kill\w*|_*kernel_\w*sigreturn"
    r"|_*restore_rt|__kernel_vsyscall"
    r"|killpg|_*assert\w*$|_*assert2$|__assert\w*|_wassert|__android_log_assert|_*fortify_\w+|_*stack_chk_fail\w*"
    r"|_*chk_fail$"
    r"|_*libc_(?:message|fatal)\w*|__libc_si_\w+|_sigtramp|signal handler called|<signal handler called>|_L_unlock"
    r"|KiUserExceptionDispatch\w*"
    r"|RaiseException|_*CxxThrowException|NtRaise\w+|RtlRaise\w+|Rtl\w*Exception\w*|UnhandledExceptionFilter"
    r"|\w*DebugBreak\w*|\w*BreakInto(?:The)?Debugger|__fastfail|__debugbreak"
    r"|_*cxa_(?:throw|rethrow|bad_cast|call_\w+|pure_virtual|guard\w*)|_Unwind_\w+|_*terminate(?:_handler)?$"
    r"|std::_*terminate|__gnu_cxx::__verbose"
    r"|demangling_terminate_handler|demangling_unexpected_handler|std::unexpected|std::__throw_\w+|std::__(?:1|Cr"
    r"|ndk1)::__(?:throw|libcpp)_\w+"
    r"|(?:abort|call_init|exit|die)_\w*(?:message|crash)$|uw_init_context_1|backtrace$|_*backtrace_symbols\w*",
    "failing": r"(?:\w+::)*LogMessage::|(?:logging|google|absl"
    r"|absl::log_internal|rtc)::(?:log_internal::)?(?:LogMessage\w*|CheckError|Check\w*LogMessage\w*"
    r"|Check\w*|ErrnoLogMessage|"
    r"NotReached\w*|RawLog\w*|raw_log\w*|Die\w*|Flush\w*|SendToLog)\b|~?LogMessage(?:Fatal)?$|~LogMessage|logging::"
    r"|(?:absl|google)::(?:lts_\w+::)?log_internal::"
    r"|google::(?:DumpStackTrace\w*|logging_fail|LogMessageFatal|InstallFailure\w+)|base::(?:debug::|ImmediateCrash"
    r"|internal::(?:ImmediateCrash|DumpWithoutCrashing))"
    r"|V8_Fatal|V8_Dcheck|v8::base::(?:OS::Abort|FatalImpl|DefaultDcheckHandler|debug::|CheckHandle)"
    r"|v8::internal::V8::FatalProcess\w+|v8::internal::Heap::FatalProcess\w+"
    r"|v8::internal::FatalProcess\w+|v8::Utils::ReportApiFailure|v8::V8::ToLocalEmpty"
    r"|v8::internal::Isolate::(?:PushStackTraceAndDie|PushParamsAndDie)|v8::base::FatalOOM"
    r"|WTFCrash\w*|WTFReport\w+|CrashAtUnmapped\w*|WTF::(?:\w+)?Crash\w*|CrashOverflow\w*|sk_abort_no_print"
    r"|SkAbort\w*|g_assertion_message\w*|g_logv?$|g_log_\w+|_g_log_\w+"
    r"|g_return_if_fail_warning|qt_assert\w*|qFatal|QMessageLogger::fatal|qt_message_\w+|c10::(?:Error::Error"
    r"|detail::torchCheckFail|detail::torchInternal\w+)"
    r"|c10::cuda::c10_cuda_check_implementation|(?:gpr|grpc)_assertion_failed|(?:OPENSSL|CRYPTO)_die|fatal_error$"
    r"|report_fatal_error|llvm::report_fatal_error"
    r"|llvm::llvm_unreachable_internal|llvm::sys::PrintStackTrace|llvm::sys::RunSignalHandlers"
    r"|PrintStackTraceSignalHandler|SignalHandler$|CrashRecovery\w*"
    r"|folly::symbolizer::|facebook::(?:\w+::)*terminate|boost::stacktrace::|backward::|cpptrace::"
    r"|std::__?stacktrace|DoRaise|libc_crash\w*|abort_msg|check_fail$|ImmediateCrash$|blink::ReportV8FatalError"
    r"|v8::api_internal::ToLocalEmpty|fx_logger\w*(?:::|$)|_objc_(?:terminate|fatal)|Die$",
    "memory and strings": r"_*(?:mem(?:cpy|move|set|cmp|chr|rchr|mem|ccpy|pcpy)|mempcpy|bcmp|bcopy|bzero"
    r"|wmem\w+)(?:_\w+)?$|_*str(?:n?len|n?cpy|n?cat|n?cmp|n?casecmp|r?chr|n?dup|p?brk|str"
    r"|c?spn|l?cpy|l?cat|to[a-z]+|tok\w*)(?:_\w+)?$"
    r"|_*wcs\w+$|_*(?:mem|str|wcs)\w+_(?:avx|sse|erms|evex|unaligned|chk|aarch64|neon|ssse3|generic|ifunc)\w*"
    r"|_*stpn?cpy(?:_(?!aarch64)\w+)?$|_*aeabi_mem\w+"
    r"|_*v?[fsd]?n?w?(?:printf|scanf)(?:_\w+)?$|_*IO_\w+|_*vfprintf\w*|(?:atoi|atol|atof|qsort|bsearch|fread|fwrite"
    r"|fopen|fclose|fputs)$",
    "go": r"runtime\.(?:raise|raiseproc|abort|crash|dieFromSignal|sigpanic|fatalpanic|throw|gopanic)(?:\.abi0)?$",
    "start": r"_*libc_(?:start\w*|init)|_start$|_dl_\w+|dl_main|(?:start|asan|hwasan|tsan|nptl)_thread\w*$"
    r"|_*clone[3]?$|__bionic_clone|__start_thread|__pthread_start\w*|_pthread_(?:start|body)"
    r"|thread_start$|_*BaseThread(?:InitThunk|Start)\w*|_*RtlUserThreadStart\w*|_*RtlInitializeExceptionChain"
    r"|(?:__scrt|_*tmain|_*w?main|_*w?WinMain)\w*CRTStartup|__scrt_\w+"
    r"|invoke_main|_*tmainCRTStartup|_callthreadstartex|thread_start<|_threadstartex|_ULx\w+|libdyld|start$"
    r"|std::(?:__1::|__Cr::|__ndk1::)?__thread_\w+|std::thread::_\w+|std::execute_native_thread_routine"
    r"|execute_native_thread_routine",
    "fuzzing": r"fuzzer::|LLVMFuzzer(?:RunDriver|Initialize|CustomMutator)\b|libfuzzer_sys::|rust_fuzzer_test_input"
    r"|HonggFuzz\w*|HF_ITER|hfuzz_\w+|afl_\w+|_*afl_\w+|centipede::|fuzztest::|FuzzerDriver"
    r"|HF_\w+|__wrap_\w+|Honggfuzz\w+|HandleOnePc|ExecuteInputsFromShmem|(?:\w+ )?fuzztest::|CrashTrampolineAsm"
    r"|ExecuteFilesOnyByOne|RunOneTest|RunAccept|testing::(?:Test|internal|UnitTest|TestInfo|TestSuite|TestCase)\w*",
    "rust": r"(?:<|_?\$LT\$)?(?:(?:std|core|alloc)\.\.\w|std::(?:sys|sys_common|panicking|panic|rt|process|io"
    r"|thread|backtrace|alloc|thread_local|error)\w*::|core::(?:panicking|result|option|ops|slice|str|fmt"
    r"|iter|ptr|cell|num|unicode)\w*::"
    r"|alloc::(?:alloc|raw_vec|vec|boxed|string|slice|sync|collections|fmt)::)|rust_begin_unwind|_?rust_panic\w*"
    r"|rust_eh_\w+|_*rust_(?:start|try|maybe|begin_short|end_short)\w*|__rust_\w+"
    r"|(?:panic_unwind|panic_abort|backtrace)::|std::_?panic",
    "library insides": r"(?:[\w ]+ )?std::(?:__1::|__Cr::|__ndk1::|__debug::)?(?:__\w|.*::__\w+$)|__gnu_cxx::"
    r"|absl::cleanup_internal::|absl::Cleanup<"
    r"|__gnu_debug::|__cxxabiv1::|operator\W|WTF::|(?:[\w ]+ )?__(?:invoke|call|compressed_pair"
    r"|tuple)\w*"
    r"|.*\b_asan_rtl_$",
    "kernel": r"dump_backtrace|show_stack|show_trace\w*|_*dump_stack\w*|panic$|die$|oops_\w+|__warn\w*"
    r"|warn_slowpath\w*|report_bug|handle_bug|fixup_bug|exc_\w+|asm_exc_\w+|do_(?:error_)?trap\w*"
    r"|do_invalid_op|invalid_op"
    r"|_*kasan_\w+|kmsan_\w+|kcsan_\w+|print_(?:address_description|report|trailer)|check_memory_region\w*"
    r"|object_err|(?:kz?m?alloc|kfree|kmem_cache_(?:alloc|free)|slab_\w+|___?slab_alloc|vmalloc)\w*"
    r"|el\d_?\w*|el\dt?_\w+|do_(?:mem_abort|page_fault|translation_fault|debug_exception|sea|undefinstr)"
    r"|__do_kernel_fault|(?:arm64_)?notify_die|die_kernel_fault|page_fault\w*|no_context|bad_area\w*"
    r"|__?general_protection"
    r"|entry_SYSCALL_\w+|ret_from_\w+|copy_(?:from|to)_user$",
}
_GLIBC_INSIDE = "__GI_"
"""What glibc puts before the names by which it calls its own functions."""
_FILE = (
    r"compiler-rt/|sanitizer_common|/Fuzzer[A-Z]\w*\.(?:cpp|h)$|libfuzzer-sys|/libc\+\+|libc\+\+(?:abi)?/"
    r"|/c\+\+/v\d/|/include/c\+\+/|/libcxx(?:abi)?/|/gcc-[\d.]+/libstdc|/rustc/[0-9a-f]{16,}"
    r"|/lib(?:rary/)?(?:std|core|alloc|panic_unwind|panic_abort)/|/glibc[-/]|/eglibc|/nptl/"
    r"|bionic/libc/|(?:^|/)bionic/|/musl/|vctools[/\\]|[/\\]minkernel|ucrt[/\\]|(?:^|[/\\])crt[/\\]"
    r"|libc(?:-[\d.]+)?\.so|libpthread(?:-[\d.]+)?\.so|libgcc_s|libstdc\+\+|libc\+\+\.so|ld-(?:linux|[\d.]+\.so)"
    r"|linux-gate|linux-vdso|\[vdso\]|<vDSO>|libclang_rt|libasan\.so|libubsan|libtsan|liblsan"
    r"|(?:^|[/\\])(?:kernel32|kernelbase|ntdll|ucrtbase|msvcrt|vcruntime\w*)(?:\.dll)?$|/googletest/|/centipede/"
    r"|^<unknown module>$|libsystem_\w+\.dylib|/base/allocator/|/partition_alloc"
)


def is_runtime(function: str | None, file: str) -> bool:
    """Whether a native frame belongs to the machinery around the program. `function` is without its argument list."""
    return bool(function and _function(*_FUNCTIONS).match(function.removeprefix(_GLIBC_INSIDE))) or bool(file and _file().search(file))


def is_announcer(function: str) -> bool:
    """Whether a function of the machinery is one with which a program says that it gives up."""
    return _function("failing").match(function) is not None


def is_harness(function: str) -> bool:
    """Whether a function of the machinery belongs to a fuzzing engine or a test runner."""
    return _function("fuzzing").match(function) is not None


@cache
def _function(*kinds: str) -> re.Pattern[str]:
    """The functions of some kinds; compiled when the first native frame is met, as most logs have none."""
    return re.compile("^(?:" + "|".join(f"(?:{_FUNCTIONS[kind]})" for kind in kinds) + ")")


@cache
def _file() -> re.Pattern[str]:
    return re.compile(_FILE, re.IGNORECASE)
