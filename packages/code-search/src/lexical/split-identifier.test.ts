import { expect, it } from 'vitest';
import { splitIdentifier, splitIdentifiers } from './split-identifier.ts';

it('splits an identifier into its words, and one word into none', () => {
  expect(splitIdentifier('parseHTTPResponse_v2')).toEqual(['parse', 'http', 'response', 'v', '2']);
  expect(splitIdentifier('word')).toEqual([]);
});

it('splits the identifiers with humps in a text, each once', () => {
  expect(splitIdentifiers('getUserName = getUserName + XMLHttpSender - plain_words CONSTANT')).toBe(
    'get user name xml http sender',
  );
});

// Files of digests and keys held the index's thread for seconds each.
it.each(['a', 'A', '1'])('reads long runs of %j in no time', (letter) => {
  const started = process.cpuUsage();
  expect(splitIdentifiers(`${letter.repeat(9_999)}\n`.repeat(50))).toBe('');
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000); // microseconds of this process: other processes do not count
});
