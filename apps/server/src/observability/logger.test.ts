import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createLogger, createLoggerTo } from './logger.ts';

const SECRET = 'hunter2-hunter2';

function logged(write: (log: ReturnType<typeof createLoggerTo>) => void): {
  text: string;
  line: Record<string, unknown>;
} {
  let text = '';
  const target = {
    write(chunk: string) {
      text += chunk;
    },
  };
  write(createLoggerTo({ logLevel: 'trace' }, target));
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

const secretFields = [
  'password',
  'current_password',
  'access_token',
  'accessToken',
  'token',
  'cookie',
  'Cookie',
  'set-cookie',
  'Set-Cookie',
  'authorization',
  'Proxy-Authorization',
  'sessionSecret',
  'SESSION_SECRET',
  'encryptionKeys',
  'ENCRYPTION_KEYS',
  'CODEHOST_CLIENT_SECRET',
  'ANTHROPIC_API_KEY',
];

it.each(secretFields)('redacts %s at every depth', (field) => {
  const inner = { [field]: SECRET, beside: 'kept' };
  const { text, line } = logged((log) =>
    log.info({
      ...inner,
      a: inner,
      b: { c: { d: { e: inner } } },
      list: [inner, [inner]],
      held: { [field]: [SECRET] },
    }),
  );
  expect(text).not.toContain(SECRET);
  expect(line).toMatchObject({ [field]: '[redacted]', b: { c: { d: { e: { beside: 'kept' } } } } });
});

it('remembers no long names, as those of headers that a stranger has made up', () => {
  const ofStranger = (at: number) => [`x-${'a'.repeat(65)}-${at}`, 'x'];
  logged((log) => log.info(Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => ofStranger(at)))));
  logged((log) => log.info({ ours_after_theirs: 1 }));
  const test = vi.spyOn(RegExp.prototype, 'test');
  try {
    logged((log) => log.info({ ours_after_theirs: 1 }));
    expect(test).not.toHaveBeenCalledWith('oursaftertheirs');
  } finally {
    test.mockRestore();
  }
});

it('redacts the bindings of a child logger', () => {
  const { text } = logged((log) =>
    log
      .child({ user: { password: SECRET } })
      .child({ token: SECRET })
      .info('hello'),
  );
  expect(text).toContain('hello');
  expect(text).not.toContain(SECRET);
});

it('keeps counts and names that only look like secrets', () => {
  const { line } = logged((log) => log.info({ usage: { input_tokens: 7 }, tokenizer: 'x', issue_id: 'y' }));
  expect(line).toMatchObject({ usage: { input_tokens: 7 }, tokenizer: 'x', issue_id: 'y' });
});

it('writes no cookie or password when it logs a whole request', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({
    port,
    host: '127.0.0.1',
    path: `/api/auth/codehost/callback?code=${SECRET}`,
    headers: { cookie: `access_token=${SECRET}`, authorization: `Bearer ${SECRET}`, 'user-agent': 'curl' },
  });
  client.on('error', () => {}).end();
  const [incoming, response] = (await once(server, 'request')) as [IncomingMessage, object];
  const { text, line } = logged((log) =>
    log.info({ req: Object.assign(incoming, { body: { password: SECRET } }), response }),
  );
  client.destroy();
  server.close();
  expect(text).not.toContain(SECRET);
  expect(line).toMatchObject({
    req: {
      method: 'GET',
      path: '/api/auth/codehost/callback',
      headers: { cookie: '[redacted]', 'user-agent': 'curl' },
    },
    response: { status: 200 },
  });
});

it('redacts a fetch answer’s headers and a URL’s query and password', () => {
  const headers = new Headers({ 'set-cookie': `access_token=${SECRET}`, age: '1' });
  const { text, line } = logged((log) =>
    log.info({ headers, url: new URL(`https://me:${SECRET}@a.example/x?t=${SECRET}`) }),
  );
  expect(text).not.toContain(SECRET);
  expect(line).toMatchObject({ headers: { age: '1' }, url: 'https://a.example/x' });
});

it('logs an error with its stack and causes, and redacts its properties', () => {
  const cause = Object.assign(new Error('refused'), { config: { headers: { Authorization: SECRET } }, code: 'E1' });
  const { text, line } = logged((log) =>
    log.error(Object.assign(new TypeError('failed', { cause }), { password: SECRET })),
  );
  expect(text).not.toContain(SECRET);
  expect(line).toMatchObject({
    msg: 'failed',
    err: { name: 'TypeError', message: 'failed', cause: { message: 'refused', code: 'E1' } },
  });
  expect(JSON.stringify(line)).toContain('logger.test.ts');
});

it('handles circular, deep and long values', () => {
  const ring: Record<string, unknown> = {
    big: 1n,
    bytes: Buffer.from(SECRET),
    list: Array.from({ length: 5_000 }, String),
  };
  ring.self = ring;
  const { line, text } = logged((log) => log.info({ ring }));
  expect(line).toMatchObject({ ring: { self: '[circular]', big: '1', bytes: '[15 bytes]' } });
  expect(text.length).toBeLessThan(2_000);
});

it('writes only records at or above the level', () => {
  const lines: string[] = [];
  const log = createLoggerTo({ logLevel: 'warn' }, { write: (line) => void lines.push(line) });
  log.info('quiet');
  log.warn('loud');
  expect(lines).toEqual([expect.stringContaining('loud')]);
});

it('goes on when the disk of the log is full', () => {
  const log = createLogger({ logLevel: 'info', logFormat: 'json' }, '/dev/full');
  for (let lines = 0; lines < 5_000; lines += 1) log.info({ filler: 'x'.repeat(1_000) }, 'a line');
  expect(() => log.error('one more')).not.toThrow();
});
