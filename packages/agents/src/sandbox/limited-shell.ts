/** More would let one command use up the kernel's file table; test runners with workers need some thousands. */
const openFiles = 8_192;

/**
 * `sh -c` under resource limits. No limit on address space: WebAssembly reserves gigabytes of it. A limit that is above what
 * the service itself may have fails to be set, and then the service's own holds. dash calls the process limit `-p`, others `-u`.
 * The shell changes folder itself: bwrap would do it as root without capabilities, who may not enter a tree that is 0700.
 */
export function limitedShell(
  command: string,
  where: { folder: string; fileBytes: number; processes: number | null },
): string[] {
  const blocks = Math.max(1, Math.floor(where.fileBytes / 512));
  const lines = ['ulimit -c 0', `ulimit -n ${openFiles}`, `ulimit -f ${blocks}`];
  if (where.processes !== null) lines.push(`ulimit -u ${where.processes} || ulimit -p ${where.processes}`);
  const set = lines.map((line) => `{ ${line}; } 2>/dev/null`).join('; ');
  return ['/bin/sh', '-c', `${set}; cd "$2" && exec /bin/sh -c "$1"`, 'sh', command, where.folder];
}
