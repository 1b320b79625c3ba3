import { describe, expect, it } from 'vitest';
import { blockedHosts, runCommand } from './run-command.ts';
import { useTool } from './test/use-tool.ts';

const run = async (output: string, commandEnd = {}, input = {}) =>
  await useTool(runCommand, { command: 'make', ...input }, { command: async () => output, commandEnd });

describe('run_command', () => {
  it('gives the exit code, the seconds and both ends of a long output', async () => {
    const { answer } = await run(`first${'.'.repeat(50_000)}last`);
    expect(answer).toMatch(/^Exit code 0, after 0\.0 s\.\nfirst\.+\n… 30009 characters left out …\n\.+last$/);
    expect((await run('x', { durationMs: 61_400, exitCode: 2 })).answer).toBe('Exit code 2, after 61 s.\nx');
  });

  it('says that there was no output', async () => {
    expect((await run(' \n')).answer).toBe('Exit code 0, after 0.0 s.\n(no output)');
  });

  it('waits for two minutes, or as long as the model says', async () => {
    expect((await run('')).timeouts).toEqual([120_000]);
    expect((await run('', {}, { timeout_s: '600' })).timeouts).toEqual([600_000]);
    expect((await run('', {}, { timeout_s: 1_200 })).timeouts).toEqual([1_200_000]);
  });

  it.each([5_000, 2_500, 120_000, 600_000])(
    'takes a timeout of %i, longer than any command may take, for milliseconds',
    async (timeout) => {
      expect((await run('', {}, { timeout })).timeouts).toEqual([timeout]);
    },
  );

  it.each([1_800, 3_600, 7_200])('takes a timeout of %i for seconds, because it is whole minutes', async (timeout) => {
    expect((await run('', {}, { timeout })).timeouts).toEqual([timeout * 1_000]);
  });

  it('gives the output so far of a command that was stopped, and what to do', async () => {
    const late = await run('listening\n', { endedBy: 'timeout', exitCode: null, durationMs: 120_003 });
    expect(late.answer).toMatch(
      /^Stopped: it had not ended, after 120 s\.\nlistening\n\n\(That is the output so far\./,
    );
    const noted = await run('listening', { endedBy: 'note', exitCode: null, durationMs: 3_000 });
    expect(noted.answer).toBe('A person wrote a note: the command was stopped, after 3.0 s.\nlistening');
    const never = await run('', { endedBy: 'unread_note', exitCode: null, durationMs: 0 });
    expect(never.answer).toBe('A person wrote a note, so the command was not started. Read the note first.');
  });

  it('names the hosts that a command could not reach', async () => {
    const output =
      'npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org';
    expect((await run(output, { exitCode: 1 })).answer).toContain(
      '(The sandbox has no network: registry.npmjs.org is not reachable, however often you try. Work with what is installed.)',
    );
  });
});

it.each([
  ['getaddrinfo ENOTFOUND api.example.com', ['api.example.com']],
  ['curl: (6) Could not resolve host: example.com', ['example.com']],
  ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", ['github.com']],
  ["Err:1 http://deb.debian.org Could not resolve 'deb.debian.org'", ['deb.debian.org']],
  ["HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded", ['pypi.org']],
  ["NameResolutionError: Failed to resolve 'pypi.org' ([Errno -3])", ['pypi.org']],
  ['dial tcp: lookup proxy.golang.org on 8.8.8.8:53: no such host', ['proxy.golang.org']],
  ['java.net.UnknownHostException: repo.maven.apache.org', ['repo.maven.apache.org']],
  ['Failed to open TCP connection to rubygems.org:443 (getaddrinfo)', ['rubygems.org']],
  ['connect ECONNREFUSED 127.0.0.1:5432', []],
  ['getaddrinfo ENOTFOUND localhost.localdomain', []],
  ['1 test failed: the host example.com was expected', []],
])('reads the blocked hosts of %j', (output, hosts) => {
  expect(blockedHosts(output)).toEqual(hosts);
});
