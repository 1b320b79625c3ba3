import { spawn } from 'node:child_process';
import { hasDisplay } from '../terminal/environment.ts';

/** Opens an address in the person's browser; false where there is none to open. What it says is not heard. */
export function openBrowser(address: string): boolean {
  const program = process.platform === 'darwin' ? 'open' : hasDisplay() ? 'xdg-open' : null;
  if (program === null) return false;
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // the address is printed in any case
  child.unref();
  return true;
}
