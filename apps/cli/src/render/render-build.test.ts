import type { BuildNews } from '@sluice/core/code-host';
import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderBuild } from './render-issues.ts';

const passed: BuildNews = {
  ...{ commit: 'c0ffee0123456789', verdict: 'success', failed: [], also_failing_at_base: [], optional_failed: [] },
  url: 'https://host.test/run/1',
};

it('says how a build ended, at which commit, and what a person has to know of it', () => {
  expect(renderBuild(passed, withoutColour)).toBe('passed at c0ffee0123');
  const failed: BuildNews = {
    ...{ ...passed, verdict: 'failure', failed: ['lint', 'unit\u001b[31m'], also_failing_at_base: ['lint'] },
    ...{ optional_failed: ['slow'], given_up: true },
  };
  expect(renderBuild(failed, withoutColour)).toMatch(
    /^failed at c0ffee0123: lint, unit[^\u001b]*; the base branch fails too: lint; failed, but not required: slow; fixing it was given up; https:\/\/host\.test\/run\/1$/,
  );
});
