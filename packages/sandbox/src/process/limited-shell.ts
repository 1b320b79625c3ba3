/** More would let one command exhaust the kernel's file table; test runners with workers need a few thousand. */
const openFiles = 8_192;

export interface ShellLimits {
  /** The working folder. */
  readonly folder: string;
  readonly fileBytes: number;
  /** Null when a control group limits them. */
  readonly processes: number | null;
  /** The file descriptor of the handshake (one digit), or null without one. */
  readonly handshake: number | null;
}

/**
 * Runs a program under resource limits. Address space is not limited, because WebAssembly reserves gigabytes of it. A limit
 * above the service's own cannot be set, and then the service's applies. dash calls the process limit `-p`, other shells `-u`.
 * The shell changes the folder: bwrap would do it as root without capabilities, which cannot enter a tree with mode 0700.
 * With a handshake, the program starts only after the service has answered.
 */
export function limitedShell(argv: readonly string[], limits: ShellLimits): [string, ...string[]] {
  const { folder, fileBytes, processes, handshake } = limits;
  const blocks = Math.max(1, Math.floor(fileBytes / 512));
  const lines = ['ulimit -c 0', `ulimit -n ${openFiles}`, `ulimit -f ${blocks}`];
  if (processes !== null) lines.push(`ulimit -u ${processes} || ulimit -p ${processes}`);
  const waiting =
    handshake === null
      ? ''
      : `{ echo >&${handshake} && read -r _ <&${handshake}; } || exit 125; exec ${handshake}>&-; `;
  const set = lines.map((line) => `{ ${line}; } 2>/dev/null`).join('; ');
  return ['/bin/sh', '-c', `${waiting}${set}; cd "$1" && shift && exec "$@"`, 'sh', folder, ...argv];
}
