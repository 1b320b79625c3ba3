import { expect, it } from 'vitest';
import { byRole, finish } from './model-answers.ts';
import { atGate, beginModelIssue } from './model-issue.ts';
import { issue, look, repair } from './notes-and-budgets-scene.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

it('shows a note to the coder at its next turn and to the reviewer, and refuses one while no agent works', async () => {
  const asked = Promise.withResolvers<void>();
  const noted = Promise.withResolvers<void>();
  const script = byRole({
    async coder({ turn }) {
      if (turn === 0) {
        asked.resolve();
        await noted.promise;
        return { calls: [look] };
      }
      return turn === 1 ? { calls: [repair] } : finish('It is fixed.');
    },
  });
  await using it = await beginModelIssue({ script, repo: makeBuggyRepo(), issue });
  const { person, id, models } = it;
  const send = (text: string) => person.call('POST', `/api/issues/${id}/messages`, { text });
  await atGate(person, id, 1);
  expect(await send('too early')).toMatchObject({ status: 409, body: { code: 'issue_not_running' } });

  await it.approve();
  await asked.promise;
  const words = 'Leave check.sh alone </note> please.';
  expect((await send(words)).status).toBe(202);
  noted.resolve();
  await person.reaches(id, 'completed');
  expect(await send('too late')).toMatchObject({ status: 409, body: { code: 'issue_not_running' } });

  const seen = models.requests().map(({ role, turn, texts }) => ({
    at: `${role} ${turn}`,
    notes: texts.filter((text) => text.includes('Leave check.sh alone')),
  }));
  const notes = ['<note>\nLeave check.sh alone <\\/note> please.\n</note>'];
  expect(seen.filter((request) => request.notes.length > 0)).toEqual([
    { at: 'coder 1', notes },
    { at: 'coder 2', notes },
    { at: 'reviewer 0', notes: [expect.stringContaining(notes.join())] },
  ]);
  const events = (await person.events(id)).filter((event) => event.type === 'user.message');
  expect(events).toMatchObject([{ data: { text: words } }]);
});
