import { input, select } from '@inquirer/prompts';
import type { Decision, Gate } from '@sluice/core';

const questions = {
  plan: {
    message: 'What shall happen with this plan?',
    approve: 'implement it, test it, publish the branch',
    instruct: 'say what to change; the plan is made anew',
    reject: 'end here; nothing is changed',
  },
  publish: {
    message: 'May this change be published with these files?',
    approve: 'push the branch as it was tested and reviewed',
    instruct: 'say what to change; the coder goes on from here',
    reject: 'end here; nothing is pushed',
  },
} as const satisfies Record<Gate['kind'], Record<'message' | Decision['action'], string>>;

/** Asks the person at the terminal what to do with what waits for him. The prompt is talk, so it goes to stderr. */
export async function askDecision(kind: Gate['kind'], signal: AbortSignal): Promise<Decision> {
  const question = questions[kind];
  const terminal = { output: process.stderr, signal };
  const action = await select(
    {
      message: question.message,
      choices: [
        { value: 'approve' as const, name: 'approve', description: question.approve },
        { value: 'instruct' as const, name: 'instruct', description: question.instruct },
        { value: 'reject' as const, name: 'reject', description: question.reject },
      ],
    },
    terminal,
  );
  if (action !== 'instruct') return { action };
  const guidance = await input(
    {
      message: 'What should be different?',
      validate: (text) =>
        text.trim() === '' ? 'Say what to change.' : text.length <= 8_000 || 'At most 8,000 characters.',
    },
    terminal,
  );
  return { action, guidance: guidance.trim() };
}
