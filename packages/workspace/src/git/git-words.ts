import { oneLine } from '@sluice/core';
import { type GitRefusal, gitRefusals, refusalRow } from './git-refusals.ts';

const MAX_LINE = 300;
const MAX_RELAYED = 500;

/**
 * What git wrote, without anything secret. The text is kept from callers, so that none decides by a word of its own: they
 * ask for the refusal that the table knows.
 */
export class GitWords {
  /** Lines of git itself on this host, without the addresses of remotes. */
  readonly #own: string;
  /** Lines that the other side sent. It chooses them freely. */
  readonly #server: readonly string[];
  /** The remote's reason in the report of a push; null without one. */
  readonly #report: string | null;

  /** @param report what `git push --porcelain` wrote to stdout */
  constructor(stderr: string, report = '') {
    // The rest of an error that the server sent may have lines that look like git's own.
    const [own = '', ...sent] = stderr
      .replace(/^error: (?=remote unpack failed: )/gm, 'remote: ') // the remote's words too
      .split(/^fatal: (?=remote error: )/m);
    const lines = own.split('\n');
    const isRelayed = (line: string) => line.startsWith('remote: ');
    this.#own = lines
      .filter((line) => !isRelayed(line))
      .join('\n')
      .replace(/'[a-z]+:\/\/\S*'/gi, "''");
    const relayed = lines.filter(isRelayed).map((line) => line.slice('remote: '.length).trim());
    this.#server = [...relayed, ...sent.flatMap((text) => text.split('\n'))].filter((line) => line !== '');
    this.#report = reasonIn(report);
  }

  /** The first row of the table that fits, and the line that says so. */
  refusal(call: { readonly subcommand: string; readonly remote: boolean }): { name: GitRefusal; line: string } | null {
    for (const name of Object.keys(gitRefusals) as GitRefusal[]) {
      const { by, says, calls } = refusalRow(name);
      if (calls !== 'all' && (calls === 'add' ? call.subcommand !== 'add' : !call.remote)) continue;
      const [found] = says.exec(this.#by(by)) ?? [];
      if (found !== undefined) return { name, line: shown(this.#reason(MAX_RELAYED) || found) };
    }
    return null;
  }

  /** The line that says most: git's own `fatal:` or `error:`, else the last one. */
  lastWords(): string {
    const lines = this.#own.split('\n').filter((line) => line.trim() !== '');
    const telling = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1) ?? this.#server.at(-1);
    return shown(telling ?? 'it gave no reason');
  }

  #by(whose: 'git' | 'server' | 'report'): string {
    if (whose === 'git') return this.#own;
    return whose === 'server' ? this.#server.join('\n') : this.#reason(Number.POSITIVE_INFINITY);
  }

  /** Why the remote refuses a branch, with so many characters of what it says beside it. */
  #reason(length: number): string {
    if (this.#report === null) return '';
    const told = this.#server.join(' ').slice(0, length);
    return told === '' ? this.#report : `${this.#report}: ${told}`;
  }
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
