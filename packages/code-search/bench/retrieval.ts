/*
 * How well the index finds the files that an issue is about, on the history of any repository:
 *
 *   node packages/code-search/bench/retrieval.ts --repo PATH [--commits 120] [--kinds fix,feat] [--skip-scope deps]
 *     [--most-changed 12] [--until COMMIT] [--missed] [--index postgres [--database URL]]
 *
 * The question is the subject of a commit that fixes or adds something, the snapshot is the commit before it, and right
 * are the source files that it changed. Nothing is fetched: PATH is a clone (bare or not) that is there. Where the baseline
 * of word counts reads sources only, it searches the files that can be right, as a person with grep would. The last column
 * is the index minus that baseline, without the scope, with its 95 % interval. `--missed` lists the questions for which the
 * index found no right file among ten. With `--index postgres` the index in Postgres stands beside the one in SQLite: in
 * the database at URL, or else on a server started for it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrapInterval, type MeanInterval, startPostgres } from '@sluice/testing';
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

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    commits: { type: 'string', default: '120' },
    kinds: { type: 'string', default: 'fix,feat' },
    'skip-scope': { type: 'string' },
    // A commit that touches more is a sweep, and its subject is about none of them.
    'most-changed': { type: 'string', default: '12' },
    until: { type: 'string', default: 'HEAD' },
    missed: { type: 'boolean', default: false },
    index: { type: 'string', default: 'sqlite' },
    database: { type: 'string' },
  },
});
const folder = values.repo ?? '';
if (!existsSync(folder)) {
  const why = values.repo === undefined ? 'Name a clone' : `There is no clone at ${folder}: name one`;
  process.stderr.write(`${why} whose history is to be searched, by --repo PATH.\n`);
  process.exit(2);
}
const cleanUp = new AsyncDisposableStack();
const scratch = mkdtempSync(join(tmpdir(), 'sluice-retrieval-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 256 * 1_024 ** 2 });

const cases = casesOf(Number(values.commits));
try {
  const finders = values.index === 'postgres' ? await besidePostgres() : alone();
  process.stdout.write(`${cases.length} commits until ${git('rev-parse', '--short', values.until).trim()}\n\n`);
  process.stdout.write(
    '| | recall@5 | recall@10 | MRR | recall@5 without scope | recall@10 without scope | MRR without scope |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|---|\n');
  const bareRanks = new Map<string, Rank[]>();
  for (const [name, find] of Object.entries(finders)) {
    const whole = await ranked(cases, (one) => find(one.parent, one.subject));
    const bare = await ranked(cases, (one) => find(one.parent, withoutScope(one.subject)));
    bareRanks.set(name, bare);
    process.stdout.write(`| ${name} | ${[...figures(whole), ...figures(bare)].join(' | ')} |\n`);
  }
  compare([...bareRanks]);
} finally {
  await cleanUp.disposeAsync();
  rmSync(scratch, { recursive: true, force: true });
}

/** The newest commits that say that they fix or add something, oldest first, so that each snapshot follows the last. */
function casesOf(count: number): Case[] {
  const log = git('log', '--no-merges', '--first-parent', '-4000', '--format=%H %P%x09%s', values.until);
  const subjects = new RegExp(`^(\\w+) (\\w+)\\t((?:${values.kinds.split(',').join('|')})[(:!].*)$`);
  const skipped = values['skip-scope'] === undefined ? null : `(${values['skip-scope']})`;
  const cases: Case[] = [];
  for (const line of log.trim().split('\n')) {
    if (cases.length === count) break;
    const [, commit = '', parent = '', subject = ''] = subjects.exec(line) ?? [];
    if (commit === '' || (skipped !== null && subject.includes(skipped))) continue;
    const changed = git('diff', '--name-status', '--no-renames', '-z', parent, commit).split('\0');
    const sources = changed.filter((path, at) => at % 2 === 1 && changed[at - 1] === 'M' && isSource(path));
    if (sources.length === 0 || sources.length > Number(values['most-changed'])) continue;
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

/** How well one question was answered: shares of the right files, and one over the place of the first. */
interface Rank {
  readonly recall5: number;
  readonly recall10: number;
  readonly reciprocal: number;
}

async function ranked(cases: readonly Case[], find: (one: Case) => Promise<readonly string[]>): Promise<Rank[]> {
  const ranks: Rank[] = [];
  for (const one of cases) {
    const found = await find(one);
    const within = (limit: number) =>
      one.changed.filter((path) => found.slice(0, limit).includes(path)).length / one.changed.length;
    const first = found.findIndex((path) => one.changed.includes(path));
    ranks.push({ recall5: within(5), recall10: within(10), reciprocal: first === -1 ? 0 : 1 / (first + 1) });
  }
  return ranks;
}

function figures(ranks: readonly Rank[]): string[] {
  const recall10 = bootstrapInterval(ranks.map((rank) => rank.recall10));
  return [
    bootstrapInterval(ranks.map((rank) => rank.recall5)).mean.toFixed(3),
    `${recall10.mean.toFixed(3)} (${range(recall10)})`,
    bootstrapInterval(ranks.map((rank) => rank.reciprocal)).mean.toFixed(3),
  ];
}

function range({ low, high }: MeanInterval): string {
  return `${low.toFixed(3)} to ${high.toFixed(3)}`;
}

/** The first way against the last one, by the same questions; and what the first one missed. */
function compare(ways: readonly (readonly [string, readonly Rank[]])[]): void {
  const [[first, ours], [last, theirs]] = [ways[0] ?? ['', []], ways.at(-1) ?? ['', []]];
  for (const figure of ['recall10', 'reciprocal'] as const) {
    const gained = bootstrapInterval(ours.map((rank, at) => rank[figure] - (theirs[at]?.[figure] ?? 0)));
    const name = figure === 'recall10' ? 'recall@10' : 'MRR';
    process.stdout.write(
      `\n${name} without scope, ${first} minus ${last}: ${gained.mean.toFixed(3)} (${range(gained)})`,
    );
  }
  const missed = cases.filter((_, at) => ours[at]?.recall10 === 0);
  process.stdout.write(`\nno right file among ten: ${missed.length} of ${cases.length}\n`);
  if (!values.missed) return;
  for (const { commit, subject, changed } of missed)
    process.stdout.write(`  ${commit.slice(0, 10)} ${subject}: ${changed.join(', ')}\n`);
}

function alone(): Record<string, Finder> {
  return {
    'symbols (the index)': searched(inSqlite('symbols')),
    'windows of lines only': searched(inSqlite('windows', new URL('./windows-worker.ts', import.meta.url))),
    'distinct words a file, all files': (parent, query) => byWords(parent, query, () => true),
    'distinct words a file, sources only': (parent, query) => byWords(parent, query, isSource),
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

/** A grep by a person: the files in which most of the question's words stand, then most often. */
async function byWords(parent: string, query: string, isRead: (path: string) => boolean): Promise<string[]> {
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
    .filter(isRead)
    .slice(0, 100);
}

function grepped(commit: string, word: string): string[] {
  try {
    return git('grep', '-I', '-i', '-c', '-F', '-e', word, commit).trim().split('\n');
  } catch {
    return []; // git's way to say that nothing matches
  }
}
