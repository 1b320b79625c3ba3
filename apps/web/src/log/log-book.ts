import type { CommandRun, CommandRuns } from './command-runs.ts';
import { createLineStore, type LineStore } from './line-store.ts';

/** A piece of the log, as the server gives it. */
export interface LogPiece {
  readonly seq: number;
  readonly command: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  readonly at: string;
}

/** The output of one run of a command. */
export interface LogSection {
  readonly id: number;
  readonly command: string;
  readonly at: string;
  /** Null where the events of the run are gone: retention deletes them before the issue. */
  run: CommandRun | null;
  readonly lines: LineStore;
}

/** The whole log, one section for each run of a command, in the order in which they began. */
export interface LogBook {
  readonly sections: readonly LogSection[];
  /** Adds the sections of runs that are new, and the ends of those that have ended. */
  takeRuns(runs: CommandRuns): void;
  /** Adds pieces to the sections of their runs. */
  take(pieces: readonly LogPiece[], runs: CommandRuns): void;
}

export function createLogBook(): LogBook {
  const sections: LogSection[] = [];
  const byRun = new Map<number, LogSection>();

  function add(section: LogSection): LogSection {
    const isLatest = (sections.at(-1)?.at ?? '') <= section.at;
    sections.push(section);
    if (!isLatest) sections.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    return section;
  }

  function sectionOf(piece: LogPiece, runs: CommandRuns): LogSection {
    const run = runs.find(piece);
    const known = run === null ? undefined : byRun.get(run.seq);
    if (known !== undefined) return known;
    const last = sections.at(-1);
    if (last?.run === null && last.command === piece.command) return last;
    return add({ id: -piece.seq, command: piece.command, at: piece.at, run: null, lines: createLineStore() });
  }

  return {
    sections,
    takeRuns({ runs }) {
      for (const run of runs) {
        const section = byRun.get(run.seq);
        if (section !== undefined) section.run = run;
        else {
          const { seq, command, at } = run;
          byRun.set(seq, add({ id: seq, command, at, run, lines: createLineStore() }));
        }
      }
    },
    take(pieces, runs) {
      for (const piece of pieces) sectionOf(piece, runs).lines.append(piece.stream, piece.text);
    },
  };
}
