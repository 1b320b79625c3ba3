/*
 * How well the index finds the files that an issue is about, on the history of any repository:
 *
 *   node packages/code-search/bench/retrieval.ts --repo PATH [--commits 120] [--index postgres [--database URL]]
 *
 * The question is the subject of a commit that fixes or adds something, the snapshot is the commit before it, and right
 * are the source files that it changed. Nothing is fetched: PATH is a clone (bare or not) that is there. With `--index postgres`
 * the index in Postgres stands beside the one in SQLite: in the database at URL, or else on a server started for it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@sluice/testing';
import { createCodeIndex } from '../src/lexical/create-code-index.ts';
import type { LexicalIndex } from '../src/lexical/lexical-index.ts';
import { queryTerms } from '../src/lexical/match-query.ts';
import { pathWeight } from '../src/lexical/path-weight.ts';
import { languageOf } from '../src/lexical/syntax/language.ts';
import { openScratchRepo } from '../src/lexical/test/scratch-repo.ts';
import { createPgCodeIndex } from '../src/lexical-postgres/create-pg-code-index.ts';

interface Case {
  readonly commit: string;
  readonly parent: string;
  readonly subject: string;
  readonly changed: readonly string[];
}

/** The files that a way of searching finds for a question in a commit, best first. */
type Finder = (parent: string, query: string) => Promise<readonly string[]>;

const clock = { now: () => new Date() };
const MOST_CHANGED = 12; // a commit that touches more is a sweep, and its subject is about none of them

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    commits: { type: 'string', default: '120' },
    index: { type: 'string', default: 'sqlite' },
    database: { type: 'string' },
  },
});
if (values.repo === undefined) throw new Error('say which repository: --repo PATH');
const folder = values.repo;
const cleanUp = new AsyncDisposableStack();
const scratch = mkdtempSync(join(tmpdir(), 'sluice-retrieval-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 256 * 1_024 ** 2 });

try {
  const cases = casesOf(Number(values.commits));
  const finders = values.index === 'postgres' ? await besidePostgres() : alone();
  process.stdout.write(
    `${cases.length} commits\n\n| | recall@5 | recall@10 | MRR | recall@10 without scope | MRR without scope |\n`,
  );
  process.stdout.write('|---|---|---|---|---|---|\n');
  for (const [name, find] of Object.entries(finders)) {
    const whole = await measured(cases, (one) => find(one.parent, one.subject));
    const bare = await measured(cases, (one) => find(one.parent, withoutScope(one.subject)));
    const cells = [whole.recall5, whole.recall10, whole.mrr, bare.recall10, bare.mrr];
    process.stdout.write(`| ${name} | ${cells.map((cell) => cell.toFixed(3)).join(' | ')} |\n`);
  }
} finally {
  await cleanUp.disposeAsync();
  rmSync(scratch, { recursive: true, force: true });
}

/** The newest commits that say that they fix or add something, oldest first, so that each snapshot follows the last. */
function casesOf(count: number): Case[] {
  const log = git('log', '--no-merges', '--first-parent', '-4000', '--format=%H %P%x09%s').trim().split('\n');
  const cases: Case[] = [];
  for (const line of log) {
    if (cases.length === count) break;
    const [, commit = '', parent = '', subject = ''] = /^(\w+) (\w+)\t((?:fix|feat)[(:!].*)$/.exec(line) ?? [];
    if (commit === '') continue;
    const changed = git('diff', '--name-status', '--no-renames', '-z', parent, commit).split('\0');
    const sources = changed.filter((path, at) => at % 2 === 1 && changed[at - 1] === 'M' && isSource(path));
    if (sources.length === 0 || sources.length > MOST_CHANGED) continue;
    cases.push({ commit, parent, subject: subject.replace(/\s*\(#\d+\)$/, ''), changed: sources });
  }
  return cases.reverse();
}

/** Code that people wrote for use: no tests, nothing generated, no prose. */
function isSource(path: string): boolean {
  return languageOf(path) !== null && pathWeight(path) === 1;
}

function withoutScope(subject: string): string {
  return subject.replace(/^\w+(\([^)]*\))?!?:\s*/, '');
}

async function measured(cases: readonly Case[], find: (one: Case) => Promise<readonly string[]>) {
  const sums = { recall5: 0, recall10: 0, mrr: 0 };
  for (const one of cases) {
    const found = await find(one);
    const within = (limit: number) =>
      one.changed.filter((path) => found.slice(0, limit).includes(path)).length / one.changed.length;
    sums.recall5 += within(5) / cases.length;
    sums.recall10 += within(10) / cases.length;
    const first = found.findIndex((path) => one.changed.includes(path));
    sums.mrr += (first === -1 ? 0 : 1 / (first + 1)) / cases.length;
  }
  return sums;
}

function alone(): Record<string, Finder> {
  return {
    'symbols (the index)': searched(inSqlite('symbols')),
    'windows of lines only': searched(inSqlite('windows', new URL('./windows-worker.ts', import.meta.url))),
    'distinct words a file': byWords,
  };
}

async function besidePostgres(): Promise<Record<string, Finder>> {
  const server = values.database === undefined ? cleanUp.use(await startPostgres()) : null;
  const url = values.database ?? (await server?.createDatabase()) ?? '';
  return {
    'SQLite (BM25)': searched(inSqlite('symbols')),
    'Postgres (`tsvector`)': searched(createPgCodeIndex({ url, applicationName: 'retrieval', clock })),
  };
}

function inSqlite(name: string, parser?: URL): LexicalIndex {
  return createCodeIndex({
    file: join(scratch, `${name}.db`),
    clock,
    onRebuilt: (reason) => process.stderr.write(`rebuilt: ${reason}\n`),
    ...(parser === undefined ? {} : { parser }),
  });
}

function searched(index: LexicalIndex): Finder {
  cleanUp.defer(() => index.close());
  const repo = openScratchRepo(folder);
  const signal = new AbortController().signal;
  return async (parent, query) => {
    await index.update(repo.at(parent), signal);
    const hits = await index.search(repo.at(parent).repoId, { query, limit: 100 }, signal);
    return [...new Set(hits.map(({ path }) => path))];
  };
}

/** What a person does with grep: the files in which most of the question's words stand, then most often. */
async function byWords(parent: string, query: string): Promise<string[]> {
  const found = new Map<string, { words: number; lines: number }>();
  for (const word of queryTerms(query)) {
    for (const line of grepped(parent, word)) {
      const [, path = '', lines = ''] = /^[^:]*:(.*):(\d+)$/s.exec(line) ?? [];
      const before = found.get(path) ?? { words: 0, lines: 0 };
      found.set(path, { words: before.words + 1, lines: before.lines + Number(lines) });
    }
  }
  return [...found]
    .sort(([, a], [, b]) => b.words - a.words || b.lines - a.lines)
    .map(([path]) => path)
    .slice(0, 100);
}

function grepped(commit: string, word: string): string[] {
  try {
    return git('grep', '-I', '-i', '-c', '-F', '-e', word, commit).trim().split('\n');
  } catch {
    return []; // git's way to say that nothing matches
  }
}
