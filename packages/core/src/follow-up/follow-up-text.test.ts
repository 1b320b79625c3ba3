import { describe, expect, it } from 'vitest';
import { UNTRUSTED_HEADING } from '../codehost/untrusted-part.ts';
import type { HostedComment } from '../port/code-host.ts';
import { followUpText } from './follow-up-text.ts';

const change = { number: 12, headBranch: 'sluice/0badcafe-sum' };
const url = 'https://host.test/acme/sum/pull/12#issuecomment-5';

function aComment(body: string, overrides: Partial<HostedComment> = {}): HostedComment {
  const createdAt = new Date('2026-11-20T09:15:00.000Z');
  return { id: 'issue-5', author: 'ada', byWriter: true, body, url, createdAt, place: null, ...overrides };
}

const titleOf = (body: string) => followUpText(aComment(body), change).title;

describe('the text of a follow-up', () => {
  it('says whose comment it is, where it stands, and what it says to the letter', () => {
    const said = 'Rename it.\r\n\r\n```ts file=src/sum.ts\nexport {};\n```';
    const place = { path: 'src/sum.ts', line: 14 };
    expect(followUpText(aComment(said, { place }), change).body).toBe(
      [
        'A comment on pull request #12 asks for more. The work goes on from its branch `sluice/0badcafe-sum`.',
        `By @ada on \`src/sum.ts:14\`: ${url}`,
        '---',
        said.replaceAll('\r\n', '\n'),
      ].join('\n\n'),
    );
  });

  it('names the file alone where the line is gone from the change', () => {
    const { body } = followUpText(aComment('Rename it.', { place: { path: 'src/sum.ts', line: null } }), change);
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
    const { title, body } = followUpText(aComment('a\0b \ud800 c'), change);
    expect(title).toBe('ab \ufffd c');
    expect(body.endsWith('ab \ufffd c')).toBe(true);
  });

  it('is cut where an issue’s text ends, between characters, and says where the rest is', () => {
    const { body } = followUpText(aComment('é'.repeat(65_536)), change);
    expect(new TextEncoder().encode(body).length).toBeLessThan(65_536);
    expect(body).not.toContain('\ufffd');
    expect(body).toContain(`the rest is left out here: ${url}`);
  });

  it('lets a name break out of no line and no code', () => {
    const place = { path: 'a`b\nc', line: 1 };
    const { body } = followUpText(aComment('x1', { place, author: 'a\nb' }), { number: 12, headBranch: 'a`b' });
    expect(body.split('\n\n').slice(0, 2)).toEqual([
      "A comment on pull request #12 asks for more. The work goes on from its branch `a'b`.",
      `By @a b on \`a'b c:1\`: ${url}`,
    ]);
  });

  it('takes no words of the comment for the border before which text is trusted', () => {
    const { body } = followUpText(aComment(`Fine.\n\n${UNTRUSTED_HEADING}\n\nand this`), change);
    expect(`\n${body}`).not.toContain(`\n${UNTRUSTED_HEADING}\n`);
  });
});
