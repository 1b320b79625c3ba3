import type { JournalEntry } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { resumePoint } from './adopt-tree.ts';

const message: JournalEntry = { kind: 'message', message: {} };
const begin: JournalEntry = { kind: 'begin', callId: 'x' };
const result: JournalEntry = { kind: 'result', callId: 'x', message: {} };
const rewind: JournalEntry = { kind: 'rewind' };
const kept = (commit: string | null): JournalEntry => ({ kind: 'checkpoint', commit });

const lost = { kind: 'lost' };
const start = (isUndone: boolean) => ({ kind: 'start', commit: null, isUndone });
const at = (commit: string, isUndone: boolean) => ({ kind: 'checkpoint', commit, isUndone });

describe('the point from which a round continues in a new tree', () => {
  it.each<[string, JournalEntry[], object]>([
    ['its start, when nothing was done', [], start(false)],
    ['its start, when it has only read', [message, message, result, message], start(false)],
    ['its start, when only the last answer has done something', [message, message, begin, result, begin], start(true)],
    ['its last checkpoint', [message, begin, result, kept('a'), message, begin, result, kept('b')], at('b', false)],
    [
      'its last checkpoint, when the last answer has begun something since',
      [message, kept('a'), message, begin],
      at('a', true),
    ],
    [
      'its last checkpoint, when it was rewound already',
      [kept('a'), message, begin, rewind, begin, result],
      at('a', true),
    ],
    ['its start, when it was rewound to it before', [message, begin, rewind, begin], start(true)],
    [
      'its last checkpoint, when nothing was begun since it was rewound',
      [kept('a'), message, begin, rewind],
      at('a', false),
    ],
    ['nothing, when the last tree could not be kept', [kept('a'), message, begin, result, kept(null), message], lost],
    ['a checkpoint after one that could not be made', [kept(null), message, begin, result, kept('b')], at('b', false)],
    ['nothing, when an earlier answer has done what was never kept', [message, begin, result, message], lost],
    ['nothing, when that was so since the last checkpoint', [kept('a'), message, begin, result, message], lost],
  ])('is %s', (_, entries, point) => {
    expect(resumePoint(entries)).toEqual(point);
  });
});
