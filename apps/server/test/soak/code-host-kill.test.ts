import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost, SeenRequest } from '@sluice/fake-code-host';
import { isSoakRun } from '@sluice/testing';
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
import { fixingIssue } from '../scratch-repo.ts';
import { scratchFolder } from '../scratch-server.ts';
import { type ServiceProcess, startProcess } from '../service-process.ts';

/** When the process dies: as its n-th request since the approval comes in, or when that one's work is done. */
interface Kill {
  readonly at: number;
  readonly moment: 'before' | 'after';
}

/** A service at the code host, one process after the other over the same data. */
interface Stage {
  readonly host: FakeCodeHost;
  readonly person: HttpSession;
  readonly repo: RepoWire;
  process: ServiceProcess;
}

it('opens one pull request and comments once wherever kill -9 falls between its requests to the code host', async () => {
  await using host = await aCodeHost();
  const environment = { ...codehostEnvironment(host), DATA_DIR: scratchFolder(), CODEHOST_POLL: '0' };
  const process = await startProcess(environment);
  const person = await signInAt(process.url, host, 'ann');
  const stage: Stage = { host, person, repo: await registerHosted(person), process };
  try {
    const calm = await publishOne(stage, { environment, kill: null });
    const writes = calm.requests.flatMap(({ write }, at) => (write ? [at] : []));
    expect(writes.length).toBeGreaterThanOrEqual(3); // a push, a pull request, a comment
    const kills: Kill[] = [
      ...(isSoakRun ? calm.requests.map((_request, at): Kill => ({ at, moment: 'before' })) : []),
      ...writes.map((at): Kill => ({ at, moment: 'after' })),
    ];
    const outcomes = [];
    for (const kill of kills) outcomes.push({ kill, ...(await publishOne(stage, { environment, kill })).outcome });
    const right = { status: 'completed', pulls: 1, comments: 1, killed: true };
    expect(outcomes).toEqual(kills.map((kill) => ({ kill, ...right })));
  } finally {
    await stage.process.kill();
  }
});

async function publishOne(
  stage: Stage,
  { environment, kill }: { environment: Record<string, string>; kill: Kill | null },
) {
  const { host } = stage;
  const number = host.openIssue(HOSTED, { ...fixingIssue, by: 'ann' });
  const waiting = await importToGate(stage.person.at(stage.process.url), stage.repo, number);
  const requests: SeenRequest[] = [];
  const died = Promise.withResolvers<void>();
  const strike = (moment: Kill['moment']) => async (request: SeenRequest) => {
    if (!isOfPublishing(request, { number, isFirst: requests.length === 0 })) return;
    if (moment === 'before') requests.push(request);
    if (kill?.moment !== moment || requests.indexOf(request) !== kill.at) return;
    await stage.process.kill();
    died.resolve();
  };
  await approve(stage.person.at(stage.process.url), waiting);
  const ends = [host.onRequest(strike('before')), host.beforeAnswer(strike('after'))];
  if (kill !== null) {
    await Promise.race([died.promise, completed(stage, waiting).catch(() => died.promise)]);
    for (const end of ends) end();
    await stage.process.kill();
    stage.process = await startProcess(environment);
  }
  const done = await completed(stage, waiting);
  for (const end of ends) end();
  const pulls = (await host.pulls(HOSTED)).filter(({ head }) => head === done.result?.branch);
  const comments = host.comments(HOSTED, number);
  const killed = kill !== null && requests.length > kill.at;
  return { requests, outcome: { status: done.status, pulls: pulls.length, comments: comments.length, killed } };
}

/**
 * Whether a request is publishing's own. A pull request is looked at as soon as it is there, between whichever of these
 * requests that falls: had it its place among them, no two runs would have the same requests.
 */
function isOfPublishing({ path }: SeenRequest, { number, isFirst }: { number: number; isFirst: boolean }): boolean {
  if (/\/pulls\/\d+/.test(path)) return false;
  if (path.includes('/issues/')) return path.includes(`/issues/${number}/`);
  return isFirst || !path.startsWith('/repositories/'); // asked by both, and by publishing before anything else
}

async function completed(stage: Stage, { id }: IssueWire): Promise<IssueWire> {
  return await stage.person.at(stage.process.url).reaches(id, 'completed');
}
