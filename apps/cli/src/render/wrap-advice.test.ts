import { expect, it } from 'vitest';
import { ownCommand } from '../terminal/environment.ts';
import { wrapAdvice } from './wrap-advice.ts';

const command = `${ownCommand()} run --repo /home/ada/code/shop --continue`;

it('breaks a long sentence between words', () => {
  expect(wrapAdvice('The connection was refused. Check that the server is running.', 40)).toBe(
    'The connection was refused. Check that\nthe server is running.',
  );
});

it('puts the command that a long message ends with on a line of its own, in one piece', () => {
  expect(wrapAdvice(`\nInterrupted. No work is lost. Continue with: ${command}`, 30)).toBe(
    `\nInterrupted. No work is lost.\nContinue with:\n  ${command}`,
  );
  expect(wrapAdvice(`Continue with: ${command}`, 200)).toBe(`Continue with: ${command}`);
});

it('leaves indented lines as they are: commands and stack traces', () => {
  const text = `Set one up:\n  ${command} --and --more --words`;
  expect(wrapAdvice(text, 20)).toBe(text);
});
