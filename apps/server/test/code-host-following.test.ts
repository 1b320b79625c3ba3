import type { RepoWire } from '@sluice/core/repo';
import { eventually } from '@sluice/testing';
import { expect, it } from 'vitest';
import { issuesOf, theNext } from './code-host-following-scene.ts';
import { aCodeHost, codehostEnvironment, HOSTED, signInAt } from './code-host-scene.ts';
import { startScratchServer } from './scratch-server.ts';

it('finds unreported changes by polling, with the token of a user who has access', async () => {
  await using host = await aCodeHost();
  const { CODEHOST_WEBHOOK_SECRET: _, ...environment } = codehostEnvironment(host);
  await using server = await startScratchServer({ ...environment, CODEHOST_POLL: '1s' });
  host.setPermission(HOSTED, { login: 'eve', permission: 'write' });
  const people = [await signInAt(server.url, host, 'ann'), await signInAt(server.url, host, 'eve')] as const;
  const [ann, eve] = people;
  const registered = [];
  for (const person of people) {
    const settings = { label_trigger: 'sluice' };
    const { body } = await person.call<RepoWire>('POST', '/api/repos', { codehost_repo: HOSTED, settings });
    registered.push(body);
  }
  const [ofAnn, ofEve] = registered;
  if (ofAnn === undefined || ofEve === undefined) throw new Error('nothing is registered');
  const polls = () => host.requests.filter(({ query }) => query.sort === 'updated');
  await eventually(() => expect(polls().length).toBeGreaterThanOrEqual(3));
  host.revokeTokens('ann');
  host.label({ repo: HOSTED, number: 7, by: 'eve' }, 'sluice');
  expect(await theNext(eve, ofEve, 0)).toMatchObject({ origin: 'codehost', codehost_number: 7, status: 'pending' });
  expect(await issuesOf(ann, ofAnn)).toEqual([]);
  const seen = polls().length;
  await eventually(() => expect(polls().length).toBeGreaterThanOrEqual(seen + 3));
  // Nothing is new: what is asked is whether anything is.
  expect(
    polls()
      .slice(seen + 3)
      .every(({ isConditional }) => isConditional),
  ).toBe(true);
});
