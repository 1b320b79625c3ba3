import type { AgentCommandResult } from '@sluice/core/agent';
import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { resultLimit } from './result-limit.ts';
import { shortenMiddle } from './shorten.ts';

const DEFAULT_TIMEOUT_S = 120; // a type check or a test file ends by then; what hangs should not cost the stage its time

/** What a command's result says where it printed nothing. */
export const NO_OUTPUT = '(no output)';

const MAX_SECONDS = 1_200; // what a command is given at most, by the service's COMMAND_LIMITS

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell command in the root, without network: a build, a type check, one test. To change files, use the other tools.',
  input: z.strictObject({
    command: z.string().min(1).max(4_000),
    timeout_s: z.number().min(1).optional().describe(`${DEFAULT_TIMEOUT_S} by default.`),
  }),
  effect: 'exec',
  onReplay: 'report',
  async run(context, { command, timeout_s = DEFAULT_TIMEOUT_S }) {
    const result = await context.runCommand({ command, timeoutMs: inMilliseconds(timeout_s) });
    const { output, endedBy } = result;
    if (endedBy === 'unread_note') return NOT_STARTED;
    // The first error and the summary stand at the two ends.
    const shown = output.trim() === '' ? NO_OUTPUT : shortenMiddle(output, resultLimit(context));
    return [ending({ ...result, endedBy }), shown, ...adviceOn(result)].join('\n');
  },
});

/** More than a command may take is milliseconds, as other agents' tools have it, unless it is whole minutes, as 1800 is. */
function inMilliseconds(timeout: number): number {
  const isSeconds = timeout <= MAX_SECONDS || (timeout % 60 === 0 && timeout % 1_000 !== 0);
  return isSeconds ? timeout * 1_000 : timeout;
}

const NOT_STARTED = 'A person wrote a note, so the command was not started. Read the note first.';

type Ending = Exclude<AgentCommandResult['endedBy'], 'unread_note'>;

const endings: Record<Exclude<Ending, 'exit'>, string> = {
  note: 'A person wrote a note: the command was stopped',
  timeout: 'Stopped: it had not ended',
  memory: 'Ended: it used too much memory',
  output: 'Ended: it wrote too much output',
  refused: 'Ended: it only waited for hosts that were refused',
};

function ending({
  endedBy,
  exitCode,
  durationMs,
  truncated,
}: AgentCommandResult & { readonly endedBy: Ending }): string {
  const how = endedBy === 'exit' ? `Exit code ${exitCode ?? 'unknown'}` : endings[endedBy];
  const seconds = durationMs < 10_000 ? (durationMs / 1_000).toFixed(1) : Math.round(durationMs / 1_000);
  const cut = truncated ? ' Its output was longer than what is kept.' : '';
  return `${how}, after ${seconds} s.${cut}`;
}

function adviceOn({ endedBy, output }: AgentCommandResult): string[] {
  const hosts = blockedHosts(output);
  const be = hosts.length === 1 ? 'is' : 'are';
  return [
    ...(endedBy === 'timeout'
      ? ['(That is the output so far. Run a smaller part, keep it from waiting, or give a longer timeout_s.)']
      : []),
    ...(hosts.length > 0
      ? [
          `(The sandbox has no network: ${hosts.join(', ')} ${be} not reachable, however often you try. Work with what is installed.)`,
        ]
      : []),
  ];
}

const MAX_NAMED = 5;

/** How programs say that they cannot find or reach a host; each with the host where they name it. */
const COMPLAINTS = [
  /(?:EAI_AGAIN|ENOTFOUND)[\s:]+([\w.-]+\.\w+)/g, // Node
  /[Cc]ould not resolve (?:host|proxy)?:? ?'?([\w.-]+\.\w+)/g, // curl, git, cargo, apt
  /Failed to (?:resolve|connect to) '?([\w.-]+\.\w+)/g, // Python, curl
  /HTTPS?ConnectionPool\(host='([\w.-]+)'/g, // Python's requests
  /dial tcp:? (?:lookup )?([\w.-]+\.[a-z]\w*)/g, // Go
  /UnknownHostException: ([\w.-]+\.\w+)/g, // Java
  /TCP connection to ([\w.-]+\.\w+)/g, // Ruby
  /unable to resolve host address .([\w.-]+\.\w+)/g, // wget
  /(?:unreachable|name resolution|lookup address)[^\n]*\bhttps?:\/\/([\w.-]+)/g,
];

/** Hosts that the output of a command complains about, each once. A program's own servers are not among them. */
export function blockedHosts(output: string): string[] {
  const hosts = COMPLAINTS.flatMap((complaint) => [...output.matchAll(complaint)].map(([, host]) => host ?? ''));
  return [...new Set(hosts)].filter((host) => !/^(?:localhost|127\.|0\.0\.0\.0)/.test(host)).slice(0, MAX_NAMED);
}
