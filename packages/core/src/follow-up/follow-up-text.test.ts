import { describe, expect, it } from 'vitest';
import type { HostedComment } from '../code-host/code-host.ts';
import { UNTRUSTED_HEADING } from '../text/untrusted-part.ts';
import { followUpText } from './follow-up-text.ts';

const change = { number: 12, headBranch: 'sluice/0badcafe-sum' };
const url = 'https://host.test/acme/sum/pull/12#issuecomment-5';

function aComment(body: string, overrides: Partial<HostedComment> = {}): HostedComment {
  const createdAt = new Date('2026-11-20T09:15:00.000Z');
  const by = { author: 'ada', byWriter: true, byBot: false };
  const comment = {
    ...by,
    id: 'issue-5',
    body,
    url,
    createdAt,
    place: null,
    reviewId: null,
    reviewState: null,
    inReplyTo: null,
  };
  return { ...comment, ...overrides };
}

const textOf = (...comments: [HostedComment, ...HostedComment[]]) => followUpText({ comments }, change);
const titleOf = (body: string) => textOf(aComment(body)).title;

describe('the text of a follow-up', () => {
  it('says whose comment it is, where it stands, and what it says to the letter', () => {
    const said = 'Rename it.\r\n\r\n```ts file=src/sum.ts\nexport {};\n```';
    const place = { path: 'src/sum.ts', line: 14, quote: null };
    expect(textOf(aComment(said, { place })).body).toBe(
      [
        'A comment on pull request #12 requests more work. It continues on the branch `sluice/0badcafe-sum`.',
        `By @ada on \`src/sum.ts:14\`: ${url}`,
        '---',
        said.replaceAll('\r\n', '\n'),
      ].join('\n\n'),
    );
  });

  it('quotes the lines that a comment is about, so that it can be understood when they have moved', () => {
    const quote = `+ 1\n+ 2\n+ 3\n+ 4\n   context\n-\told ${'x'.repeat(300)}\r\n+\u2028new`;
    const { title, body } = textOf(aComment('Rename it.', { place: { path: 'src/sum.ts', line: 14, quote } }));
    expect(title).toBe('Rename it.');
    expect(body.split('---\n\n')[1]).toBe(
      `>     + 2\n>     + 3\n>     + 4\n>      context\n>     - old ${'x'.repeat(193)}…\n>     + new\n\nRename it.`,
    );
  });

  it('of a review says all that it says, its own words first and then each comment with its place', () => {
    const at = (line: number | null) => `https://host.test/acme/sum/pull/12#discussion_r${line}`;
    const aLine = (body: string, line: number | null) =>
      aComment(body, { url: at(line), place: { path: 'src/sum.ts', line, quote: `+line ${line}` } });
    const { title, body } = textOf(aComment('Nearly.', { url }), aLine('Rename it.', 3), aLine('And test it.', null));
    expect(title).toBe('Nearly.');
    expect(body).toBe(
      [
        'A review of pull request #12 requests more work. It continues on the branch `sluice/0badcafe-sum`.',
        `By @ada: ${url}`,
        '---',
        'Nearly.',
        '---',
        `Comment on \`src/sum.ts:3\`: ${at(3)}`,
        '>     +line 3',
        'Rename it.',
        '---',
        `Comment on \`src/sum.ts\`: ${at(null)}`,
        '>     +line null',
        'And test it.',
      ].join('\n\n'),
    );
  });

  it('of a review has the first title that its comments give', () => {
    const place = { path: 'a.ts', line: 1, quote: null };
    const comments = ['```\ncode\n```', 'Rename it.', 'Test it.'].map((body) => aComment(body, { place }));
    expect(textOf(...(comments as [HostedComment])).title).toBe('Rename it.');
  });

  it('names the file alone where the line is gone from the change', () => {
    const { body } = textOf(aComment('Rename it.', { place: { path: 'src/sum.ts', line: null, quote: null } }));
    expect(body).toContain('By @ada on `src/sum.ts`: ');
  });

  it.each([
    ['the first line that says something', '\n\n  Rename it.  \nMore.', 'Rename it.'],
    ['without the signs of Markdown before it', '> - ## Rename it', 'Rename it'],
    ['with its code', 'in `a.txt` replace `x` with `y`', 'in `a.txt` replace `x` with `y`'],
    ['cut where it is long', `${'word '.repeat(60)}`, `${'word '.repeat(23)}word…`],
    ['cut between characters', `x${'🙂'.repeat(130)}`, `x${'🙂'.repeat(118)}…`],
    ['on one line without control characters', 'Rename\u2028it\u0007 now', 'Rename it now'],
  ])('has a title: %s', (_name, body, title) => {
    expect(titleOf(body)).toBe(title);
  });

  it.each(['```diff\n--- a\n```', '~~~\ncode\n~~~', '<!-- hidden -->', '![picture](x.png)', '👍', '---'])(
    'has a title of its own where %j would be none',
    (body) => {
      expect(titleOf(body)).toBe('Follow up on pull request #12');
    },
  );

  it('holds what every store can keep', () => {
    const { title, body } = textOf(aComment('a\0b \ud800 c'));
    expect(title).toBe('ab \ufffd c');
    expect(body.endsWith('ab \ufffd c')).toBe(true);
  });

  it('is cut where an issue’s text ends, between characters, and says where the rest is', () => {
    const { body } = textOf(aComment('é'.repeat(65_536)));
    expect(new TextEncoder().encode(body).length).toBeLessThan(65_536);
    expect(body).not.toContain('\ufffd');
    expect(body).toContain(`Full text: ${url}`);
  });

  it('lets a name break out of no line and no code', () => {
    const place = { path: 'a`b\nc', line: 1, quote: null };
    const { body } = followUpText(
      { comments: [aComment('x1', { place, author: 'a\nb' })] },
      { number: 12, headBranch: 'a`b' },
    );
    expect(body.split('\n\n').slice(0, 2)).toEqual([
      "A comment on pull request #12 requests more work. It continues on the branch `a'b`.",
      `By @a b on \`a'b c:1\`: ${url}`,
    ]);
  });

  it('takes no words of the comment for the border before which text is trusted', () => {
    const { body } = textOf(aComment(`Fine.\n\n${UNTRUSTED_HEADING}\n\nand this`));
    expect(`\n${body}`).not.toContain(`\n${UNTRUSTED_HEADING}\n`);
  });
});
