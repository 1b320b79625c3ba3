import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost, HostFault, SeenRequest } from '@sluice/fake-code-host';
import { isSoakRun } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { fixingIssue } from '../scratch-repo.ts';
import { type ScratchServer, startScratchServer } from '../scratch-server.ts';

const STRIDE = 3; // similar kinds then meet different calls

type Ending = IssueWire['status'];

/** A failure of the host, and how publishing ends when one request meets it. */
interface Kind {
  readonly name: string;
  readonly fault: HostFault;
  readonly api: Ending;
  readonly git: Ending;
}

const KINDS: readonly Kind[] = [
  { name: '401', fault: { kind: 'status', status: 401, message: 'Bad credentials' }, api: 'failed', git: 'failed' },
  { name: '403', fault: { kind: 'status', status: 403, message: 'Must have rights' }, api: 'failed', git: 'failed' },
  { name: '404', fault: { kind: 'status', status: 404, message: 'Not Found' }, api: 'failed', git: 'failed' },
  { name: '500', fault: { kind: 'status', status: 500 }, api: 'completed', git: 'completed' },
  { name: 'a page of a proxy', fault: { kind: 'html', status: 502 }, api: 'completed', git: 'completed' },
  { name: 'a wrong shape', fault: { kind: 'shape' }, api: 'completed', git: 'completed' },
  { name: 'half an answer', fault: { kind: 'not_json' }, api: 'completed', git: 'completed' },
  { name: 'a reset', fault: { kind: 'reset' }, api: 'completed', git: 'completed' },
  { name: 'an answer cut off', fault: { kind: 'cut' }, api: 'completed', git: 'completed' },
  { name: 'an answer lost', fault: { kind: 'lost' }, api: 'completed', git: 'completed' },
  { name: 'a used-up quota', fault: { kind: 'rate_limit', resetInSeconds: 1 }, api: 'completed', git: 'failed' },
  {
    name: 'a secondary limit',
    fault: { kind: 'secondary_limit', retryAfterSeconds: 1 },
    api: 'completed',
    git: 'failed',
  },
];

/** A request of publishing. Others may come between: the new pull request is synced as soon as it exists. */
interface Call {
  readonly on: (number: number) => RegExp;
  readonly part: 'git' | 'open' | 'tell';
  readonly isWrite?: boolean;
  /** How many equal requests come first. */
  readonly skip?: number;
}

const comments = (method: string) => (number: number) => new RegExp(`^${method} .*/issues/${number}/comments$`);

const CALLS: readonly Call[] = [
  { on: () => /^GET .*\/info\/refs$/, part: 'git' },
  { on: () => /^POST .*\/git-upload-pack$/, part: 'git' },
  { on: () => /^GET .*\/info\/refs$/, skip: 1, part: 'git' },
  { on: () => /^POST .*\/git-receive-pack$/, part: 'git', isWrite: true },
  { on: () => /^GET .*\/pulls$/, part: 'open' },
  { on: () => /^POST .*\/pulls$/, part: 'open', isWrite: true },
  { on: comments('GET'), part: 'tell' },
  { on: comments('POST'), part: 'tell', isWrite: true },
];

describe('publishing to a code host that fails', () => {
  let host: FakeCodeHost;
  let server: ScratchServer;
  let person: HttpSession;
  let repo: RepoWire;

  beforeAll(async () => {
    host = await aCodeHost();
    server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
    person = await signInAt(server.url, host, 'ann');
    repo = await registerHosted(person);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  /** Takes a new issue to its end, with a retry if it fails. With `met`, one request meets a fault. */
  async function publishOne(met: { call: Call; fault: HostFault } | null) {
    const number = host.openIssue(HOSTED, { ...fixingIssue, by: 'ann' });
    const waiting = await importToGate(person, repo, number);
    await approve(person, waiting);
    const requests: SeenRequest[] = [];
    const end = host.onRequest((request) => {
      requests.push(request);
    });
    const armed =
      met === null ? null : host.arm({ fault: met.fault, on: met.call.on(number), skip: met.call.skip ?? 0 });
    const status = await ended(waiting.id);
    armed?.lift();
    const first = await seen(waiting.id, number);
    let last = first;
    if (status === 'failed') {
      person = await signInAt(server.url, host, 'ann'); // links again after the host rejected the token
      const retried = await person.call('POST', `/api/issues/${waiting.id}/retry`);
      if (retried.status !== 200) throw new Error(`retry answered ${retried.status}: ${JSON.stringify(retried.body)}`);
      const again = await ended(waiting.id, first.issue.updated_at);
      if (again !== 'completed')
        throw new Error(`the retry ended in ${JSON.stringify(await person.issue(waiting.id))}`);
      last = await seen(waiting.id, number);
    }
    end();
    return { requests, number, hits: armed?.hits ?? 0, status, first, last };
  }

  async function ended(id: string, after = ''): Promise<Ending> {
    for (;;) {
      const { status, updated_at } = await person.issue(id);
      if ((status === 'completed' || status === 'failed') && updated_at !== after) return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function seen(id: string, number: number) {
    const issue = await person.issue(id);
    const branch = issue.result?.branch ?? null;
    const pulls = (await host.pulls(HOSTED)).filter(({ head }) => head.startsWith(`sluice/${id.slice(-8)}`));
    return { issue, branch, pulls: pulls.length, comments: host.comments(HOSTED, number).length };
  }

  it('makes these requests, in this order', async () => {
    const { requests, number } = await publishOne(null);
    const said = requests.map(({ method, path }) => `${method} ${path}`);
    let from = 0;
    for (const { on } of CALLS) {
      const at = said.findIndex((line, index) => index >= from && on(number).test(line));
      expect(at, `${on(number)} in ${JSON.stringify(said)}`).toBeGreaterThanOrEqual(from);
      from = at + 1;
    }
    expect(requests.filter(({ write }) => write)).toHaveLength(CALLS.filter(({ isWrite }) => isWrite).length);
  });

  /** Publishes an issue while one request meets the fault. */
  async function outcomeOf(call: Call, fault: HostFault) {
    const { hits, status, first, last } = await publishOne({ call, fault });
    const isDoubled = first.pulls > 1 || first.comments > 1;
    const { pulls, comments } = last;
    return { hits, status, isDoubled, pulls, comments, detail: first.issue.error?.detail };
  }

  function wanted({ part }: Call, { fault, api, git }: Kind) {
    // A comment that the host refuses undoes nothing; a rejected token is always reported.
    const isGivenUp = part === 'tell' && api === 'failed' && !(fault.kind === 'status' && fault.status === 401);
    const status = part === 'git' ? git : isGivenUp ? 'completed' : api;
    const detail = status === 'failed' ? expect.any(String) : undefined;
    return { hits: 1, status, isDoubled: false, pulls: 1, comments: isGivenUp ? 0 : 1, detail };
  }

  async function met(call: Call, kind: Kind): Promise<void> {
    const where = `${kind.name} at ${call.on(0)}`;
    expect({ where, ...(await outcomeOf(call, kind.fault)) }).toEqual({ where, ...wanted(call, kind) });
  }

  it('ends correctly and does nothing twice, however a request fails', async () => {
    // Every kind at every call takes a quarter of an hour: `npm test` meets every tenth kind, each at another call.
    const pairs = KINDS.flatMap((kind, index) =>
      CALLS.filter((_call, at) => isSoakRun || (index % 10 === 1 && at === (index * STRIDE) % CALLS.length)).map(
        (call) => [call, kind] as const,
      ),
    );
    for (const [call, kind] of pairs) await met(call, kind);
  });
});
