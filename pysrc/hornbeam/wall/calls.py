"""The system calls that a walled process may not make, with their numbers on the two machines that we know.

A number is that of x86_64 and then that of aarch64; None where the machine has no such call. From 424 on all machines
have the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Machine = Literal["x86_64", "aarch64"]
MACHINES: tuple[Machine, ...] = ("x86_64", "aarch64")

# The machine as seccomp names it, so that a call of another ABI of the same machine (i386 on x86_64) is not confused.
AUDIT: dict[Machine, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# The last call that the tables below know (Linux 5.17). Later ones look as they do on an older kernel: not there.
# On x86_64 this also refuses the x32 ABI, whose numbers have bit 30 set.
LAST_KNOWN = 450


@dataclass(frozen=True, slots=True)
class Call:
    """A system call."""

    name: str
    x86_64: int | None
    aarch64: int | None

    def number(self, machine: Machine) -> int | None:
        return self.x86_64 if machine == "x86_64" else self.aarch64


def _calls(table: str) -> tuple[Call, ...]:
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(Call(name, *(None if number == "-" else int(number) for number in numbers)) for name, *numbers in rows)


# Programs and processes of its own.
START = _calls("""
    fork 57 -
    vfork 58 -
    execveat 322 281
""")
EXECVE = Call("execve", 59, 221)
CLONE = Call("clone", 56, 220)

# Answered with "no such call": libc then takes the older call, whose arguments a filter can see.
HIDDEN = _calls("""
    clone3 435 435
    openat2 437 437
""")

# Calls whose first argument is a process id: only its own is allowed.
OWN_PROCESS = _calls("""
    kill 62 129
    tgkill 234 131
""")
PRLIMIT = Call("prlimit64", 302, 261)

# Other processes: their memory, descriptors, signals, priority.
OTHER_PROCESSES = _calls("""
    tkill 200 130
    rt_sigqueueinfo 129 138
    rt_tgsigqueueinfo 297 240
    ptrace 101 117
    process_vm_readv 310 270
    process_vm_writev 311 271
    process_madvise 440 440
    process_mrelease 448 448
    kcmp 312 272
    pidfd_open 434 434
    pidfd_getfd 438 438
    pidfd_send_signal 424 424
    migrate_pages 256 238
    move_pages 279 239
    setpriority 141 140
    ioprio_set 251 30
    sched_setaffinity 203 122
    sched_setparam 142 118
    sched_setscheduler 144 119
    sched_setattr 314 274
""")

SOCKETS = _calls("""
    socket 41 198
    socketpair 53 199
    bind 49 200
    listen 50 201
    accept 43 202
    accept4 288 242
    connect 42 203
    sendto 44 206
    recvfrom 45 207
    sendmsg 46 211
    recvmsg 47 212
    sendmmsg 307 269
    recvmmsg 299 243
""")

# Memory, semaphores and queues that other processes share.
SHARED = _calls("""
    shmget 29 194
    shmctl 31 195
    shmat 30 196
    semget 64 190
    semctl 66 191
    semtimedop 220 192
    semop 65 193
    msgget 68 186
    msgctl 71 187
    msgrcv 70 188
    msgsnd 69 189
    mq_open 240 180
    mq_unlink 241 181
""")

# Names in folders. Landlock holds these too; here they are refused to a process that may write nowhere.
NAMES = _calls("""
    creat 85 -
    mkdir 83 -
    mkdirat 258 34
    rmdir 84 -
    unlink 87 -
    unlinkat 263 35
    rename 82 -
    renameat 264 38
    renameat2 316 276
    link 86 -
    linkat 265 37
    symlink 88 -
    symlinkat 266 36
    mknod 133 -
    mknodat 259 33
    truncate 76 45
""")
OPEN = Call("open", 2, None)
OPENAT = Call("openat", 257, 56)

# Modes, owners, times and attributes of files: Landlock does not see these.
ATTRIBUTES = _calls("""
    chmod 90 -
    fchmod 91 52
    fchmodat 268 53
    chown 92 -
    fchown 93 55
    lchown 94 -
    fchownat 260 54
    utime 132 -
    utimes 235 -
    futimesat 261 -
    utimensat 280 88
    setxattr 188 5
    lsetxattr 189 6
    fsetxattr 190 7
    removexattr 197 14
    lremovexattr 198 15
    fremovexattr 199 16
""")

FCNTL = Call("fcntl", 72, 25)
IOCTL = Call("ioctl", 16, 29)

# Mounts, namespaces, and files by handle.
MOUNTS = _calls("""
    mount 165 40
    umount2 166 39
    pivot_root 155 41
    chroot 161 51
    open_tree 428 428
    move_mount 429 429
    fsopen 430 430
    fsconfig 431 431
    fsmount 432 432
    fspick 433 433
    mount_setattr 442 442
    name_to_handle_at 303 264
    open_by_handle_at 304 265
    unshare 272 97
    setns 308 268
    quotactl 179 60
    quotactl_fd 443 443
    swapon 167 224
    swapoff 168 225
""")

# What files, other processes and the kernel do.
WATCHING = _calls("""
    inotify_init 253 -
    inotify_init1 294 26
    inotify_add_watch 254 27
    fanotify_init 300 262
    fanotify_mark 301 263
    syslog 103 116
    perf_event_open 298 241
    lookup_dcookie 212 18
    sysfs 139 -
    ustat 136 -
    _sysctl 156 -
""")

# Parts of the kernel that an engine does not need and that had many faults, and what only an administrator does.
KERNEL = _calls("""
    bpf 321 280
    userfaultfd 323 282
    io_uring_setup 425 425
    io_uring_enter 426 426
    io_uring_register 427 427
    io_setup 206 0
    io_submit 209 2
    memfd_create 319 279
    memfd_secret 447 447
    add_key 248 217
    request_key 249 218
    keyctl 250 219
    init_module 175 105
    finit_module 313 273
    delete_module 176 106
    create_module 174 -
    get_kernel_syms 177 -
    query_module 178 -
    kexec_load 246 104
    kexec_file_load 320 294
    reboot 169 142
    acct 163 89
    vhangup 153 58
    personality 135 92
    modify_ldt 154 -
    iopl 172 -
    ioperm 173 -
    uselib 134 -
    nfsservctl 180 42
    settimeofday 164 170
    clock_settime 227 112
    adjtimex 159 171
    clock_adjtime 305 266
    sethostname 170 161
    setdomainname 171 162
""")

ALWAYS_REFUSED = (*OTHER_PROCESSES, *SOCKETS, *SHARED, *ATTRIBUTES, *MOUNTS, *WATCHING, *KERNEL)
