import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionId, UserId } from '@sluice/core/id';
import { openSqlite } from '@sluice/db';
import { newId } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import { SESSION_SECRET, startBuilt } from './built-service.ts';
import { bySize, type FilledIds, rowsOf } from './get-rows.ts';
import { median } from './median.ts';
import { clock } from './open-stores.ts';

const run = promisify(execFile);
const ISSUES = 100_000;
const fill = new URL('../../db/bench/fill-folder.ts', import.meta.url).pathname;
const document = new URL('../../../docs/openapi.json', import.meta.url);

const WARM = 3;
const REPEATS = 15;
const MAX_RATIO = 40;
/** The ratio above which a page has its reason in `heavy`. */
const NOTICED_RATIO = 8;
const DAY_MS = 86_400_000;

/** Pages that cost more than eight times `GET /api/auth/me`, and why. */
const heavy: readonly { readonly path: RegExp; readonly because: string }[] = [
  { path: /^\/api\/issues\?limit=100/, because: 'A hundred issues, of which the full ones have their texts.' },
  { path: /^\/api\/issues\?.*total=true/, because: 'Up to ten thousand issues are counted.' },
  { path: /^\/api\/repos\?limit=100$/, because: 'A hundred repositories with their settings.' },
  {
    path: /^\/api\/admin\/users(\?|$)/,
    because: 'Each account comes with its sessions, tokens, factors and last acts.',
  },
  { path: /^\/api(\/admin)?\/budgets$/, because: 'One statement for each of two hundred repositories.' },
  {
    path: /^\/api\/auth\/me\/deletion$/,
    because:
      'Asked by somebody who deletes their account: all their issues, and all of their repositories, are counted in indexes.',
  },
  { path: /^\/api\/outcomes/, because: 'All pull requests of ninety days are counted, nearly ten thousand.' },
  { path: /^\/api\/inbox/, because: 'Nine lists and the number of issues in each status, over all repositories.' },
  { path: /^\/api\/issues\?.*(q|label|created_before)=/, because: 'No index knows it: five hundred issues are read.' },
];

/** Pages above the limit, which read a bounded number of rows in short turns of the event loop: a kept count is still to come. */
const aboveLimit: readonly RegExp[] = [/^\/api\/outcomes/, /^\/api\/inbox(\?q=|$)/];

/** CPU of the main thread, in milliseconds: while it works, no other request is served. */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

it('answers every GET of the document on a filled, reopened database for a bounded part of the main thread', {
  timeout: 1_800_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const { stdout } = await run(process.execPath, [fill, dataDir, String(ISSUES)]);
  const ids = JSON.parse(stdout) as FilledIds;
  const rows = rowsOf(ids);
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, { get?: object }> };
  const documented = Object.keys(paths).filter((path) => paths[path]?.get !== undefined);
  expect(Object.keys(rows).toSorted()).toEqual(documented.toSorted());

  const cookie = await signIn(dataDir, ids.userId as UserId);
  // The end of the first run is when SQLite counts; from the next start on it plans by that.
  const first = await startBuilt(dataDir);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  const { child, pid, port } = await startBuilt(dataDir);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (path: string) => {
    const sent = request({ agent, port, host: '127.0.0.1', path, headers: { Cookie: cookie } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
    let bytes = 0;
    let text = '';
    for await (const chunk of answer) {
      bytes += chunk.length;
      if (bytes < 2_000) text += chunk;
      if (isStream) break; // the first events are sent at once
    }
    return { status: answer.statusCode, bytes, text };
  };
  const cost = async (path: string): Promise<{ ms: number; kib: number }> => {
    let bytes = 0;
    for (let n = 0; n < WARM; n += 1) bytes = (await get(path)).bytes;
    const spent: number[] = [];
    for (let n = 0; n < REPEATS; n += 1) {
      const before = mainThreadMs(pid);
      await get(path);
      spent.push(mainThreadMs(pid) - before);
    }
    return { ms: median(spent), kib: bytes / 1_024 };
  };

  const me: number[] = [];
  const found: { path: string; ms: number; kib: number; isBySize: boolean }[] = [];
  try {
    const refused: string[] = [];
    for (const { paths: asked, status = 200 } of Object.values(rows)) {
      for (const path of asked) {
        const answer = await get(path);
        if (answer.status !== status) refused.push(`${path}: ${answer.status} ${answer.text}`);
      }
    }
    expect(refused).toEqual([]);
    for (const [operation, { paths: asked }] of Object.entries(rows)) {
      me.push((await cost('/api/auth/me')).ms); // each time, because the machine is not always as busy
      for (const path of asked) found.push({ path, ...(await cost(path)), isBySize: bySize.includes(operation) });
    }
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(dataDir, { recursive: true });
  }
  const unit = median(me);
  const shown = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
  const byCost = found.toSorted((one, other) => other.ms - one.ms);
  process.stdout.write(`${ISSUES} issues; GET /api/auth/me: ${unit.toFixed(2)} ms of the main thread\n`);
  for (const { path, ms, kib } of byCost.filter(({ isBySize }) => !isBySize)) {
    process.stdout.write(`| ${(ms / unit).toFixed(1)} × | ${kib.toFixed(1)} KiB | ${shown(path)} |\n`);
  }
  process.stdout.write('by the size of the answer:\n');
  for (const { path, ms, kib } of byCost.filter(({ isBySize }) => isBySize)) {
    const each = (ms * 1_000) / Math.max(kib, 1);
    process.stdout.write(`| ${each.toFixed(0)} µs a KiB | ${kib.toFixed(1)} KiB | ${shown(path)} |\n`);
  }
  const ratios = found.filter(({ isBySize }) => !isBySize).map(({ path, ms }) => ({ path, ratio: ms / unit }));
  const isKnown = (path: string) => aboveLimit.some((known) => known.test(path));
  expect(ratios.filter(({ path, ratio }) => ratio > MAX_RATIO && !isKnown(path))).toEqual([]);
  const noticed = ratios.filter(({ ratio }) => ratio > NOTICED_RATIO);
  expect(noticed.filter(({ path }) => !heavy.some((page) => page.path.test(path)))).toEqual([]);
});

/** @returns the cookie of a session of that user */
async function signIn(dataDir: string, userId: UserId): Promise<string> {
  await using stores = await openSqlite({ dataDir, clock });
  const expiresAt = new Date(Date.now() + DAY_MS);
  const session = await stores.sessions.create({ id: newId<SessionId>(), userId, expiresAt });
  if (session === null) throw new Error('The session was not given.');
  return `access_token=${await createSessionTokens({ clock }, Buffer.from(SESSION_SECRET)).sign(session)}`;
}
