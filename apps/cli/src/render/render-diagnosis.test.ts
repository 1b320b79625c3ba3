import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderDiagnosis } from './render-diagnosis.ts';

it('shows each finding with its fix below, and breaks no word', () => {
  const text = renderDiagnosis(
    {
      healthy: false,
      findings: [
        { subject: 'node', state: 'ok', detail: 'v24', fix: null },
        { subject: 'sandbox', state: 'warning', detail: 'no memory limit: a command may use it all', fix: null },
        { subject: 'git', state: 'problem', detail: 'is not on PATH', fix: 'apt-get install git' },
      ],
    },
    withoutColour,
    40,
  );
  expect(text).toBe(
    '✓ node  v24\n! sandbox  no memory limit: a command\n  may use it all\n✗ git  is not on PATH\n    fix: apt-get install git',
  );
});
