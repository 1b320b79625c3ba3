import { expect, it } from 'vitest';
import { createProgram } from '../../apps/cli/src/program.ts';
import { faultOfCall, faultOfMention } from './fault-of-call.ts';
import { shellCalls } from './shell-calls.ts';

const known = { program: createProgram('0.0.0', () => {}), scripts: new Set(['demo', 'sluice']) };
const faults = (text: string) => shellCalls(text).map((call) => faultOfCall(call, known));

it('finds the calls in shell text, wherever they stand', () => {
  const text = `A=1 sluice repos list # sluice is here
id=$(sluice issues show "$x" --json | jq -r '.id; sluice') && if ! sluice doctor > out 2>&1; then echo "$(sluice whoami)"; fi
sluice issues list \\
  --json`;
  const calls = shellCalls(text).filter(([program]) => program === 'sluice');
  expect(calls.map((call) => call.slice(1).join(' '))).toEqual([
    'repos list',
    'issues show $x --json',
    'doctor',
    'whoami',
    'issues list --json',
  ]);
});

it.each([
  ['sluice isues list', 'is not a command there'],
  ['sluice issues lst', 'is not a command there'],
  ['sluice config lst', 'is not a command there'],
  ['sluice issues list --jsn', 'there is no option --jsn'],
  ['sluice issues show', 'a word is missing'],
  ['sluice whoami me', 'it takes 0 words, not 1'],
  ['npm run dmo', 'there is no script "dmo"'],
])('finds what is wrong with %s', (text, fault) => {
  expect(faults(text)).toEqual([expect.stringContaining(fault)]);
});

it.each([
  'sluice issues create --repo shop --issue bug.md --watch',
  "sluice issues instruct 0c2d3e4f 'Leave the API as it is.'",
  'npm run sluice -- doctor',
  'sluice config',
  'sluice config --json',
  'sluice help environment',
  'npm run demo -- --yes',
  'sluice --help',
  'git log',
])('finds nothing wrong with %s', (text) => {
  expect(faults(text)).toEqual([null]);
});

it('lets a sentence leave out what has to follow, and no more', () => {
  expect(faultOfMention('sluice issues show', known)).toBeNull();
  expect(faultOfMention('sluice admin users', known)).toBeNull();
  expect(faultOfMention('sluice/0c2d3e4f-branch', known)).toBeNull();
  expect(faultOfMention('sluice issues shw', known)).toContain('is not a command there');
});
