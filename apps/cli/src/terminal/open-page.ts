import { spawn } from 'node:child_process';
import { browserCommand } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import { plainLine } from './plain-text.ts';

/** Opens an address in the user's browser. False when there is no display to open it on. */
export function openBrowser(address: string): boolean {
  const program = browserCommand();
  if (program === null) return false;
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // the address is printed as well
  child.unref();
  return true;
}

/**
 * Opens a page for `--web`, and prints its address.
 *
 * @param address null, or no page of the web, when there is nothing to open: `none` then says so
 * @throws CommandError when there is no page
 */
export function openPage(output: Pick<Output, 'data'>, address: string | null, none: string): void {
  if (address === null || !/^https?:\/\//.test(address)) {
    throw new CommandError(exitCode.notFound, `${none} This server has no console of its own.`);
  }
  openBrowser(address);
  output.data({ url: address }, () => plainLine(address));
}
