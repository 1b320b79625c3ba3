import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './parse-config.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const mail = { SMTP_URL: 'smtps://me:hunter2@mail.example.com:465', SMTP_FROM: 'Sluice <sluice@example.com>' };

describe('notifications', () => {
  it('go to public hosts alone, and not by e-mail, unless the operator says so', () => {
    expect(parseConfig({}).notifications).toEqual({ allowHosts: [], smtp: null });
    expect(
      parseConfig({ ...mail, NOTIFY_ALLOW_HOSTS: 'chat.lan, *.corp.example:8443,10.0.0.5' }).notifications,
    ).toEqual({
      allowHosts: ['chat.lan', '*.corp.example:8443', '10.0.0.5'],
      smtp: { url: mail.SMTP_URL, from: { name: 'Sluice', address: 'sluice@example.com' } },
    });
  });

  it.each([
    [{ NOTIFY_ALLOW_HOSTS: 'chat.lan, https://chat.lan/' }, 'NOTIFY_ALLOW_HOSTS: '],
    [{ ...mail, SMTP_URL: 'mail.example.com' }, 'SMTP_URL: is not smtp://'],
    [{ ...mail, SMTP_FROM: 'sluice@example.com' }, 'SMTP_FROM: '],
    [{ SMTP_URL: mail.SMTP_URL }, 'SMTP_FROM: is required with SMTP_URL'],
    [{ SMTP_FROM: mail.SMTP_FROM }, 'SMTP_URL: is required with SMTP_FROM'],
  ])('have a problem with %j', (environment, problem) => {
    const problems = problemsOf(environment);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
