import type { IssueId } from '@sluice/core/id';
import { newId } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { renderResumePoint, resumeToken } from './resume-token.ts';

describe('a resume token', () => {
  it('reads back what was rendered', () => {
    const point = {
      epoch: null,
      floor: 123_456_789_012,
      sent: new Map([
        [newId<IssueId>(), 7],
        [newId<IssueId>(), 1_000_000],
      ]),
    };
    expect(resumeToken.parse(renderResumePoint(point))).toEqual(point);
    const restored = { ...point, epoch: '0a1b2c3d' };
    expect(resumeToken.parse(renderResumePoint(restored))).toEqual(restored);
    expect(resumeToken.parse('0')).toEqual({ epoch: null, floor: 0, sent: new Map() });
  });

  it('stays short by leaving out the issues that were sent first', () => {
    const sent = new Map(Array.from({ length: 300 }, (_, seq) => [newId<IssueId>(), seq] as const));
    const token = renderResumePoint({ epoch: null, floor: 1, sent });
    expect(token.length).toBeLessThan(4_000);
    expect([...resumeToken.parse(token).sent]).toEqual([...sent].slice(-100));
  });

  it.each([
    '',
    '-1',
    '1.5',
    'x',
    '1~',
    '1~x.1',
    `1~${'A'.repeat(22)}`,
    `1~${'A'.repeat(22)}.1`,
    '1~~',
    '9'.repeat(16),
    'x:1',
    '0a1b2c3d:',
    '0a1b2c3:1',
  ])('rejects %j', (token) => {
    expect(resumeToken.safeParse(token).success).toBe(false);
  });
});
