import { describe, expect, it } from 'vitest';
import { type Server, useOneServer } from './main-job.ts';
import { atGate } from './model-issue.ts';
import { makeBuggyRepo, makeScratchRepo } from './scratch-repo.ts';

const approve = { action: 'approve' };

/** What else may come of the main job, whatever the service stands on. */
export function mainJobVariants(mode: string, start: (environment: Record<string, string>) => Promise<Server>): void {
  describe(`an issue from start to end, ${mode}`, () => {
    const begin = useOneServer(start);

    it('records gapless events, which a late reader receives identically', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo);
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      await person.reaches(id, 'completed');
      const events = (await person.events(id)).filter((event) => 'seq' in event);
      expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
      const stages = events.flatMap((event) => (event.type === 'stage.completed' ? [event.data.stage] : []));
      expect(stages).toEqual(['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish']);
      expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
      expect(await person.events(id)).toEqual(events);
    });

    it('plans again with the guidance of an instruct, and implements the new plan', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo, { title: 'The value is broken', body: 'please repair it' });
      const first = await person.reaches(id, 'awaiting_approval');
      expect(first.plan?.risks.join(' ')).toMatch(/model/);
      expect(first).toMatchObject({
        triage: {
          kind: expect.any(String),
          risk: expect.any(String),
          open_questions: [expect.stringMatching(/Which edit exactly/)],
        },
        commands: { test: { command: expect.stringContaining('test'), source: expect.any(String) } },
        budget: { tokens: { used: 0 }, cost_usd: { used: 0 }, active_ms: { used: expect.any(Number) } },
      });
      const guidance = 'in `value.txt` replace `broken` with `fixed`';
      expect((await person.call('POST', `/api/issues/${id}/approve`, { action: 'instruct', guidance })).status).toBe(
        200,
      );
      const events = await person.events(
        id,
        (event) => event.type === 'plan.created' && event.data.plan.revision === 2,
      );
      expect(events.at(-1)).toMatchObject({ data: { plan: { revision: 2, guidance }, triage: first.triage } });
      const second = await atGate(person, id, 2);
      expect(Date.parse(second.gate?.expires_at ?? '')).toBeGreaterThan(Date.parse(first.gate?.expires_at ?? ''));
      expect((await person.call('POST', `/api/issues/${id}/approve`, { ...approve, revision: 1 })).status).toBe(409);
      expect((await person.call('POST', `/api/issues/${id}/approve`, { ...approve, revision: 2 })).status).toBe(200);
      const done = await person.reaches(id, 'completed');
      expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
    });

    it('sends a command’s live output between its start and its end', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo);
      const following = await person.following(id, 'awaiting_approval');
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      const story = (await following.all).map((event) => event.type).filter((type) => type.startsWith('command.'));
      expect(story.filter((type) => type === 'command.output').length).toBeGreaterThanOrEqual(2);
      expect(story.join(' ')).toMatch(/^(command\.started( command\.output)+ command\.finished ?){2}$/);
    });

    it('ends a rejected plan without a branch', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo);
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, { action: 'reject' });
      await person.reaches(id, 'rejected');
      expect(repo.git('branch', '--list', 'sluice/*')).toBe('');
    });

    it('fails an issue that the built-in model cannot complete, with the reason that writing code needs a model', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo, { title: 'Make it nice', body: 'somehow' });
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      const failed = await person.reaches(id, 'failed');
      expect(failed.error).toMatchObject({ stage: 'implement' });
      expect(failed.error?.detail).toMatch(/model/);
    });

    it('fails an edit that leaves tests failing, keeps the output, and publishes nothing', async () => {
      const repo = makeBuggyRepo();
      const { person, id } = await begin(repo, {
        title: 'Wrong',
        body: 'in `value.txt` replace `broken` with `worse`',
      });
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      const failed = await person.reaches(id, 'failed');
      expect(failed.error?.detail).toBeTruthy();
      const log = await person.call<{ items: { text: string }[] }>('GET', `/api/issues/${id}/log`);
      expect(log.body.items.map((line) => line.text).join('')).toContain('not ok 1 - value is fixed');
      expect(repo.git('branch', '--list', 'sluice/*')).toBe('');
    });

    it('publishes a change to a repository without tests, with a note that nothing was tested', async () => {
      const repo = makeScratchRepo({ 'README.md': '# old\n' });
      const { person, id } = await begin(repo, {
        title: 'Title',
        body: 'in `README.md` replace `old` with `new`',
      });
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, approve);
      const done = await person.reaches(id, 'completed');
      expect(done.result?.tests).toBeNull();
      expect(repo.git('show', `${done.result?.branch}:README.md`)).toBe('# new');
    });
  });
}
