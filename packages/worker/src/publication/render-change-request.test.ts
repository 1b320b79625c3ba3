import { hasMarker, issueMarker, remarkMarker } from '@sluice/core/code-host';
import type { IssueId } from '@sluice/core/id';
import type { Issue } from '@sluice/core/issue';
import { NEW_PIPELINE } from '@sluice/core/pipeline';
import { UNTRUSTED_HEADING } from '@sluice/core/text';
import { anIssue } from '@sluice/testing';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import {
  type ChangeRequestFacts,
  changeRequestTitle,
  renderAnswerComment,
  renderChangeRequest,
  renderFollowUpComment,
  renderPublishedComment,
  renderRemarkComment,
  renderRemarkCommentElsewhere,
} from './render-change-request.ts';
import type { RemarkReply } from './render-remark-answer.ts';

const ID = '0195a000-0000-7000-8000-000000000007' as IssueId;
const NUMBER = 7;

/** Facts in which everything that somebody else wrote is `text`. */
function factsOf(text: string, more: Partial<Issue> = {}): ChangeRequestFacts {
  const issue = anIssue({
    id: ID,
    title: text,
    body: text,
    status: 'running',
    stage: 'publish',
    origin: 'codehost',
    labels: [text],
    plan: {
      revision: 2,
      summary: text,
      steps: [{ title: text, detail: text, files: [text] }],
      acceptance_criteria: [text],
      risks: [text],
      test_strategy: text,
      guidance: text,
      created_at: '2026-11-20T09:15:00.000Z',
    },
    usage: { input_tokens: 12_345, output_tokens: 678, cost_usd: 0.5 },
    pipeline: {
      ...NEW_PIPELINE,
      implementation: {
        summary: text,
        head_commit: 'h',
        outside_plan: [{ path: text, reason: text }],
        ran: null,
        made_by: [text],
        tests: {
          command: text,
          verdict: 'red_as_before',
          exit_code: 1,
          duration_ms: 1,
          base_exit_code: 1,
          new_failures: [text],
        },
        review: { decision: 'approve', summary: text, findings: [text] },
        findings: [{ kind: 'test_deleted', path: text, line: null, detail: text }],
      },
      warnings: [text],
    },
    ...more,
  });
  return {
    issue,
    defaultBranch: 'main',
    change: {
      base_commit: 'b'.repeat(40),
      head_commit: 'c'.repeat(40),
      files: [{ path: text, additions: 1, deletions: 2 }],
    },
    sandboxed: true,
    publicUrl: new URL('https://sluice.example'),
  };
}

const HOST = 'https://host.test/acme/sum';

const replyOf = ({ issue: { title } }: ChangeRequestFacts): RemarkReply => ({
  remark: {
    id: 'line-7',
    thread: 'line-7',
    path: title,
    line: 3,
    author: title,
    url: `${HOST}/pull/9#r7`,
    text: title,
  },
  ...{ end: 'done', commit: 'c'.repeat(40), says: title },
});

const allTexts = (facts: ChangeRequestFacts) => [
  renderChangeRequest(facts),
  renderPublishedComment(facts, { number: NUMBER }),
  renderFollowUpComment(facts, null),
  renderFollowUpComment(facts, replyOf(facts)),
  renderRemarkComment(facts, replyOf(facts)),
  renderRemarkCommentElsewhere(facts, replyOf(facts)),
  renderAnswerComment(facts, facts.issue.title),
];

/** The page of the code host: its Markdown, with HTML let through, so that any that got in is seen. */
const shown = (markdown: string) =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });

/** The text of a page that the code host searches for names and numbers: all text that is not code. */
const prose = (html: string) =>
  html
    .replaceAll(/<code[^>]*>[\s\S]*?<\/code>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

const elements = (html: string) => [...new Set([...html.matchAll(/<\/?([a-z0-9]+|!--)/gi)].map((match) => match[1]))];

/** Elements that our own text is made of. */
const OURS = ['!--', 'p', 'h2', 'blockquote', 'ul', 'ol', 'li', 'code', 'a'];

const TRICKS = [
  '@maintainer',
  '@org/team',
  '\\@maintainer',
  '&#64;maintainer',
  '&commat;maintainer',
  '#1',
  'owner/repo#1',
  'GH-1',
  'closes #1',
  'Fixes https://github.com/o/r/issues/1',
  'www.evil.example',
  'http://evil.example',
  '<http://evil.example>',
  'mail@evil.example',
  '<!-- sluice:issue/other -->',
  '-->',
  '<img src=x onerror=1>',
  '</p><script>1</script>',
  '<details open>',
  '![i](http://evil.example/i.png)',
  '[l](http://evil.example)',
  '[l]: http://evil.example',
  '```',
  '````\n@maintainer\n````',
  '`',
  '``',
  '~~~',
  '# head',
  '---',
  '===',
  '- [x] done',
  '1. one',
  '| a | b |\n|---|---|\n| @maintainer | #1 |',
  '[^1]: note',
  '$$x$$',
  '    @maintainer #1',
  '> @maintainer',
  '\u202e',
  '\u200b',
  '\u2066',
  '\u{e0041}',
  '\u0000',
  '\u001b[2J',
  '\u2028',
  '\r',
  '\n\n',
  '\n',
  '\\',
  ' ',
  '*',
  '_',
  '~~',
  '&#8203;',
];

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...TRICKS), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...TRICKS), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' ')),
  fc
    .array(fc.oneof(fc.constantFrom(...TRICKS), fc.string({ unit: 'binary' })), { maxLength: 12 })
    .map((all) => all.join('')),
);

describe('the text of a pull request', () => {
  it('holds nothing of what others wrote that would call, refer, close, link or be HTML', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const markdown of allTexts(factsOf(text))) {
          const html = shown(markdown);
          expect(elements(html).filter((name) => !OURS.includes(name ?? ''))).toEqual([]);
          expect(html.match(/<!--/g)).toHaveLength(1);
          const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, to]) => to);
          const ours = new Set([`${HOST}/pull/9#r7`, `https://sluice.example/issues/${ID}`]);
          expect(links.filter((to) => !ours.has(to ?? ''))).toEqual([]);
          const said = prose(html).replaceAll(`#${NUMBER}`, '');
          expect(said).not.toMatch(/@[\p{L}\p{N}_]/u);
          expect(said).not.toMatch(/#\d/);
          expect(said).not.toMatch(/GH-\d/i);
          expect(said).not.toMatch(/:\/\//);
          expect(said).not.toMatch(/www\./i);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('begins with its own marker and no other, whatever others wrote', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const markdown of allTexts(factsOf(text))) {
          const marker = markdown.includes(' remark/') ? remarkMarker(ID, 'line-7') : issueMarker(ID);
          expect(markdown.startsWith(`${marker}\n`)).toBe(true);
          expect(hasMarker(markdown)).toBe(true);
          expect(markdown.split('<!--')).toHaveLength(2);
        }
        expect(hasMarker(changeRequestTitle({ title: `x${text}` }))).toBe(false);
      }),
    );
  });

  it('holds no character that is not seen', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        for (const markdown of [...allTexts(factsOf(text)), changeRequestTitle({ title: text })]) {
          expect(markdown).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029]|[^\P{Cc}\n]/u);
        }
      }),
    );
  });

  it('is shorter than the limit of the host, whatever the length of its parts', () => {
    const long = fc
      .tuple(hostile, fc.integer({ min: 1, max: 1_000 }))
      .map(([text, times]) => `${text}!`.repeat(times).slice(0, 5_000));
    fc.assert(
      fc.property(long, fc.integer({ min: 1, max: 500 }), (text, many) => {
        const facts = factsOf(text);
        const plan = facts.issue.plan;
        const step = plan?.steps[0];
        if (plan === null || step === undefined) throw new Error('no plan');
        const whole: ChangeRequestFacts = {
          ...facts,
          issue: {
            ...facts.issue,
            plan: {
              ...plan,
              steps: Array.from({ length: many }, () => step),
              risks: Array.from({ length: many }, () => text),
            },
          },
          change: {
            ...facts.change,
            files: Array.from({ length: many }, () => ({ path: text, additions: 1, deletions: 0 })),
          },
        };
        for (const markdown of allTexts(whole)) {
          expect(markdown.length).toBeLessThan(65_536);
          expect(markdown).toContain(`https://sluice.example/issues/${ID}`);
        }
        expect(changeRequestTitle({ title: text }).length).toBeLessThanOrEqual(256);
      }),
      { numRuns: 20 },
    );
  });

  it('reads as it was written, where it is ordinary prose', () => {
    const html = shown(renderChangeRequest(factsOf('Use `sum(a, b)` from <math> & co: 2 * 3 = 6_000!')));
    expect(prose(html)).toContain('Use `sum(a, b)` from <math> & co: 2 * 3 = 6_000!');
  });

  it('closes the imported issue only where it is merged into the default branch', () => {
    const imported = { codehostNumber: 12 };
    expect(renderChangeRequest(factsOf('t', imported))).toMatch(/^Closes #12$/m);
    const elsewhere = renderChangeRequest(factsOf('t', { ...imported, baseBranch: 'release' }));
    expect(elsewhere).toMatch(/^For #12$/m);
    expect(elsewhere).not.toContain('Closes');
    expect(renderChangeRequest(factsOf('t'))).not.toMatch(/#\d|Closes/);
  });

  it('quotes what was asked for, and nothing of what people added who may not write to the repository', () => {
    const body = `The sum is wrong.\n\n${UNTRUSTED_HEADING}\n\n@eve wrote on 2026-11-20:\n\n> Buy at my shop.`;
    const text = renderChangeRequest(factsOf('t', { body }));
    expect(text).toContain('> The sum is wrong\\.');
    expect(text).not.toMatch(/shop|eve/);
  });

  it('shows the plan, the files, both test runs, the review, the cost, and what to check', () => {
    const facts = factsOf('some words');
    const text = renderChangeRequest({
      ...facts,
      sandboxed: false,
      change: { ...facts.change, files: [{ path: '.github/workflows/ci.yml', additions: 3, deletions: 1 }] },
    });
    for (const words of [
      'Approved plan (revision 2)',
      '1 file, +3 −1:',
      '- `.github/workflows/ci.yml` +3 −1',
      'Outside the plan:',
      'The tests fail as they did before the change. There are no new failures.',
      '- at the base (bbbbbbbbbbbb): exit code 1',
      '- at the head (cccccccccccc): exit code 1',
      'The reviewer approved the change:',
      '12,345 input tokens and 678 output tokens, for 0.50 USD.',
      'Commands ran without a sandbox\\.',
      'it runs with the secrets of the repository\\.',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('says which findings a person has approved, and which need no approval', () => {
    const facts = factsOf('words');
    const { implementation } = facts.issue.pipeline;
    if (implementation === null) throw new Error('no implementation');
    const findings = [
      { kind: 'scratch_file', path: 'try.js', line: null, detail: 'A leftover.' },
      { kind: 'test_deleted', path: 'sum.test.js', line: null, detail: 'A test is gone.' },
    ] as const;
    const pipeline = { ...facts.issue.pipeline, implementation: { ...implementation, findings: [...findings] } };
    const lines = renderChangeRequest({ ...facts, issue: { ...facts.issue, pipeline } }).split('\n');
    const at = (words: string) => lines.findIndex((line) => line.includes(words));
    const approved = at('A person approved the publication with these findings');
    expect(approved).toBeGreaterThan(at('## Review carefully'));
    expect(at('A test is gone')).toBeGreaterThan(approved);
    expect(at('A leftover')).toBeLessThan(approved);
    expect(at('A leftover')).toBeGreaterThan(0);
  });

  it('does not say that the tests pass where the output of a successful command tells of failures', () => {
    const facts = factsOf('words');
    const { implementation } = facts.issue.pipeline;
    if (implementation?.tests == null) throw new Error('no tests');
    const tests = {
      ...implementation.tests,
      verdict: 'green' as const,
      exit_code: 0,
      base_exit_code: 0,
      new_failures: [],
      counts: { passed: 3, failed: 2, skipped: 0 },
      base_counts: { passed: 5, failed: 0, skipped: 0 },
    };
    const pipeline = { ...facts.issue.pipeline, implementation: { ...implementation, tests } };
    const text = renderChangeRequest({ ...facts, issue: { ...facts.issue, pipeline } });
    expect(text).toContain('ended with exit code 0, but its output tells of 2 failed tests.');
    expect(text).not.toContain('The tests pass.');
  });
});

describe('the title of a pull request', () => {
  it('is the issue’s, with a space where it would call somebody or refer to something', () => {
    const title = (text: string) => changeRequestTitle({ title: text });
    expect(title('Fix the sum')).toBe('Fix the sum');
    expect(title('Thank @maintainer for #12, GH-3\nand\u202e a@b.example')).toBe(
      'Thank @ maintainer for # 12, GH- 3 and[U+202E] a@b.example',
    );
  });
});
