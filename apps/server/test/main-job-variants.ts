import { describe, expect, it } from 'vitest';
import { type Server, useOneServer } from './main-job.ts';
import { makeBuggyRepo, makeScratchRepo } from './scratch-repo.ts';

const approve = { action: 'approve' };

/** What else may come of the main job, whatever the service stands on. */
export function mainJobVariants(mode: string, start: (environment: Record<string, string>) => Promise<Server>): void {
  describe(`an issue from start to end, ${mode}`, () => {
    const begin = useOneServer(start);

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
