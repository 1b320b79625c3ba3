import { input, select } from '@inquirer/prompts';
import type { Decision } from '@sluice/core';

/** Asks the person at the terminal what to do with the plan. The prompt is talk, so it goes to stderr. */
export async function askDecision(signal: AbortSignal): Promise<Decision> {
  const terminal = { output: process.stderr, signal };
  const action = await select(
    {
      message: 'What shall happen with this plan?',
      choices: [
        { value: 'approve' as const, name: 'approve', description: 'implement it, test it, publish the branch' },
        { value: 'instruct' as const, name: 'instruct', description: 'say what to change; the plan is made anew' },
        { value: 'reject' as const, name: 'reject', description: 'end here; nothing is changed' },
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
