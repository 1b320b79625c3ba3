/** More would let one command use up the kernel's file table; test runners with workers need some thousands. */
const openFiles = 8_192;

export interface ShellLimits {
  /** Folder to start in. */
  readonly folder: string;
  readonly fileBytes: number;
  /** Null where something better bounds them. */
  readonly processes: number | null;
  /** One digit: the file descriptor of the leash, or null where there is none. */
  readonly leash: number | null;
}

/**
 * A program under resource limits. No limit on address space: WebAssembly reserves gigabytes of it. A limit that is above what
 * the service itself may have fails to be set, and then the service's own holds. dash calls the process limit `-p`, others `-u`.
 * The shell changes folder itself: bwrap would do it as root without capabilities, who may not enter a tree that is 0700.
 * On a leash, it starts the program only when the service has answered it.
 */
export function limitedShell(argv: readonly string[], limits: ShellLimits): [string, ...string[]] {
  const { folder, fileBytes, processes, leash } = limits;
  const blocks = Math.max(1, Math.floor(fileBytes / 512));
  const lines = ['ulimit -c 0', `ulimit -n ${openFiles}`, `ulimit -f ${blocks}`];
  if (processes !== null) lines.push(`ulimit -u ${processes} || ulimit -p ${processes}`);
  const asked = leash === null ? '' : `{ echo >&${leash} && read -r _ <&${leash}; } || exit 125; exec ${leash}>&-; `;
  const set = lines.map((line) => `{ ${line}; } 2>/dev/null`).join('; ');
  return ['/bin/sh', '-c', `${asked}${set}; cd "$1" && shift && exec "$@"`, 'sh', folder, ...argv];
}
