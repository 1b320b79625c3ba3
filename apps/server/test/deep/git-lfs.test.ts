import { expect, it } from 'vitest';
import { byRole, call, finish } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { makeScratchRepo } from '../scratch-repo.ts';

// Usual way: packages/worker/test/lfs-content.test.ts

const pointerTo = (digit: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12\n`;
const reason = 'The rates belong to the value.';
const RAW = 'from,to\nEUR,USD\n';

const makeLfsRepo = () => {
  const repo = makeScratchRepo({
    'value.txt': 'broken\n',
    Makefile: 'test:\n\tsh ./check.sh\n',
    'check.sh':
      "grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }\necho 'ok 1 - value is fixed'\n",
    '.gitattributes': '*.csv filter=lfs diff=lfs merge=lfs -text\n',
    'rates.csv': pointerTo('a'),
  });
  repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
  repo.git('commit', '-q', '-m', 'submodule');
  return repo;
};

it('publishes pointers alone where Git LFS stores files, and asks a person before it publishes new ones', async () => {
  const repo = makeLfsRepo();
  const write = (path: string, content: string) => call('write_file', { path, content, outside_plan_reason: reason });
  const script = byRole({
    coder: ({ turn, texts }) => {
      const isBack = texts.some((text) => text.includes('<last_attempt>'));
      if (turn > 0) return finish(isBack ? 'It is fixed, with a pointer.' : 'It is fixed, with raw rates.');
      if (isBack) return { calls: [write('new.csv', pointerTo('b'))] };
      return {
        calls: [
          call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' }),
          write('.gitattributes', '# none\n'),
          write('new.csv', RAW),
          // No tool stands between a command and the tree.
          call('run_command', { command: "printf 'from,to\\n' > new.csv" }),
        ],
      };
    },
  });
  const issue = { title: 'The value is broken', body: 'The check says so, and the rates are old.' };
  await using it = await beginModelIssue({ script, repo, issue });
  const { person, id, models } = it;
  await it.approve();
  const asked = await person.events(
    id,
    (event) => event.type === 'issue.status' && event.data.from === 'running' && event.data.stage === 'publish',
  );

  const told = asked.flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
  expect(told).toContain('1 file is stored in Git LFS, and is a pointer here: `rates.csv`.');
  expect(told).toContain('1 submodule is not fetched, and is an empty folder here: `vendor/lib`.');
  expect(told).toContainEqual(expect.stringMatching(/^Git LFS stores these files .* something else: `new\.csv`\./));
  const coder = models.requests().filter(({ role }) => role === 'coder');
  expect(coder[0]?.texts.join('\n')).toContain('Pointers of Git LFS, without the content: rates.csv');
  expect(coder[1]?.results[2]).toContain('Git LFS stores this file');
  expect(coder[2]?.texts.join('\n')).toMatch(/<last_attempt>\nGit LFS stores these files .*new\.csv/);

  const { status, error, gate } = await person.issue(id);
  expect({ status, error }).toEqual({ status: 'awaiting_approval', error: null });
  expect(gate?.reasons.slice(0, 3)).toEqual([
    '`.gitattributes`: The file decides what Git LFS stores, and it is changed: see the diff.',
    '`rates.csv`: The file leaves Git LFS with this change: checkouts get the text of its pointer.',
    expect.stringMatching(
      /^`new\.csv`: The file is a pointer of Git LFS to an object that no pointer at the base names\./,
    ),
  ]);
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', head_commit: gate?.head_commit });
  const done = await person.reaches(id, 'completed');
  expect(repo.git('show', `${done.result?.branch}:new.csv`)).toBe(pointerTo('b').trim());
});
