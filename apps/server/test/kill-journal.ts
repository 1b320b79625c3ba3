import { parseArgs } from 'node:util';
import { judgeKilledRun } from './judge-killed-run.ts';
import { type Kill, type RecordedRun, recordedRun } from './recorded-run.ts';

/** What the kills at the boundaries of one recorded run showed. */
export interface JournalKills {
  /** The subject of each boundary of the untouched run. */
  readonly boundaries: readonly string[];
  readonly kills: number;
  /** Must be empty. */
  readonly violations: readonly string[];
}

interface KillOptions {
  /** Which kills to make, when the untouched run has shown its boundaries. */
  readonly choose: (boundaries: readonly string[]) => readonly Kill[];
  readonly say?: (line: string) => void;
}

const AT_ONCE = 2; // each is a whole service with its sandbox

/**
 * Records one run, and then kills it at the chosen boundaries, each time from the start, goes on over the same data, and
 * compares what came of it.
 */
export async function killJournal({ choose, say = () => {} }: KillOptions): Promise<JournalKills> {
  const whole = await recordedRun(null);
  if (whole.issue.status !== 'completed') throw new Error(`the untouched run: ${JSON.stringify(whole.issue)}`);
  const { boundaries } = whole;
  say(`untouched: ${boundaries.length} boundaries, ${whole.requests} requests`);
  const waiting = [...choose(boundaries)];
  const kills = waiting.length;
  const violations: string[] = [];
  const lane = async () => {
    for (let kill = waiting.shift(); kill !== undefined; kill = waiting.shift()) {
      const began = Date.now();
      const found = await faultsAt(whole, kill);
      const name = nameOf(kill, boundaries);
      violations.push(...found.map((fault) => `${name}: ${fault}`));
      say(`${name}: ${found.length === 0 ? 'the same' : found.join('; ')} (${Date.now() - began} ms)`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { boundaries, kills, violations };
}

async function faultsAt(whole: RecordedRun, kill: Kill): Promise<string[]> {
  try {
    return judgeKilledRun(whole, await recordedRun(kill), kill);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function nameOf({ at, side, lost }: Kill, boundaries: readonly string[]): string {
  return `${at} ${side} (${boundaries[at - 1]})${lost === undefined ? '' : `, without its ${lost}`}`;
}

/** A sample of `oneKillOfEachKind`: every fifteenth of them, and one lost working tree. */
export function fewKills(boundaries: readonly string[]): Kill[] {
  const each = oneKillOfEachKind(boundaries);
  const loss = each.findIndex(({ lost }) => lost === 'tree');
  return each.filter((_kill, index) => index === loss || (index < loss && index % 15 === 0));
}

/** Every `every`-th boundary, from `from`, killed on both sides of its commit. */
function allKills(boundaries: readonly string[], every = 1, from = 1): Kill[] {
  const numbers = boundaries.map((_what, index) => index + 1).filter((at) => at >= from && (at - from) % every === 0);
  return numbers.flatMap((at): Kill[] => [
    { at, side: 'after' },
    { at, side: 'before' },
  ]);
}

/**
 * Each kind of journal entry once for each role, and a lost working tree in each stage that works in one. Tool calls are
 * killed before their results are written, and the reviewer before its answers are.
 */
export function oneKillOfEachKind(boundaries: readonly string[]): Kill[] {
  const last = new Map(boundaries.map((what, index) => [what.replace(/ \d+:/, ':'), index + 1]));
  // A conversation is begun the same way by all roles.
  const isOfJournal = (what: string) => what.startsWith('implement: ') || /^\w+: (?!.*message of system)/.test(what);
  const kinds = [...last].filter(([what]) => isOfJournal(what) || what === 'checkpoint of implementation');
  const kills = kinds.map(([what, at]): Kill => ({ at, side: /: result|^review/.test(what) ? 'before' : 'after' }));
  const losses: Kill[] = [
    { at: lastOf(boundaries, /^implement 3: begin/), side: 'after', lost: 'tree' },
    { at: lastOf(boundaries, /begin of test/), side: 'after', lost: 'clone' },
    { at: lastOf(boundaries, /^review 2: result/), side: 'after', lost: 'workspaces' },
    { at: lastOf(boundaries, /begin of publish/), side: 'after', lost: 'tree' },
  ];
  return [...kills, ...losses];
}

/** In `implement`, `test`, `review` and `publish`, each with its tree, its clone or both deleted after the kill. */
function killsWithLoss(boundaries: readonly string[]): Kill[] {
  const finished = lastOf(boundaries, /^implement 3: result \+ checkpoint/);
  const after = [
    boundaries.findIndex((what) => /^implement 1: begin/.test(what)) + 1, // nothing is kept yet
    lastOf(boundaries, /^implement 1: begin/),
    lastOf(boundaries, /^implement 1: result \+ checkpoint/),
    lastOf(boundaries, /^implement 3: begin/),
    finished,
    lastOf(boundaries, /^implement 3: done/),
    lastOf(boundaries, /begin of test/),
    lastOf(boundaries, /^review 2: result/),
    lastOf(boundaries, /begin of publish/),
  ];
  const places = [...after.map((at) => ({ at, side: 'after' as const })), { at: finished, side: 'before' as const }];
  return places.flatMap((place) =>
    (['tree', 'clone', 'workspaces'] as const).map((lost): Kill => ({ ...place, lost })),
  );
}

/** The number of the last boundary that is about this. */
function lastOf(boundaries: readonly string[], about: RegExp): number {
  return boundaries.findLastIndex((what) => about.test(what)) + 1;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { every: { type: 'string' }, from: { type: 'string' }, loss: { type: 'boolean' } },
  });
  const began = Date.now();
  const { boundaries, kills, violations } = await killJournal({
    choose: (all) =>
      values.loss ? killsWithLoss(all) : allKills(all, Number(values.every ?? 1), Number(values.from ?? 1)),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${violations.map((violation) => `${violation}\n`).join('')}`);
  process.stdout.write(
    `${boundaries.length} boundaries, ${kills} kills, ${violations.length} violations, ${seconds} s\n`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}
