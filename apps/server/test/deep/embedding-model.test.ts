import { expect, it } from 'vitest';
import { byRole, call, planAnswer } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: packages/code-search/src/semantic/create-semantic-index.test.ts

const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };
const EMBEDDING_MODEL = 'openai/text-embedding-3-small';
const wordless = 'quokka zeitgeist'; // nowhere in the repository

interface Hits {
  readonly items: readonly { path: string; start_line: number; text: string; score: number }[];
}

const script = byRole({
  planner: ({ turn }) => (turn === 0 ? { calls: [call('find_code', { query: wordless })] } : planAnswer(['value.txt'])),
});

it('finds code by meaning where no word matches, for users and for the planner', async () => {
  const repo = makeBuggyRepo();
  await using it = await beginModelIssue({ script, repo, issue, provider: 'openai', environment: { EMBEDDING_MODEL } });
  const { person, id, models } = it;
  await it.approve();
  await person.reaches(id, 'completed');

  const query = encodeURIComponent(wordless);
  const hits = await person.call<Hits>('GET', `/api/repos/${it.repoId}/search?q=${query}`);
  expect(hits.status).toBe(200);
  expect(hits.body.items.map(({ path }) => path)).toContain('value.txt');
  expect(hits.body.items.find(({ path }) => path === 'value.txt')).toMatchObject({ start_line: 1, text: 'broken' });
  const scores = hits.body.items.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  const found = models.requests().find(({ role, turn }) => role === 'planner' && turn === 1)?.results;
  expect(found?.join()).toContain('value.txt:1-1');
});

it('completes an issue while the embedding model is unavailable, with a note, by lexical search alone', async () => {
  const repo = makeBuggyRepo();
  await using it = await beginModelIssue({
    script,
    repo,
    issue,
    provider: 'openai',
    environment: (models) => {
      models.embeds(false);
      return { EMBEDDING_MODEL };
    },
  });
  const { person, id, models } = it;
  await it.approve();
  const done = await person.reaches(id, 'completed');
  expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
  const told = (await person.events(id)).flatMap((event) =>
    event.type === 'agent.message' && event.data.agent === 'service' ? [event.data.text] : [],
  );
  expect(told.join('\n')).toContain(EMBEDDING_MODEL);
  const search = async (query: string) =>
    (await person.call<Hits>('GET', `/api/repos/${it.repoId}/search?q=${encodeURIComponent(query)}`)).body.items;
  expect((await search('broken')).map(({ path }) => path)).toContain('value.txt');
  expect(await search(wordless)).toEqual([]);
  models.embeds(true);
});
