import type { ChildProcess } from 'node:child_process';

/** The next thing that a process says. @throws Error when it ends without a word */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => {
      child.off('message', onMessage);
      reject(new Error(`A server or reader of the benchmark has ended: ${child.spawnargs.join(' ')}`));
    };
    const onMessage = (message: unknown) => {
      child.off('exit', onExit);
      resolve(message as T);
    };
    child.once('exit', onExit);
    child.once('message', onMessage);
  });
}

/** Sends a process an order and waits for what it says to it. */
export function ask<T>(child: ChildProcess, order: NonNullable<unknown>): Promise<T> {
  const answer = nextMessage<T>(child);
  child.send(order);
  return answer;
}
