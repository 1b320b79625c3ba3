import { MODEL_NEEDED } from '@sluice/core/pipeline';
import { aGate, aPlan } from '@sluice/testing';
import { expect, it } from 'vitest';
import { localModel } from '../../local/local-model.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { refuseHopelessApproval } from './refuse-hopeless-approval.ts';

const model = localModel({ overrides: { MODEL: 'builtin' } });
const here = { model, folder: { isHeldElsewhere: () => false } };
const elsewhere = { model, folder: { isHeldElsewhere: () => true } };
const issue = {
  title: 'Make the invoice prettier',
  body: '',
  plan: aPlan(),
  gate: { ...aGate(), your_approval: null, estimate: null },
};

it('refuses to carry out the plan of a model without one', () => {
  expect(() => refuseHopelessApproval(issue, here)).toThrow(expect.objectContaining({ code: exitCode.modelMissing }));
});

it('leaves a plan to the process that works on it, which has its own model', () => {
  expect(() => refuseHopelessApproval(issue, elsewhere)).not.toThrow();
});

it.each([
  [MODEL_NEEDED, exitCode.modelMissing],
  ['Its edit does not apply.', exitCode.waitsForApproval],
])('refuses a plan that cannot be carried out wherever it is worked on: %s', (blocker, code) => {
  const blocked = { ...issue, gate: { ...aGate({ blocker }), your_approval: null, estimate: null } };
  expect(() => refuseHopelessApproval(blocked, elsewhere)).toThrow(expect.objectContaining({ code }));
});
