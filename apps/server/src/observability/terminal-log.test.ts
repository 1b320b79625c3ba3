import { expect, it } from 'vitest';
import { createLoggerTo } from './logger.ts';
import { createTerminalLog } from './terminal-log.ts';

function linesOf(write: (log: ReturnType<typeof createLoggerTo>) => void): string[] {
  let text = '';
  const target = createTerminalLog((line) => {
    text += line;
  });
  write(createLoggerTo({ logLevel: 'info' }, target));
  return text.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'TIME '));
}

it('writes a line for people: the time, what happened, and its fields', () => {
  const lines = linesOf((log) => {
    log.info({ sandbox: 'bwrap', sandbox_gaps: [], codehost: null }, 'the sandbox works');
    log.warn({ reason: 'no such host' }, 'Redis is unreachable');
    log.info(
      { request_id: 'x', ip: '::1', method: 'GET', path: '/api/issues', status: 200, duration_ms: 3 },
      'request',
    );
  });
  expect(lines).toEqual([
    'TIME the sandbox works sandbox=bwrap',
    'TIME warning: Redis is unreachable reason="no such host"',
    'TIME request GET /api/issues 200 3 ms',
    '',
  ]);
});

it('names the request of an error, as its answer does, shows where it came from, and no secret', () => {
  const [head, first] = linesOf((log) =>
    log.error({ request_id: 'r1', err: new Error('It broke.'), token: 'hunter2' }, 'a request failed'),
  );
  expect(head).toBe('TIME error: a request failed request_id=r1 err="It broke." token=[redacted]');
  expect(first).toBe('    Error: It broke.');
});

it('shows what caused an error: the message of a database only names the query', () => {
  const cause = new Error('connection refused');
  const lines = linesOf((log) => log.error({ err: new Error('Failed query', { cause }) }, 'a request failed'));
  expect(lines).toContain('    caused by Error: connection refused');
});

it('keeps the control characters of others from the terminal', () => {
  const lines = linesOf((log) =>
    log.error({ err: new Error('fatal: \x1b]0;title\x07\r\x9b31m'), remote: '\x1b[2J' }, 'git failed'),
  );
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  expect(lines[1]).toBe('    Error: fatal: ?]0;title???31m');
});
