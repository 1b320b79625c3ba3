import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../http-session.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { type Attack, openLane, register } from './attack-lane.ts';
import type { AttackName, AttackNews, AttackOrder } from './attack-messages.ts';
import { floodBodies, floodPatches, floodStreams } from './floods.ts';

// One account that attacks by every means at once, within the limits of every account: a separate process, so that
// what it costs does not slow those who measure. Four repositories of the five an hour.
const [order] = (await once(process, 'message')) as [AttackOrder];
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const tell = (news: AttackNews) => process.send?.(news);
const over = AbortSignal.timeout(order.milliseconds);

const attackScript = readFileSync(new URL('./fixtures/attack.py', import.meta.url), 'utf8');
const hostileRepo = (name: string) => makeScratchRepo({ 'a.txt': 'one\n', 'attack.py': attackScript }, name).path;
const inSetup = (mode: string): Attack => ({
  name: mode,
  change: { setup_command: `python3 attack.py ${mode}`, test_command: 'true' },
  holdMs: 0,
});
const inTests = (mode: string): Attack => ({
  name: `${mode} in tests`,
  change: { setup_command: null, test_command: `python3 attack.py ${mode}` },
  holdMs: 10_000,
});
const git = (name: string): Attack => ({ name, change: { setup_command: null, test_command: 'true' }, holdMs: 0 });

const diskAttacks = ['fallocate', 'write', 'inodes', 'blob bomb'];
const isOn = (name: AttackName) => order.attacks.includes(name);
const lanes: readonly { name: AttackName; url: string; attacks: readonly Attack[] }[] = [
  {
    name: 'setup',
    url: hostileRepo('setup'),
    attacks: ['fallocate', 'memfd', 'write', 'forks', 'inodes', 'burn'].map(inSetup),
  },
  { name: 'tests', url: hostileRepo('tests'), attacks: [inTests('poison'), inTests('flood'), inTests('burn')] },
  { name: 'tree-bomb', url: order.treeBomb, attacks: [git('tree bomb')] },
  { name: 'blob-bomb', url: order.blobBomb, attacks: [git('blob bomb')] },
];
/** Ten issues and thirty runs an hour, shared by the lanes. */
const apartMs = order.milliseconds / 10;

const session = (await signUp(order.url, 'attacker@example.com')).repeating();
const repoIds: string[] = [];
for (const { url } of lanes) repoIds.push(await register(session, url));
const run = lanes.map(async ({ name, attacks }, at) => {
  if (!isOn(name)) return;
  const attack = openLane({ session, repoId: repoIds[at] ?? '', over, count });
  for (let round = 0; !over.aborted; round += 1) {
    const next = performance.now() + apartMs;
    const one = attacks[round % attacks.length];
    if (one === undefined) return;
    const news = { attack: one.name, fillsDisk: diskAttacks.includes(one.name) };
    tell({ kind: 'began', ...news });
    await attack(one);
    tell({ kind: 'ended', ...news });
    await pause(Math.max(0, next - performance.now()), undefined, { signal: over }).catch(() => {});
  }
});
const flooded = { session, repoId: repoIds[0] ?? '', over, count };
await Promise.all([
  ...run,
  isOn('bodies') && floodBodies(flooded),
  isOn('patches') && floodPatches(flooded),
  isOn('streams') && floodStreams(flooded),
]);
tell({ kind: 'over', counts });
process.disconnect();
