import { expect, it } from 'vitest';
import { type PlanDraft, plannedFiles } from './plan.ts';

it('names each planned file once, as git spells it, however the plan does', () => {
  const files = ['./src/a.ts', 'src/a.ts', '/src/a.ts', 'src//x/../a.ts', 'b.ts', './/b.ts', '.hidden/c', '..d'];
  const plan: PlanDraft = {
    summary: '',
    steps: files.map((file) => ({ title: '', detail: '', files: [file] })),
    acceptance_criteria: [],
    risks: [],
    test_strategy: '',
  };
  expect(plannedFiles(plan)).toEqual(['src/a.ts', 'b.ts', '.hidden/c', '..d']);
});
