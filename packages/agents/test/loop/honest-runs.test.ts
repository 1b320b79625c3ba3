import { isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { type Calls, episodes, files, plan, Work } from './honest-work.ts';
import { scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn } from './scripted-model.ts';

/* Long runs of an agent that works. None of them may be taken for a loop. */

const MIN_TURNS = 32;
const MIXTURES = isSoakRun ? 60 : 2;

interface Run {
  readonly name: string;
  readonly turns: readonly Calls[];
  readonly ends: Work['ends'];
}

function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A run of episodes, as many as it takes. */
function runOf(name: string, nextEpisode: () => (work: Work) => Calls[]): Run {
  const work = new Work();
  const turns: Calls[] = [];
  while (turns.length < MIN_TURNS) turns.push(...nextEpisode()(work));
  return { name, turns, ends: work.ends };
}

function mixture(seed: number): Run {
  const random = randomOf(seed + 1);
  const all = Object.values(episodes);
  return runOf(`mixes all of it (${seed})`, () => all[Math.floor(random() * all.length)] ?? (() => []));
}

const runs = [
  ...Object.entries(episodes).map(([name, episode]) => runOf(name, () => episode)),
  ...Array.from({ length: MIXTURES }, (_, seed) => mixture(seed)),
];

describe('an agent that works for long', () => {
  it.each(runs)('is not stopped: it $name', async ({ turns, ends }) => {
    const script = (_request: number, prompt: readonly { role: string }[]): ScriptedTurn => {
      const calls = turns[prompt.filter(({ role }) => role === 'assistant').length];
      return calls === undefined ? finished('Done.') : { calls };
    };
    const left = [...ends];
    const command = async () => {
      const end = left.shift();
      if (end?.writes !== undefined) await coder.files.write(end.writes, `written by command ${left.length}`);
      return { output: end?.output ?? '', exitCode: end?.exitCode ?? 0 };
    };
    const coder = scriptedCoder(script, { files, plan, command, choice: { maxTurns: 200 } });
    const { output } = await coder.run();
    expect(output.outcome).toBe('done');
    expect(left).toEqual([]);
    expect(coder.requests.length).toBeGreaterThan(MIN_TURNS);
  });
});
