import { oneLine } from '@sluice/core/text';
import { type GitRefusal, gitRefusals, refusalRow } from './git-refusals.ts';

const MAX_LINE = 300;
const MAX_RELAYED = 500;

/**
 * The sentences in which git quotes what the other side sent, up to the quotation. It may have line breaks, so all that
 * follows may be the other side's, also lines that look like git's own.
 */
const QUOTING = new RegExp(
  `^(?:fatal|error|warning): (?:${[
    'remote error: ',
    'remote unpack failed: ',
    "invalid server response; got '",
    "protocol error: unexpected '",
    'protocol error: bad line length ',
    'invalid ls-refs response: ',
    "unknown object format '",
    'mismatched algorithms: client \\w+; server ',
    "(?:git fetch-pack: )?expected ACK/NAK, got '",
    "unexpected acknowledgment line: '",
    'invalid (?:un)?shallow line: ',
    '(?:bad shallow line|object not found|no shallow found|unable to parse object|error in object): ',
    "expected (?:shallow/unshallow|wanted-ref), got '?",
    "unexpected wanted-ref: '",
    "expected '[\\w-]+', received '",
    'unable to parse remote unpack status: ',
    'invalid (?:ref status|status line) from remote: ',
    'remote reported status on un(?:known|expected) ref: ',
    "\\* Ignoring funny ref '",
    "(?:unknown response to connect: |expected ok/error, helper said '|malformed response in ref list: )",
  ].join('|')})`,
  'm',
);

/** Where curl names a host or a proxy. */
const NAMED_HOST = /(?<=\b(?:connection to|connect to|resolve(?: host| proxy)?:|host name) '?)[\w.-]+/gi;

/**
 * The output of git, without anything secret. The text is kept from callers, so that none decides by a word of its own:
 * they ask for the refusal that the table knows.
 */
export class GitWords {
  /** Lines of git itself on this host. */
  readonly #lines: readonly string[];
  /** The same without the addresses of remotes: their words mean nothing. */
  readonly #own: string;
  /** Lines that the other side sent. It chooses them freely. */
  readonly #server: readonly string[];
  /** The remote's reason in the report of a push; null without one. */
  readonly #report: string | null;

  /** @param report what `git push --porcelain` wrote to stdout */
  constructor(stderr: string, report = '') {
    const isRelayed = (line: string) => line.startsWith('remote: ');
    const { own, quoted } = untilQuotation(stderr);
    this.#lines = own.split('\n').filter((line) => !isRelayed(line));
    this.#own = withoutAddresses(this.#lines.join('\n'));
    const relayed = stderr
      .split('\n')
      .filter(isRelayed)
      .map((line) => line.slice('remote: '.length));
    this.#server = [...relayed, ...quoted].map((line) => line.trim()).filter((line) => line !== '');
    this.#report = reasonIn(report);
  }

  /** The first row of the table that fits, and the line that says so. */
  refusal(call: { readonly subcommand: string; readonly remote: boolean }): { name: GitRefusal; line: string } | null {
    for (const name of Object.keys(gitRefusals) as GitRefusal[]) {
      const { by, says, calls } = refusalRow(name);
      if (calls !== 'all' && (calls === 'add' ? call.subcommand !== 'add' : !call.remote)) continue;
      const found = says.exec(this.#by(by));
      if (found === null) continue;
      const line = by === 'git' ? this.#withAddress(found) : found[0];
      return { name, line: shown(this.#reason(MAX_RELAYED) || line) };
    }
    return null;
  }

  /** The line that says most: git's own `fatal:` or `error:`, else the last one. */
  lastWords(): string {
    const lines = this.#lines.filter((line) => line.trim() !== '');
    const telling = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1) ?? this.#server.at(-1);
    return shown(telling ?? 'it gave no reason');
  }

  /** A whole line of git's own as git wrote it, for people; a part of one as it was found. */
  #withAddress({ 0: found, index }: RegExpExecArray): string {
    const at = this.#own.slice(0, index).split('\n').length - 1;
    return found === this.#own.split('\n')[at] ? (this.#lines[at] ?? found) : found;
  }

  #by(whose: 'git' | 'server' | 'report'): string {
    if (whose === 'git') return this.#own;
    return whose === 'server' ? this.#server.join('\n') : this.#reason(Number.POSITIVE_INFINITY);
  }

  /** Why the remote refuses a branch, with so many characters of what it says beside it. */
  #reason(length: number): string {
    if (this.#report === null) return '';
    const fromServer = this.#server.join(' ').slice(0, length);
    return fromServer === '' ? this.#report : `${this.#report}: ${fromServer}`;
  }
}

/** What git says of its own up to the first quotation, and the quotation where it is a sentence for people. */
function untilQuotation(stderr: string): { own: string; quoted: readonly string[] } {
  const found = QUOTING.exec(stderr);
  if (found === null) return { own: stderr, quoted: [] };
  const own = stderr.slice(0, found.index + found[0].length);
  const lines = stderr.slice(found.index).split('\n');
  const first = lines[0]?.replace(/^\w+: /, '') ?? '';
  // The remote's reason for a push is one line, and git has more to say after it.
  if (first.startsWith('remote unpack failed: ')) return { own, quoted: [first] };
  if (!first.startsWith('remote error: ')) return { own, quoted: [] };
  return { own, quoted: [first, ...lines.slice(1).filter((line) => !line.startsWith('remote: '))] };
}

/** The text without addresses and hosts: their names mean nothing. */
function withoutAddresses(text: string): string {
  let plain = text;
  for (const [, host = ''] of text.matchAll(/'[a-z]+:\/\/(?:[^/\s@']*@)?([^/\s:'@]+)/gi)) {
    if (host.includes('.')) plain = plain.replaceAll(host, '');
  }
  return plain.replace(/'[a-z]+:\/\/\S*'/gi, "''").replace(NAMED_HOST, '');
}

/** A line of the report is `FLAG TAB FROM:TO TAB [SUMMARY] (REASON)`; the flag of a refused branch is `!`. */
function reasonIn(report: string): string | null {
  const line = report.split('\n').find((text) => text.startsWith('!'));
  if (line === undefined) return null;
  return /\((.+)\)\s*$/.exec(line)?.[1] ?? 'it gave no reason';
}

function shown(line: string): string {
  return oneLine(line.replace(/^(fatal|error): /, '')).slice(0, MAX_LINE + MAX_RELAYED);
}
