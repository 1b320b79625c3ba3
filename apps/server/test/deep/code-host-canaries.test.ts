import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { expect, it } from 'vitest';
import {
  aCodeHost,
  approve,
  codehostEnvironment,
  HOSTED,
  importToGate,
  registerHosted,
  signInAt,
} from '../code-host-scene.ts';
import type { HttpSession } from '../http-session.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-sign-in.test.ts

const PEOPLE = 20;

/** Shows all that a command of the repository can find of other processes. */
const lookAround = `for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; done 2>/dev/null
grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }
echo 'ok 1 - value is fixed'
`;

/** A secret as it is, and as the password in a header. */
function spellings(secret: string): string[] {
  return [
    secret,
    ...['x-access-token', 'oauth2', ''].map((user) => Buffer.from(`${user}:${secret}`).toString('base64')),
  ];
}

function argumentsOfAll(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return ''; // it has ended
      }
    })
    .join('\n');
}

/** The words that are somewhere below the folder, in any file. */
function foundBelow(folder: string, words: readonly string[]): string {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-words-'));
  const list = join(scratch, 'words');
  writeFileSync(list, words.join('\n'));
  const { stdout, status } = spawnSync('grep', ['-raoF', '-f', list, folder], { encoding: 'utf8' });
  rmSync(scratch, { recursive: true });
  if (status !== 0 && status !== 1) throw new Error('the folder could not be searched');
  return stdout;
}

/** A session that records every response. */
function noting(session: HttpSession, said: unknown[]): HttpSession {
  return {
    ...session,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await session.call<T>(method, path, body);
      said.push(
        answer.body,
        [...answer.headers].filter(([name]) => name !== 'set-cookie'),
      );
      return answer;
    },
  };
}

/** The host says in its errors what it was given, and in all the ways in which it can fail. */
async function failInEveryWay(host: FakeCodeHost, person: HttpSession, repo: RepoWire): Promise<void> {
  const told = () => `given: ${host.secrets().slice(-3).join(' ')}`;
  const issues = `/api/repos/${repo.id}/issues?page=`;
  const faults = [
    () => ({ kind: 'status', status: 403, message: told() }) as const,
    () => ({ kind: 'status', status: 422, message: told() }) as const,
    () => ({ kind: 'status', status: 404, message: told(), headers: { 'x-note': told() } }) as const,
    () => ({ kind: 'shape', value: { message: told() } }) as const,
    () => ({ kind: 'not_json' }) as const,
    () => ({ kind: 'cut' }) as const,
    () => ({ kind: 'rate_limit', resetInSeconds: 3600 }) as const,
    // The last one: after it the host is not asked any more.
    () => ({ kind: 'status', status: 401, message: told() }) as const,
  ];
  for (const [page, fault] of faults.entries()) {
    const armed = host.arm({ on: /^GET .*\/issues$/, fault: fault(), times: Number.POSITIVE_INFINITY });
    expect((await person.call('GET', `${issues}${page + 1}`)).status).toBeGreaterThanOrEqual(400);
    expect(armed.hits).toBeGreaterThan(0);
    armed.lift();
  }
}

it('shows none of two hundred secrets in an answer, an event, a log, a file, an argument, a command or at the host', async () => {
  // Tokens that expire within a minute are refreshed before every call, so each call has different secrets.
  const tokenExpiry = { accessSeconds: 60, refreshSeconds: 3600 };
  await using host = await aCodeHost({ tokenExpiry }, { testScript: lookAround });
  await using server = await startScratchServer({
    ...codehostEnvironment(host),
    LOG_LEVEL: 'trace',
    CODEHOST_POLL: '0',
  });
  const said: unknown[] = [];
  const inArguments: string[] = [];
  host.onRequest(({ path }) => {
    if (path.includes('/git-') || path.endsWith('/info/refs')) inArguments.push(argumentsOfAll());
  });

  const people: { person: HttpSession; repo: RepoWire }[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const login = `person-${n}`;
    host.addUser({ login });
    host.setPermission(HOSTED, { login, permission: 'write' });
    const person = noting(await signInAt(server.url, host, login), said);
    await person.call('GET', '/api/codehost/repos');
    const repo = await registerHosted(person);
    await person.call('GET', `/api/repos/${repo.id}/issues`);
    people.push({ person, repo });
  }
  const [first, second] = people;
  if (first === undefined || second === undefined) throw new Error('nobody has signed in');
  const waiting = await importToGate(first.person, first.repo, 7);
  await approve(first.person, waiting);
  const done = await first.person.reaches(waiting.id, 'completed');
  said.push(done, await first.person.events(waiting.id));
  await first.person.call('GET', `/api/issues/${waiting.id}/log`);
  await failInEveryWay(host, second.person, second.repo);
  host.revokeTokens('person-2');
  expect((await people[2]?.person.call('GET', '/api/codehost/repos'))?.body).toMatchObject({
    code: 'codehost_relink_needed',
  });

  const secrets = [...host.secrets(), codehostEnvironment(host).CODEHOST_WEBHOOK_SECRET ?? ''];
  expect(secrets.length).toBeGreaterThan(200);
  const atHost = [await host.pulls(HOSTED), host.comments(HOSTED, 7), await host.git(HOSTED, 'log', '--all', '-p')];
  const everywhere = JSON.stringify([said, atHost]);
  expect(everywhere).toContain('ok 1 - value is fixed'); // the log of the command that looks around is among it
  // Reported as yes or no, so that a failure prints nothing of other programs on this machine.
  expect(inArguments.some((seen) => seen.includes('remote-http'))).toBe(true);
  const words = secrets.flatMap(spellings);
  expect(words.filter((word) => everywhere.includes(word) || inArguments.some((seen) => seen.includes(word)))).toEqual(
    [],
  );
  expect(foundBelow(server.dataDir, [HOSTED])).toContain(HOSTED);
  expect(foundBelow(server.dataDir, words)).toBe('');
});
