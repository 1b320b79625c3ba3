import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, callOf, itSaysWhereALoginIsNeeded, sampleOfRemote } from './every-command.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { type ProxiedService, startProxiedService } from './proxied-service.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
/** A server without users. */
let proxied: ProxiedService;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startProxiedService(terminal);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

it('has every documented command', () => {
  const issues =
    'create import list show run approve reject instruct cancel retry delete watch diff log edit message plans steps close-reason';
  const repos = 'add list show edit remove search';
  const words = all.map((leaf) => leaf.words);
  for (const one of issues.split(' ')) expect(words).toContain(`issues ${one}`);
  for (const one of repos.split(' ')) expect(words).toContain(`repos ${one}`);
  for (const one of [
    'serve',
    'login',
    'logout',
    'whoami',
    'sessions list',
    'sessions end',
    'account password',
    'run',
    'demo',
    'doctor',
    'migrate',
    'migrate-to',
    'completion',
    'stats',
  ]) {
    expect(words).toContain(one);
  }
});

describe.each(all)('sluice $words', (leaf) => {
  it('shows examples first, with calls of this command among them', async () => {
    const { code, stdout, stderr } = await terminal.sluice([...leaf.path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Examples:\n {2}\S/);
    expect(stdout.slice(0, stdout.indexOf('Usage:'))).toContain(`sluice ${leaf.words}`);
    expect(stdout).toMatch(new RegExp(`Usage: sluice ${leaf.words}(\\|\\w+)? `));
    expect(stdout).toContain('sluice help environment');
    expect(stdout).not.toContain('\x1b');
  });

  it('refuses an unknown option in one line, with 2', async () => {
    const { code, stdout, stderr } = await terminal.sluice([...callOf(leaf), '--hepl']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^sluice: [^\n]+\n$/);
    expect(stderr).toContain("unknown option '--hepl'");
  });
});

itSaysWhereALoginIsNeeded(sampleOfRemote, { terminal: () => terminal, url: () => proxied.service.url });

itConformsToOpenApi(() => proxied.proxy);
