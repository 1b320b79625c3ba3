import { fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { expect, it } from 'vitest';
import { CREATIONS, fillDataFolder, PASSWORD, startBuilt } from './built-service.ts';
import { type Call, loadOf } from './http-load.ts';
import { median } from './median.ts';
import { nextMessage } from './next-message.ts';
import { cpuOf } from './process-cpu.ts';

const WARM_UP = 2; // rounds that are not counted: the bare commits are a loop that is compiled at once
const ROUNDS = WARM_UP + 8;
const WRITERS_A_ROUND = 5; // of ten creations each
const CONNECTIONS = 8;
const COMMITS = 2_000;
const LOGINS = 200;
const READS = 2_000;

it('creates issues and logs users in while it answers reads', { timeout: 600_000 }, async () => {
  const { dataDir, email, reader, writers } = await fillDataFolder(ROUNDS * WRITERS_A_ROUND);
  const { child, pid, port } = await startBuilt(dataDir);
  await using _ = { [Symbol.asyncDispose]: async () => void child.kill() };
  const load = loadOf(port);

  const creations: number[] = [];
  const cpu: number[] = [];
  const commits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const some = writers.slice(round * WRITERS_A_ROUND, (round + 1) * WRITERS_A_ROUND);
    const calls = some.flatMap(({ cookie, repoIds }) => repoIds.map((repoId) => creation(cookie, repoId)));
    const before = cpuOf(pid);
    const { seconds, bodies } = await load.send(calls, CONNECTIONS);
    if (round >= WARM_UP) {
      cpu.push((cpuOf(pid) - before) / calls.length);
      creations.push(calls.length / seconds);
      commits.push(await bareCommits());
    }
    // The queue is as long in each round: an answer tells the place in it.
    const cookieOf = new Map(some.flatMap(({ cookie, repoIds }) => repoIds.map((id) => [String(id), cookie])));
    const made = bodies.map((body) => JSON.parse(body) as { id: string; repo_id: string });
    await load.send(
      made.map(({ id, repo_id }) => ({
        method: 'DELETE',
        path: `/api/issues/${id}`,
        cookie: cookieOf.get(repo_id),
      })),
      CONNECTIONS,
    );
  }
  expect(creations).toHaveLength(ROUNDS - WARM_UP);
  const [rate, bare] = [median(creations), median(commits)];
  process.stdout.write(
    `creations: ${rate.toFixed(0)} a second, ${median(cpu).toFixed(0)} µs of CPU, ${(rate / bare).toFixed(2)} × ${bare.toFixed(0)} bare commits (${WRITERS_A_ROUND * CREATIONS} a round)\n`,
  );

  const reads: Call[] = Array.from({ length: READS }, () => ({ method: 'GET', path: '/api/auth/me', cookie: reader }));
  await load.send(reads, 4);
  const alone = await load.send(reads, 4);
  let done = false;
  const logins = load
    .send(
      Array.from({ length: LOGINS }, (_, at) => login(email, at)),
      4,
    )
    .finally(() => {
      done = true;
    });
  const meanwhile: number[] = [];
  while (!done) meanwhile.push(...(await load.send(reads.slice(0, 100), 4)).took);
  const { seconds } = await logins;
  process.stdout.write(
    `logins: ${(LOGINS / seconds).toFixed(0)} a second; reads p99 ${p99(alone.took).toFixed(1)} ms alone, ${p99(meanwhile).toFixed(1)} ms meanwhile\n` +
      `load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
});

function creation(cookie: string, repoId: string): Call {
  const text = { title: 'Sum ignores its last argument', body: 'sum(1, 2, 3) gives 3, and sum(1, 2) gives 1.' };
  return { method: 'POST', path: '/api/issues', cookie, json: { repo_id: repoId, ...text } };
}

/** Each from an address of its own, as the limit counts addresses. */
function login(email: string, at: number): Call {
  const headers = { 'X-Forwarded-For': `192.0.${at >> 7}.${at & 127}` };
  return { method: 'POST', path: '/api/auth/login', json: { email, password: PASSWORD }, headers };
}

async function bareCommits(): Promise<number> {
  const child = fork(new URL('../../db/bench/bare-commits.ts', import.meta.url), [`${COMMITS}`], { execArgv: [] });
  return await nextMessage<number>(child);
}

function p99(of: readonly number[]): number {
  return of.toSorted((one, other) => one - other)[Math.floor(of.length * 0.99)] ?? 0;
}
