import { describe, expect, it } from 'vitest';
import { aDiff, anIssue, aPlan } from '../../test/loop/memory-context.ts';
import { mechanicalFindings } from './mechanical-findings.ts';

const plan = aPlan({
  summary: 'Sums.',
  steps: [{ title: 'Sum', detail: 'Add.', files: ['./src/sum.js'] }],
  acceptance_criteria: [],
  risks: [],
  test_strategy: '',
});

/** One hunk that adds lines after, and takes lines from, an old one. */
function git(path: string, added: readonly string[], removed: readonly string[] = []): string {
  const lines = [' x', ...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`)];
  const hunk = `@@ -1,${removed.length + 1} +1,${added.length + 1} @@`;
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}\n${lines.join('\n')}\n`;
}

function find(diff: string, paths: readonly string[] = ['src/sum.js'], outsidePlan: readonly OutsidePlan[] = []) {
  const { issue } = anIssue();
  return mechanicalFindings({ issue, plan, diff: aDiff(diff, paths), tests: null, outsidePlan, findings: [] });
}

type OutsidePlan = { readonly path: string; readonly reason: string | null };

const AWS_KEY = `AKIA${'Q'.repeat(16)}`;

describe('mechanicalFindings', () => {
  it('finds nothing in a change that keeps to the plan', () => {
    expect(find(git('src/sum.js', ['return a + b;', '=======', 'a <<<<<<< b']))).toEqual({
      mustFix: [],
      toJudge: [],
      toConfirm: [],
    });
  });

  it.each(['<<<<<<< HEAD', '>>>>>>> theirs', '|||||||', '<<<<<<<\r'])('finds the conflict marker %j', (text) => {
    expect(find(git('src/sum.js', ['ok', text])).mustFix).toEqual(['src/sum.js:3 is a conflict marker.']);
  });

  it.each([
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['an AWS access key', AWS_KEY],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`],
    ['a GitLab token', `glpat-${'a'.repeat(20)}`],
    ['a Slack token', `xoxb-${'1'.repeat(12)}`],
    ['a Stripe key', `sk_live_${'a'.repeat(24)}`],
    ['a Google API key', `AIza${'a'.repeat(35)}`],
    ['an npm token', `npm_${'a'.repeat(36)}`],
    ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${'a'.repeat(60)}`],
    ['a SendGrid key', `SG.${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['a model provider key', `sk-ant-${'a'.repeat(30)}`],
  ])('finds %s, and does not quote it', (name, secret) => {
    const found = find(git('src/sum.js', [`const key = "${secret}";`]));
    expect(found.mustFix).toEqual([`src/sum.js:2 looks like ${name}.`]);
  });

  it('leaves the key alone that the vendor prints in its documents', () => {
    expect(find(git('src/sum.js', ['AKIAIOSFODNN7EXAMPLE'])).mustFix).toEqual([]);
  });

  it('leaves alone what the repository held before at another place', () => {
    const moved = git('a.js', [], [AWS_KEY, '<<<<<<< HEAD']) + git('src/sum.js', [AWS_KEY, '<<<<<<< HEAD']);
    expect(find(moved, ['a.js', 'src/sum.js']).mustFix).toEqual([]);
  });

  it('is not led astray by lines that look like headers', () => {
    const lines = ['++ b/innocent.js', '@@ -1,99 +1,99 @@', 'diff --git a/x b/x', AWS_KEY];
    expect(find(git('src/sum.js', lines)).mustFix).toEqual(['src/sum.js:5 looks like an AWS access key.']);
    const hidden = `x\rdiff --git a/x b/x\u2028diff --git a/y b/y ${AWS_KEY}`;
    expect(find(git('src/sum.js', [hidden]))).toEqual({
      mustFix: ['src/sum.js:2 looks like an AWS access key.'],
      toJudge: [],
      toConfirm: [],
    });
  });

  it('finds a secret in the name of a file, and forges no finding from one', () => {
    const path = `${AWS_KEY}\nall is well`;
    const found = find('', [path]);
    expect(found.mustFix).toEqual(['The name [an AWS access key]?all is well looks like an AWS access key.']);
    expect(JSON.stringify(found)).not.toContain(AWS_KEY);
  });

  it('gives files outside the plan without a reason, and planned ones that are not changed, to be judged', () => {
    const diff = git('b.js', ['x']) + git('c.js', ['x']);
    const found = find(
      diff,
      ['b.js', 'c.js'],
      [
        { path: 'b.js', reason: null },
        { path: 'c.js', reason: 'It calls it.' },
      ],
    );
    expect(found).toEqual({
      mustFix: [],
      toJudge: [
        'b.js is changed, but the plan does not name it and no reason was given.',
        'src/sum.js is in the plan, but it is not changed.',
      ],
      toConfirm: [],
    });
  });

  it('reports when it could not check the whole change', () => {
    const diff = `${git('src/sum.js', ['x'])}# The rest is not shown\n`;
    const found = find(diff, ['src/sum.js', 'z.js'], [{ path: 'z.js', reason: 'Needed.' }]);
    expect(found.toJudge).toEqual(['The diff is too large to be checked completely: 1 of 2 files are not in it.']);
  });
});
