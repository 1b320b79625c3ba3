/**
 * A classic BPF program for `bwrap --seccomp`, against what namespaces do not prevent. Without it a command could create user
 * namespaces (as root, bwrap makes none that would forbid it), use the service's keyring, load BPF programs, or reach the
 * hypervisor over AF_VSOCK, which a network namespace does not cover. All else is allowed, because tests do unusual things.
 *
 * The numbers are those of the kernel's headers: calls from `asm/unistd_64.h` (x64) and `asm-generic/unistd.h` (arm64 and all
 * calls from 424 on), instructions from `linux/bpf_common.h`, offsets from `struct seccomp_data` and verdicts from
 * `linux/seccomp.h`, `AUDIT_ARCH_*` from `linux/audit.h`, namespace flags from `linux/sched.h`, families from
 * `linux/socket.h`, and requests of ioctl from `asm-generic/ioctls.h` and `linux/{falloc,fs,btrfs,f2fs}.h`.
 */
const op = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, answer: 0x06 } as const;
const at = { number: 0, architecture: 4, argument0: 16, argument1: 24 } as const;

const allow = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;

/** Without NEWTIME, whose bit is part of clone's exit signal. */
const newNamespace = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
/** UNIX, INET, INET6, NETLINK (which getifaddrs needs). */
const socketFamilies = [1, 2, 10, 16];
const pushKey = 0x5412; // TIOCSTI injects input into the terminal
/**
 * Requests of ioctl that take space which nothing is written to, lead out of a quota, or make what cannot be deleted. Compared
 * are the lower 32 bits, because the kernel takes no more. Programs of 32 bits use other numbers, but none of their calls is
 * admitted. Reflinks, `ftruncate`, and what moves the blocks of a file are allowed: a file never counts for less than it takes.
 */
const refusedRequests: readonly number[] = [
  // ALLOCSP, FREESP, RESVSP, UNRESVSP (each also as *64) and ZERO_RANGE of XFS and OCFS2: older names of `fallocate`, which
  // Linux accepts on every file system.
  ...[10, 36, 11, 37, 40, 42, 41, 43, 57].map((number) => 0x40305800 | number),
  // FS_IOC_FSSETXATTR: with a hint for the size of extents, one byte takes up to 8 GiB on XFS; with another project id, a
  // file leaves the quota of its project.
  0x401c5820,
  // FS_IOC_SETFLAGS: without `PROJINHERIT`, new files leave that quota; in a folder with `CASEFOLD`, `.GIT` is `.git`.
  0x40086602,
  // BTRFS_IOC_SNAP_CREATE, SUBVOL_CREATE, SNAP_CREATE_V2, SUBVOL_CREATE_V2 and SUBVOL_SETFLAGS: a subvolume has a quota of
  // its own, and the files of a read-only one cannot be deleted.
  ...[0x50009401, 0x5000940e, 0x50009417, 0x50009418, 0x4008941a],
  // F2FS_IOC_RESERVE_COMPRESS_BLOCKS: `fallocate` for a compressed file.
  0x8008f513,
];

interface Processor {
  readonly audit: number;
  readonly clone: number;
  readonly unshare: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly fallocate: number;
  /** mount, umount2, pivot_root, chroot, setns, *_module, kexec_load, reboot, swap*, acct, keyctl and its kin, bpf, perf, … */
  readonly refused: readonly number[];
}

/** The same numbers on every processor: open_tree … fspick, mount_setattr, quotactl_fd, open_tree_attr, io_uring_*. */
const refusedEverywhere = [428, 429, 430, 431, 432, 433, 442, 443, 467, 425, 426, 427];
const clone3 = 435;
const setFileAttributes = 469; // file_setattr, since Linux 6.17

const processors: Readonly<Record<string, Processor>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    unshare: 272,
    socket: 41,
    ioctl: 16,
    fallocate: 285,
    refused: [
      165, 166, 155, 161, 308, 175, 313, 176, 246, 320, 169, 167, 168, 163, 103, 179, 248, 249, 250, 321, 323, 298, 303,
      304,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    unshare: 97,
    socket: 198,
    ioctl: 29,
    fallocate: 47,
    refused: [
      40, 39, 41, 51, 268, 105, 273, 106, 104, 294, 142, 224, 225, 89, 116, 60, 217, 218, 219, 280, 282, 241, 264, 265,
    ],
  },
};

/** The program for a processor, named as in `process.arch`; null when there is none. */
export function seccompFilter(architecture: string): Buffer | null {
  const processor = processors[architecture];
  if (processor === undefined) return null;
  const rows: [code: number, jumpTrue: number, jumpFalse: number, value: number][] = [
    [op.load, 0, 0, at.architecture],
    [op.equal, 1, 0, processor.audit],
    [op.answer, 0, 0, refuse(ENOSYS)],
    [op.load, 0, 0, at.number],
    // x32 calls have the same architecture but other numbers, so they would pass every check below.
    [op.atLeast, 0, 1, 0x40000000],
    [op.answer, 0, 0, refuse(ENOSYS)],
    // clone3 passes its flags in memory, which a filter cannot read; C libraries fall back to clone on ENOSYS.
    [op.equal, 0, 1, clone3],
    [op.answer, 0, 0, refuse(ENOSYS)],
    // FS_IOC_FSSETXATTR as a call, with its attributes in memory; on ENOSYS, programs fall back to the ioctl.
    [op.equal, 0, 1, setFileAttributes],
    [op.answer, 0, 0, refuse(ENOSYS)],
  ];
  for (const call of [...processor.refused, ...refusedEverywhere]) {
    rows.push([op.equal, 0, 1, call], [op.answer, 0, 0, refuse(EPERM)]);
  }
  for (const call of [processor.clone, processor.unshare]) {
    rows.push([op.equal, 0, 4, call], [op.load, 0, 0, at.argument0], [op.anyBit, 0, 1, newNamespace]);
    rows.push([op.answer, 0, 0, refuse(EPERM)], [op.answer, 0, 0, allow]);
  }
  // fallocate can fill a disk in a tenth of a second, faster than any polling. On this error, programs fall back to writing.
  rows.push([op.equal, 0, 1, processor.fallocate], [op.answer, 0, 0, refuse(EOPNOTSUPP)]);
  rows.push([op.equal, 0, 4 + 2 * refusedRequests.length, processor.ioctl], [op.load, 0, 0, at.argument1]);
  rows.push([op.equal, 0, 1, pushKey], [op.answer, 0, 0, refuse(EPERM)]);
  for (const request of refusedRequests) rows.push([op.equal, 0, 1, request], [op.answer, 0, 0, refuse(EOPNOTSUPP)]);
  rows.push([op.answer, 0, 0, allow]);
  rows.push([op.equal, 0, socketFamilies.length + 2, processor.socket], [op.load, 0, 0, at.argument0]);
  socketFamilies.forEach((family, index) => {
    rows.push([op.equal, socketFamilies.length - index, 0, family]);
  });
  rows.push([op.answer, 0, 0, refuse(EAFNOSUPPORT)], [op.answer, 0, 0, allow]);

  const program = Buffer.alloc(rows.length * 8);
  rows.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    program.writeUInt16LE(code, index * 8);
    program.writeUInt8(jumpTrue, index * 8 + 2);
    program.writeUInt8(jumpFalse, index * 8 + 3);
    program.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return program;
}
