import { expect, it } from 'vitest';
import { holdsOnLinux } from './holds-on-linux.ts';

it.each([
  "process.platform !== 'win32'",
  "(process.platform !== 'win32')",
  "process.platform === 'linux' || isMac",
  "!['win32', 'darwin'].includes(process.platform)",
  'not sys.platform.startswith("win32")',
  'sys.platform in ("linux", "darwin")',
  'sys.platform != "win32" and os.name != "nt"',
  'os.name == "posix"',
  'unix',
  'all(test, not(windows))',
  'any(target_os = "linux", target_os = "macos")',
  'OS.LINUX, OS.MAC',
  '!windows && !darwin',
  'not IS_PYPY',
])('%s holds', (condition) => {
  expect(holdsOnLinux(condition)).toBe(true);
});

it.each([
  "process.platform === 'win32'",
  "process.platform !== 'linux'",
  'isWindows',
  'isWindows && !isCI',
  '!(isLinux || isMac)',
  'sys.platform == "win32"',
  'sys.platform not in ("linux", "darwin")',
  'os.name == "nt"',
  'windows',
  'all(test, windows)',
  'target_os = "macos"',
  'miri',
  'OS.WINDOWS',
  'runtime.GOOS == "windows"',
  'windows || darwin',
])('%s does not hold', (condition) => {
  expect(holdsOnLinux(condition)).toBe(false);
});

it.each([
  'sys.version_info >= (3, 0)',
  'process.version',
  'isWindows || isCI',
  '!isWindows && hasNetwork',
  'all(test, feature = "slow")',
  'amd64',
  '',
])('nothing is known of %s', (condition) => {
  expect(holdsOnLinux(condition)).toBeNull();
});

it('reads no condition of any length', () => {
  expect(holdsOnLinux(`${'!('.repeat(50_000)}windows${')'.repeat(50_000)}`)).toBeNull();
});
