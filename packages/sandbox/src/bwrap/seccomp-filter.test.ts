import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSoakRun, mayMountXfs, mountSmallDisk } from '@sluice/testing';
import { expect, onTestFinished, test } from 'vitest';
import { scratchTree, treeUser } from '../../test/scratch-tree.ts';
import { createBwrapSandbox } from './bwrap-sandbox.ts';

/** Asks the kernel by number, and prints the name of each refusal. The descriptor is none: a filter answers before. */
const ASK = `
import ctypes, errno, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def ask(call, *numbers):
    ctypes.set_errno(0)
    call(*[ctypes.c_ulong(number) for number in numbers])
    return errno.errorcode.get(ctypes.get_errno(), 'none')
def request(number): return ask(libc.ioctl, 2**64 - 1, number, 0)
`;

const refusedRequests = {
  XFS_IOC_ALLOCSP64: 0x40305824,
  XFS_IOC_RESVSP64: 0x4030582a,
  XFS_IOC_ZERO_RANGE: 0x40305839,
  FS_IOC_FSSETXATTR: 0x401c5820,
  FS_IOC_SETFLAGS: 0x40086602,
  BTRFS_IOC_SNAP_CREATE: 0x50009401,
  BTRFS_IOC_SUBVOL_CREATE: 0x5000940e,
  BTRFS_IOC_SNAP_CREATE_V2: 0x50009417,
  BTRFS_IOC_SUBVOL_CREATE_V2: 0x50009418,
  BTRFS_IOC_SUBVOL_SETFLAGS: 0x4008941a,
  F2FS_IOC_RESERVE_COMPRESS_BLOCKS: 0x8008f513,
};
const admittedRequests = {
  FS_IOC_FSGETXATTR: 0x801c581f,
  FS_IOC_GETFLAGS: 0x80086601,
  FICLONE: 0x40049409,
  FICLONERANGE: 0x4020940d,
  FIDEDUPERANGE: 0xc0189436,
  FIONREAD: 0x541b,
};

test('refuses every request that takes space unwritten or leads out of a quota, whatever its upper half says', async () => {
  await using scratch = await scratchTree();
  const root = await scratch.tree('tree');
  const sandbox = createBwrapSandbox({
    readPaths: [],
    path: process.env.PATH ?? '',
    hideRoots: [scratch.data],
    scratchRoot: scratch.data,
  });
  const expected = [
    ...Object.entries(refusedRequests).map(([name, number]) => ({ name, number, answer: 'ENOTSUP' })),
    ...Object.entries(admittedRequests).map(([name, number]) => ({ name, number, answer: 'EBADF' })),
  ].flatMap((one) => [one, { ...one, name: `${one.name} of 33 bits`, number: 2 ** 32 + one.number }]);
  // quotactl_fd, and file_setattr, after which programs ask with FS_IOC_FSSETXATTR.
  const script = `${ASK}
for number in (${expected.map(({ number }) => number)}): print(request(number))
for call in (443, 469): print(ask(libc.syscall, call, 2**64 - 1, 0, 0, 0, 0))`;
  await scratch.write(root, 'ask.py', script);
  const { output } = await sandbox.run(scratch.command(root, 'python3 ask.py'));
  const answers = output.trim().split('\n');
  expect(expected.map(({ name }, at) => `${name}: ${answers[at]}`)).toEqual(
    expected.map(({ name, answer }) => `${name}: ${answer}`),
  );
  expect(answers.slice(expected.length)).toEqual(['EPERM', 'ENOSYS']);
});

const onXfs = isSoakRun && mayMountXfs();
if (isSoakRun && !onXfs) console.warn('not run on this machine, which can make no XFS: what a command reserves there');

test.runIf(onXfs)(
  'lets one byte on XFS take no more than a block, and xfs_io say that it is not supported',
  async () => {
    const disk = mountSmallDisk({ kind: 'xfs', mebibytes: 600 });
    onTestFinished(() => disk[Symbol.dispose]());
    await using scratch = await scratchTree();
    const root = join(disk.folder, 'tree');
    await mkdir(root);
    await chown(root, treeUser, treeUser);
    const options = {
      readPaths: [],
      path: process.env.PATH ?? '',
      hideRoots: [scratch.data],
      scratchRoot: scratch.data,
    };
    const sandbox = createBwrapSandbox(options);
    const reserve = `
import errno, fcntl, struct
f = os.open('hinted', os.O_CREAT | os.O_RDWR)
try: fcntl.ioctl(f, 0x401c5820, struct.pack('IIIII8s', 0x800, 1 << 25, 0, 0, 0, b''))
except OSError as error: print(errno.errorcode[error.errno])
os.ftruncate(f, 1 << 25); os.pwrite(f, b'x', 0); os.fsync(f)
print(os.stat('hinted').st_blocks * 512)`;
    await scratch.write(root, 'reserve.py', ASK + reserve);
    const limits = { fileBytes: 2 ** 30 };
    const { output } = await sandbox.run(scratch.command(root, 'python3 reserve.py', { limits }));
    const [refusal, bytes] = output.trim().split('\n');
    expect(refusal).toBe('ENOTSUP');
    expect(Number(bytes)).toBeLessThanOrEqual(64 * 1024);
    const tool = await sandbox.run(scratch.command(root, 'xfs_io -f -c "extsize 32m" asked; cp reserve.py copied'));
    expect(tool).toMatchObject({ exitCode: 0, output: expect.stringContaining('not supported') });
  },
);
