import { stat } from 'node:fs/promises';

/** Whether something is there; a link counts as what it leads to. */
export async function isPresent(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
