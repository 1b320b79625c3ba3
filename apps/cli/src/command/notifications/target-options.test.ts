import { notificationKinds } from '@sluice/core/notification';
import { expect, it } from 'vitest';
import { EVENTS_NOTE, eventsAndFormat } from './target-options.ts';

it('names every event in the help', () => {
  expect([...EVENTS_NOTE.matchAll(/[a-z_]+\.[a-z]+/g)].map(([kind]) => kind)).toEqual(notificationKinds);
});

it('takes events that are given twice once, and names those that there are in a refusal', async () => {
  expect(await eventsAndFormat({ events: ['issue.failed', 'issue.failed'], format: 'slack' })).toEqual({
    events: ['issue.failed'],
    format: 'slack',
  });
  await expect(eventsAndFormat({ events: ['gate'] })).rejects.toThrow(
    'Unknown event gate. The events are gate.opened,',
  );
  await expect(eventsAndFormat({ format: 'fax' })).rejects.toThrow('Unknown format fax.');
});
