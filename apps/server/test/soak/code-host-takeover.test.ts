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
import { useFleet } from '../fleet.ts';

const { services, start } = useFleet();

const moments = [
  ['the pull request', /\/pulls$/],
  ['the push', /git-receive-pack$/],
] as const;

it.each(moments.slice(0, isSoakRun ? moments.length : 1))(
  'opens one pull request when a process freezes during %s and its request arrives after another has finished',
  async (_what, path) => {
    await using host = await aCodeHost();
    const environment = { ...(await services().installation()), ...codehostEnvironment(host), CODEHOST_POLL: '0' };
    const api = await start({ ...environment, ROLE: 'api' });
    const sleeper = await start({ ...environment, ROLE: 'worker' });
    const ann = await signInAt(api.url, host, 'ann');
    const issue = await importToGate(ann, await registerHosted(ann), 7);
    const asleep = Promise.withResolvers<void>();
    const wake = Promise.withResolvers<void>();
    let isFirst = true;
    host.onRequest(async (request) => {
      if (!isFirst || !request.write || !path.test(request.path)) return;
      isFirst = false;
      sleeper.freeze();
      asleep.resolve();
      await wake.promise;
    });
    await approve(ann, issue);
    await asleep.promise;
    const heir = await start({ ...environment, ROLE: 'worker' });
    const done = await ann.reaches(issue.id, 'completed');

    const late = host.requests.find(({ write, path: asked }) => write && path.test(asked));
    expect(late?.status).toBeNull(); // what the sleeper sent is on its way yet
    wake.resolve();
    sleeper.thaw();
    await expect.poll(() => late?.status).not.toBeNull();
    expect(await sleeper.stop()).toBe(0);
    expect(await heir.stop()).toBe(0);
    const pulls = (await host.pulls(HOSTED)).filter(({ head }) => head.startsWith('sluice/'));
    expect(pulls).toMatchObject([{ head: done.result?.branch, headCommit: done.result?.head_commit, state: 'open' }]);
    expect(host.comments(HOSTED, 7)).toHaveLength(1);
    expect(await ann.issue(issue.id)).toEqual(done);
  },
);
