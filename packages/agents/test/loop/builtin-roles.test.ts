import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { AgentInput, AgentRole, JournalEntry } from '@sluice/core/agent';
import { type Finding, findingSchema, needsApproval } from '@sluice/core/change';
import { AppError } from '@sluice/core/error';
import { eventCatalog } from '@sluice/core/issue';
import { MODEL_NEEDED, planDraftSchema, plannedFiles } from '@sluice/core/pipeline';
import { createWorkspaceFiles } from '@sluice/workspace';
import { describe, expect, it } from 'vitest';
import { builtinChoice } from '../../src/builtin/builtin-choice.ts';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { aDiff, anIssue, aPlan, type MemoryOptions, memoryContext } from './memory-context.ts';

const runner = createAgentRunner({ models: () => [builtinChoice()], clock: { now: () => new Date() } });

interface RunOptions extends MemoryOptions {
  /** Called with the files before each append, the last one included that fails. */
  onEffect?(files: Record<string, string>): void;
}

async function run<Role extends AgentRole>(role: Role, input: AgentInput[Role], options: RunOptions = {}) {
  const memory = memoryContext({
    ...options,
    onAppend(written) {
      options.onEffect?.(memory.files.snapshot());
      options.onAppend?.(written);
    },
  });
  const { output, usage, madeBy } = await runner.run(role, input, memory.context);
  for (const event of memory.events) eventCatalog[event.type].parse(event.data);
  expect(usage).toEqual({ input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  expect(madeBy).toEqual(['built-in (no model)']);
  return { output, ...memory };
}

async function plan(
  text: { title?: string; body?: string },
  options: MemoryOptions & { guidance?: string; last?: string; moved?: readonly string[] } = {},
) {
  const { issue, repo } = anIssue(text);
  const lastPlan = options.last === undefined ? null : aPlan(planDraftSchema.parse(JSON.parse(options.last)));
  const input = {
    issue,
    repo,
    triage: null,
    lastPlan,
    guidance: options.guidance ?? null,
    baseMoved: options.moved ?? null,
  };
  return await run('planner', input, options);
}

/** Plans and carries out, as the pipeline does. The plan is blocked exactly when carrying it out fails. */
async function implement(text: { title?: string; body?: string }, files: Record<string, string>) {
  const { output: draft, context } = await plan(text, { files });
  const { issue, repo } = anIssue(text);
  const blocker = await runner.planBlocker(draft, context.workspace);
  const coded = await run('coder', { issue, repo, plan: aPlan(draft), round: 1, feedback: null }, { files });
  expect(coded.output.outcome).toBe(blocker === null ? 'done' : 'blocked');
  return { draft, blocker, ...coded };
}

const SUM = 'export function sum(a, b) {\n  return a - b;\n}\n';
const FIXED = SUM.replace('-', '+');
const FIX =
  '```diff\n--- a/src/sum.js\n+++ b/src/sum.js\n@@ -1,3 +1,3 @@\n export function sum(a, b) {\n-  return a - b;\n+  return a + b;\n }\n```\n';

describe('the built-in model as coder', () => {
  it('carries out every form, in order, through the tools', async () => {
    const body = [
      FIX,
      '```md file=docs/sum.md\n# Sum\n```',
      'in `docs/sum.md` replace `Sum` with `The sum`',
      '```diff\ndiff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n--- a/old.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-x\n+y\n```',
      '```diff\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n```',
    ].join('\n\n');
    const { output, files, events } = await implement(
      { title: 'in `a.txt` replace all `b` with `c`', body },
      { 'a.txt': 'b b\n', 'src/sum.js': SUM, 'old.txt': 'x\n', 'gone.txt': 'bye\n' },
    );
    expect(output.outcome).toBe('done');
    expect(files.snapshot()).toEqual({
      'a.txt': 'c c\n',
      'docs/sum.md': '# The sum\n',
      'new.txt': 'y\n',
      'src/sum.js': FIXED,
    });
    const tools = events.flatMap((event) => (event.type === 'agent.tool_call' ? [event.data.tool] : []));
    expect(new Set(tools)).toEqual(new Set(['read_file', 'edit_file', 'write_file', 'delete_file']));
    expect(events.filter((event) => event.type === 'agent.tool_result').every((event) => event.data.ok)).toBe(true);
  });

  it('goes on in a retry, at whichever call the attempt before it ended', async () => {
    const body = 'in `a.txt` replace `a` with `A`';
    const [files, expected] = [{ 'a.txt': 'a' }, { 'a.txt': 'A' }];
    const { output: draft } = await plan({ body }, { files });
    const { issue, repo } = anIssue({ body });
    const input = { issue, repo, plan: aPlan(draft), round: 1, feedback: null };
    const writes = (await run('coder', input, { files })).journal.length;
    for (let last = 3; last < writes - 1; last += 1) {
      const journal: JournalEntry[] = [];
      let left: Record<string, string> = files;
      const attempt = run('coder', input, {
        files,
        onAppend(written) {
          if (journal.length >= last) throw new AppError('stage_timeout');
          journal.push(...written.entries);
        },
        onEffect: (now) => {
          left = now;
        },
      });
      await expect(attempt).rejects.toMatchObject({ code: 'stage_timeout' });
      const retry = await run('coder', input, { files: left, earlier: [journal], lastAttempt: 'It took too long.' });
      expect([retry.output.outcome, retry.files.snapshot()]).toEqual(['done', expected]);
    }
  });

  it('leaves the same files in a real folder as in memory', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sluice-coder-'));
    try {
      await mkdir(join(root, 'tree', 'src'), { recursive: true });
      await writeFile(join(root, 'tree', 'src', 'sum.js'), SUM);
      await writeFile(join(root, 'tree', 'gone.txt'), 'bye\n');
      const list = async () => {
        const found = await readdir(join(root, 'tree'), { recursive: true, withFileTypes: true });
        return found
          .filter((entry) => entry.isFile())
          .map((e) => relative(join(root, 'tree'), join(e.parentPath, e.name)));
      };
      const realFiles = createWorkspaceFiles({
        root: join(root, 'tree'),
        unfinished: join(root, 'made'),
        uid: null,
        list,
        ignoredFolders: async () => [],
        ignored: async () => [],
        storedInLfs: async () => [],
      });
      const create = '--- /dev/null\n+++ b/docs/deep/new.md\n@@ -0,0 +1 @@\n+# New\n';
      const remove = '--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n';
      const body = `${FIX}\n\`\`\`diff\n${create}${remove}\`\`\``;
      const { output: draft } = await plan({ body }, { realFiles });
      expect(draft.risks.join()).not.toContain('failed');
      const { issue, repo } = anIssue({ body });
      const input = { issue, repo, plan: aPlan(draft), round: 1, feedback: null };
      expect((await run('coder', input, { realFiles })).output.outcome).toBe('done');
      expect((await list()).sort()).toEqual(['docs/deep/new.md', 'src/sum.js']);
      expect(await readFile(join(root, 'tree', 'src', 'sum.js'), 'utf8')).toBe(FIXED);
      // Now the file exists, so the same plan is blocked.
      expect((await run('coder', input, { realFiles })).output).toMatchObject({ outcome: 'blocked' });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('keeps CRLF and a missing newline at the end of a file', async () => {
    const { files } = await implement({ body: FIX }, { 'src/sum.js': SUM.replaceAll('\n', '\r\n') });
    expect(files.snapshot()['src/sum.js']).toBe(FIXED.replaceAll('\n', '\r\n'));
    const bare = await implement({ body: FIX }, { 'src/sum.js': SUM.trimEnd() });
    expect(bare.files.snapshot()['src/sum.js']).toBe(FIXED.trimEnd());
  });

  it('applies each hunk at its own place, also where lines repeat', async () => {
    const block = 'if (x) {\n  y();\n}\n';
    const body =
      '```diff\n--- a/a.js\n+++ b/a.js\n@@ -4,3 +4,3 @@\n if (x) {\n-  y();\n+  z();\n }\n@@ -10,3 +10,4 @@\n if (x) {\n   y();\n+  w();\n }\n```';
    const { files } = await implement({ body }, { 'a.js': block.repeat(5) });
    const [second, fourth] = [block.replace('y', 'z'), block.replace('}', '  w();\n}')];
    expect(files.snapshot()['a.js']).toBe([block, second, block, fourth, block].join(''));
  });

  it('reads a file of many pages to its end', async () => {
    const long = Array.from({ length: 6_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(20)}\n`).join('');
    const { output, files } = await implement(
      { body: 'in `long.txt` replace `line 5999 ` with `last but one `' },
      { 'long.txt': long },
    );
    expect(output.outcome).toBe('done');
    expect(files.snapshot()['long.txt']).toBe(long.replace('line 5999 ', 'last but one '));
  });

  it('moves a file of many pages as it is', async () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(20)}\n`).join('');
    const { output, files } = await implement({ body: 'Rename `a.txt` to `b.txt`' }, { 'a.txt': long });
    expect(output.outcome).toBe('done');
    expect(files.snapshot()).toMatchObject({ 'b.txt': long });
    expect(files.snapshot()).not.toHaveProperty('a.txt');
  });

  it('carries edits that hold our own tags through to the letter', async () => {
    const content = '<issue>\n</issue>\n<\\issue>\n<step_detail>\n</plan>\n';
    const { files } = await implement({ body: `\`\`\`html file=a.html\n${content}\`\`\`` }, {});
    expect(files.snapshot()['a.html']).toBe(content);
  });

  it.each([
    ['the text is not there', 'in `a.txt` replace `nowhere` with `x`', /Replace text in a\.txt.*not in a\.txt/],
    ['the text is there twice', 'in `a.txt` replace `b` with `x`', /2 times/],
    ['a hunk does not fit', FIX.replace('a - b', 'a * b'), /hunk 1 of 1 .*does not fit src\/sum\.js/],
    ['the file is absent', 'in `none.txt` replace `b` with `x`', /none\.txt/],
    ['the new file exists', '```diff\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n```', /a\.txt exists already/],
    [
      'more would be deleted',
      '```diff\n--- a/src/sum.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-export function sum(a, b) {\n```',
      /holds more/,
    ],
  ])('is blocked and the plan warns when %s', async (_name, body, reason) => {
    const { output, draft, files } = await implement({ body }, { 'a.txt': 'b b\n', 'src/sum.js': SUM });
    expect(output.outcome).toBe('blocked');
    expect(output.summary).toMatch(reason);
    expect(draft.risks[0]).toContain('If you approve this plan as it stands, the issue will fail.');
    expect(files.changes).toEqual([]);
  });

  it('changes nothing at all when one form is refused', async () => {
    const { output, draft, blocker, files } = await implement(
      { body: `${FIX}\n\`\`\`file=../x\ny\n\`\`\`` },
      { 'src/sum.js': SUM },
    );
    expect(output).toMatchObject({
      outcome: 'blocked',
      summary: expect.stringContaining('leads out of the repository'),
    });
    expect(draft.risks[0]).toContain('leads out of the repository');
    expect(blocker).toMatch(/^1 of its 2 edits does not apply /);
    expect(files.changes).toEqual([]);
  });

  it('says with the plan that writing code needs a model, and is blocked with the same sentence', async () => {
    const { output, draft, blocker } = await implement({ title: 'Make it faster' }, { 'src/sum.js': SUM });
    expect(draft.risks).toContain(MODEL_NEEDED);
    expect(blocker).toBe(MODEL_NEEDED);
    expect(output).toEqual({ outcome: 'blocked', summary: MODEL_NEEDED, ran: [], outsidePlan: [] });
  });

  it('carries out edits that are said in other words, and shows them in the plan in the exact form', async () => {
    const body =
      'Please replace `x` by `y` in `old.txt`.\nRename `old.txt` to `new.txt`\n- Delete `gone.txt`\n\nCreate `docs/a.md` with:\n```md\n# A\n```';
    const { draft, files } = await implement({ body }, { 'old.txt': 'x\n', 'gone.txt': 'bye\n' });
    expect(draft.steps[0]?.detail).toBe('in `old.txt` replace `x` with `y`');
    expect(files.snapshot()).toEqual({ 'docs/a.md': '# A\n', 'new.txt': 'y\n' });
  });

  it('does not take an excerpt for the whole of a file that is there', async () => {
    const body = `in \`src/sum.js\` replace \`a - b\` with \`a + b\`\n\nIt is here:\n\n**src/sum.js**\n\`\`\`js\n  return a - b;\n\`\`\``;
    const { draft, files } = await implement({ body }, { 'src/sum.js': SUM });
    expect(files.snapshot()).toEqual({ 'src/sum.js': FIXED });
    expect(draft.risks.join()).toMatch(
      /A block beside src\/sum\.js was left out.*begin the block with ```file=src\/sum\.js/,
    );
  });

  it('says which line nearly is an edit, and what to write, in the plan and at its gate', async () => {
    const body = 'It is wrong.\n\nIn `src/sum.js` replace - with +';
    const sentence =
      'Line 3 below the title looks like a replacement: write on one line “in `src/sum.js` replace `-` with `+`”.';
    const { draft, blocker } = await implement({ title: 'Make it right', body }, { 'src/sum.js': SUM });
    expect(draft.summary).toContain(sentence);
    expect(blocker).toBe(`${sentence} ${MODEL_NEEDED}`);
    const guidance = 'in `src/sum.js` replace `a - b` with `a + b`';
    const again = await plan({ body }, { guidance, last: JSON.stringify(draft), files: { 'src/sum.js': SUM } });
    expect(again.output.steps).toMatchObject([{ detail: guidance, files: ['src/sum.js'] }]);
  });

  it('blocks no plan of a coder that is a model', async () => {
    const { output: draft, context } = await plan({ title: 'Make it faster' });
    const { planBlocker: _, ...model } = builtinChoice();
    const other = createAgentRunner({ models: () => [model], clock: { now: () => new Date() } });
    expect(await other.planBlocker(draft, context.workspace)).toBeNull();
  });

  it('cannot repair what failing tests send back, and says so', async () => {
    const { output: draft } = await plan({ body: FIX }, { files: { 'src/sum.js': SUM } });
    const { issue, repo } = anIssue({ body: FIX });
    const input = { issue, repo, plan: aPlan(draft), round: 2, feedback: 'not ok 1 - adds' };
    const { output } = await run('coder', input, { files: { 'src/sum.js': FIXED } });
    expect(output.outcome).toBe('blocked');
    expect(output.summary).toMatch(/cannot repair[\s\S]*not ok 1 - adds/);
  });

  it('does what the plan says, not what the issue or its guidance says elsewhere', async () => {
    const { output: draft } = await plan({ body: FIX }, { files: { 'src/sum.js': SUM } });
    const { issue, repo } = anIssue({ body: '```file=other.txt\nx\n```' });
    const { files } = await run(
      'coder',
      { issue, repo, plan: aPlan(draft, '```file=b.txt\n```'), round: 1, feedback: null },
      { files: { 'src/sum.js': SUM } },
    );
    expect(files.snapshot()).toEqual({ 'src/sum.js': FIXED });
  });
});

describe('the built-in model as planner', () => {
  it('shows each operation itself, not a summary of it', async () => {
    const { output } = await plan(
      { body: `${FIX}\nin \`a\` replace \`b\` with \`c\`` },
      { files: { 'src/sum.js': SUM, a: 'b' } },
    );
    expect(output.steps.map((step) => step.title)).toEqual(['Change src/sum.js (1 hunk)', 'Replace text in a']);
    expect(output.steps[0]?.detail).toContain('-  return a - b;\n+  return a + b;\n');
    expect(output.steps[1]?.detail).toBe('in `a` replace `b` with `c`');
    expect(plannedFiles(output)).toEqual(['src/sum.js', 'a']);
    expect(output.risks.join()).not.toContain('failed');
  });

  it('warns that a rename keeps the content only', async () => {
    const body = '```diff\ndiff --git a/a.sh b/b.sh\nrename from a.sh\nrename to b.sh\n```';
    const { output } = await plan({ body }, { files: { 'a.sh': 'x\n' } });
    expect(output.risks.join()).toContain('loses its executable bit');
  });

  it('reads only', async () => {
    const { events, files } = await plan({ body: FIX }, { files: { 'src/sum.js': SUM } });
    const tools = events.flatMap((event) => (event.type === 'agent.tool_call' ? [event.data.tool] : []));
    expect(tools).toEqual(['read_file']);
    expect(files.changes).toEqual([]);
  });

  it('ranks the places that the code search found when no edit is spelled out', async () => {
    const hit = {
      path: 'src/sum.js',
      startLine: 1,
      endLine: 3,
      symbol: 'sum',
      text: '```diff\n--- a/x\n</context>',
      score: 1,
    };
    const { output, queries } = await plan({ title: 'Sums come out wrong' }, { hits: [hit, { ...hit, path: 'b.js' }] });
    expect(queries[0]).toContain('Sums come out wrong');
    expect(output.steps.map((step) => step.title)).toEqual([
      'Look at src/sum.js, lines 1-3',
      'Look at b.js, lines 1-3',
    ]);
    expect(output.steps[0]?.detail).toContain('> ```diff\n> --- a/x\n> </context>');
  });

  it('adds what the guidance spells out to the operations of the last plan, and says so', async () => {
    const files = { 'src/sum.js': SUM, a: 'b' };
    const first = await plan({ body: FIX }, { files });
    const { output } = await plan(
      { body: FIX },
      { files, last: JSON.stringify(first.output), guidance: 'also:\n\nin `a` replace `b` with `c`' },
    );
    expect(output.steps.map((step) => step.title)).toEqual(['Change src/sum.js (1 hunk)', 'Replace text in a']);
    expect(output.summary).toContain('By the guidance, added: Replace text in a.');
    const third = await plan({ body: FIX }, { files, last: JSON.stringify(output), guidance: 'why?' });
    expect(third.output.steps).toEqual(output.steps);
    expect(third.output.summary).toContain('the operations are unchanged');
  });

  it('says that it tried the last plan again when the base has moved', async () => {
    const files = { 'src/sum.js': SUM };
    const { output: first } = await plan({ body: FIX }, { files });
    const { output } = await plan({ body: FIX }, { files, last: JSON.stringify(first), moved: ['src/sum.js'] });
    expect(output.steps).toEqual(first.steps);
    expect(output.summary).toContain('has moved in src/sum.js.');
  });

  it('drops an operation that did not apply when the guidance corrects it', async () => {
    const files = { 'src/sum.js': SUM };
    const body = FIX.replace('a - b', 'a * b');
    const first = await plan({ body }, { files });
    const { output } = await plan({ body }, { files, last: JSON.stringify(first.output), guidance: FIX });
    expect(output.steps).toHaveLength(1);
    expect(output.summary).toContain('Dropped');
    expect(output.risks.join()).not.toContain('failed');
  });
});

describe('the built-in model as triager', () => {
  it.each([
    ['Sum returns the wrong value, see README', 'bug', 'medium'],
    ['Add a multiply function', 'feature', 'medium'],
    ['Typo in the README', 'docs', 'medium'],
    ['Rename sum to add', 'refactoring', 'medium'],
    ['Delete the login token', 'chore', 'high'],
  ])('takes "%s" for %s, risk %s', async (title, kind, risk) => {
    const { issue, repo } = anIssue({ title });
    const { output } = await run('triager', { issue, repo });
    expect(output).toMatchObject({ kind, risk });
    expect(output.open_questions).toHaveLength(1);
  });

  it('takes the acceptance criteria from the issue, and the risk from its edits', async () => {
    const { issue, repo } = anIssue({
      body: `${FIX}\n## Acceptance criteria\n\n- [ ] sum(1, 2) is 3\n- all tests pass\n`,
    });
    const { output } = await run('triager', { issue, repo });
    expect(output).toMatchObject({
      acceptance_criteria: ['sum(1, 2) is 3', 'all tests pass'],
      risk: 'low',
      open_questions: [],
    });
  });
});

describe('the built-in model as reviewer', () => {
  const git = (path: string, added: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,2 @@\n x\n+${added}\n`;

  async function review(diff: string, paths: string[], findings: readonly Finding[] = []) {
    const { output: draft } = await plan({ body: FIX }, { files: { 'src/sum.js': SUM } });
    const { issue } = anIssue({ body: FIX });
    return (
      await run('reviewer', {
        issue,
        plan: aPlan(draft),
        diff: aDiff(diff, paths),
        tests: null,
        outsidePlan: [],
        findings,
      })
    ).output;
  }

  it('approves what stays within the plan, and says that it only looked', async () => {
    const output = await review(git('src/sum.js', '  return a + b;'), ['src/sum.js']);
    expect(output).toMatchObject({ decision: 'approve', findings: [] });
    expect(output.summary).toContain('mechanically (built-in, no model)');
  });

  const found = (kind: Finding['kind']): Finding => ({ kind, path: 'src/sum.js', line: null, detail: 'See the diff.' });

  it.each(findingSchema.shape.kind.options)(
    'asks for changes because of a finding of the kind %s only where no person decides about it',
    async (kind) => {
      const output = await review(git('src/sum.js', '  return a + b;'), ['src/sum.js'], [found(kind)]);
      expect(output).toMatchObject(
        needsApproval(found(kind))
          ? { decision: 'approve', findings: [] }
          : { decision: 'request_changes', findings: ['`src/sum.js`: See the diff.'] },
      );
    },
  );

  it('asks for changes because of what only a reviewer judges, also beside what a person decides', async () => {
    const output = await review(git('b.js', 'x'), ['src/sum.js', 'b.js'], [found('not_compared')]);
    expect(output.decision).toBe('request_changes');
    expect(output.findings).toContainEqual(expect.stringContaining('b.js is changed, but'));
    expect(output.findings.join('\n')).not.toContain('See the diff.');
  });

  it.each([
    [
      'a file outside the plan',
      git('src/sum.js', 'x') + git('b.js', 'x'),
      ['src/sum.js', 'b.js'],
      'b.js is changed, but',
    ],
    ['a planned file that is not changed', '', [], 'src/sum.js is in the plan, but'],
    ['a conflict marker', git('src/sum.js', '<<<<<<< HEAD'), ['src/sum.js'], 'src/sum.js:2 is a conflict marker.'],
    [
      'a key',
      git('src/sum.js', `key = "AKIA${'A'.repeat(16)}"`),
      ['src/sum.js'],
      'src/sum.js:2 looks like an AWS access key.',
    ],
  ])('asks for changes because of %s', async (...[, diff, paths, finding]) => {
    const output = await review(diff, paths);
    expect(output.decision).toBe('request_changes');
    expect(output.findings.join('\n')).toContain(finding);
    expect(JSON.stringify(output)).not.toContain('AKIAAAAA');
  });
});
