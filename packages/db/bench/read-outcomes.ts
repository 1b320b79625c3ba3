// Reads the outcomes of a data folder again and again, and prints what that took: CPU between two turns of the event loop, and memory.
import { callerOf } from '@sluice/core/access';
import type { UserId } from '@sluice/core/id';
import { readOutcomes } from '@sluice/core/outcome';
import { openSqlite } from '../src/index.ts';

const [dataDir = '', userId = '', from = ''] = process.argv.slice(2);
const clock = { now: () => new Date() };
const stores = await openSqlite({ dataDir, clock });
const question = {
  ...{ caller: callerOf(userId as UserId), repoId: null, groupBy: 'model' as const, to: null },
  ...{ from: from === '' ? null : new Date(from), signal: new AbortController().signal },
};

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Reads once. @returns CPU in all, and the most between two turns of the loop */
async function measuredRead(): Promise<{ opened: number; total: number; longest: number; turns: number }> {
  const began = cpuMs();
  let [since, longest, turns, isOver] = [began, 0, 0, false];
  const turn = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - since);
    since = now;
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { total } = await readOutcomes({ ...stores, clock }, question);
  const all = cpuMs() - began;
  longest = Math.max(longest, cpuMs() - since);
  isOver = true;
  return { opened: total.opened, total: all, longest, turns };
}

await measuredRead(); // statements are compiled, functions too
const before = process.memoryUsage().rss;
const reads = [];
for (let times = 0; times < 5; times += 1) reads.push(await measuredRead());
// What the work itself takes is in each read; other processes and the collection of garbage are not.
const longest = Math.min(...reads.map((read) => read.longest));
const worst = Math.max(...reads.map((read) => read.longest));
const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
const rss = process.memoryUsage().rss;
process.send?.({ ...reads[0], longest, worst, rssMib: mib(rss), grownMib: mib(rss - before) });
await stores.close();
