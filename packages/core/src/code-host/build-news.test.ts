import { describe, expect, it } from 'vitest';
import { buildNews } from './build-news.ts';
import type { BuildVerdict, BuildVerdictState } from './build-verdict.ts';
import type { BuildCheck } from './hosted-build.ts';

const URL = 'https://host.test/acme/sum/pull/9';
const check = (name: string, url: string | null = null): BuildCheck => ({
  ...{ id: `check-${name}`, name, summary: null, source: 'check', state: 'failure', required: true, partOf: null },
  ...{ url, startedAt: null, completedAt: null },
});
const verdict = (state: BuildVerdictState, more: Partial<BuildVerdict> = {}): BuildVerdict => ({
  ...{ state, failed: [], optionalFailed: [], missing: [] },
  ...more,
});
const newsOf = (of: BuildVerdict, failingAtBase: readonly string[] = []) =>
  buildNews(of, { commit: 'c0ffee', failingAtBase: new Set(failingAtBase), url: URL });

describe('what is told of a build', () => {
  it('is nothing where nothing is reported, and of another commit', () => {
    expect([newsOf(verdict('none')), newsOf(verdict('stale'))]).toEqual([null, null]);
  });

  it('names what failed, what the base has too and what does not count, in one order, once each', () => {
    const failed = [check('unit', 'https://host.test/run/1'), check('lint'), check('unit')];
    expect(newsOf(verdict('failure', { failed, optionalFailed: [check('slow')] }), ['lint', 'other'])).toEqual({
      commit: 'c0ffee',
      verdict: 'failure',
      failed: ['lint', 'unit'],
      also_failing_at_base: ['lint'],
      optional_failed: ['slow'],
      url: 'https://host.test/run/1',
    });
  });

  it('names no failure while others are pending', () => {
    const pending = verdict('pending', { failed: [check('unit')], optionalFailed: [check('slow')] });
    expect(newsOf(pending)).toMatchObject({ verdict: 'pending', failed: [], optional_failed: [], url: URL });
  });

  it('shows names on one line, without what nobody sees, and not without end', () => {
    const long = check(`a\n\u202Eb${'c'.repeat(1_000)}`);
    const many = Array.from({ length: 80 }, (_, index) => check(`n${index}`));
    const { failed = [] } = newsOf(verdict('failure', { failed: [long, ...many] })) ?? {};
    expect(failed).toHaveLength(50);
    expect(failed[0]).toMatch(/^a \[U\+202E\]bc+…$/);
    expect(failed[0]).toHaveLength(200);
  });
});
