import type { CommandRun, CommandRuns } from './command-runs.ts';
import type { LeftOut } from './line-gaps.ts';
import { createLineStore, type LineStore } from './line-store.ts';

/** A piece of the log, as the server gives it. */
export interface LogPiece {
  readonly seq: number;
  readonly command: string;
  /** The number of the `command.started` of its run; null where an earlier release wrote it. */
  readonly run_seq: number | null;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /**
   * The kind of a gap, which the text tells in words; null in a piece of the output itself, and in earlier releases.
   */
  readonly left_out: LeftOut | null;
  readonly at: string;
}

/** The output of one run of a command. */
export interface LogSection {
  readonly id: number;
  readonly command: string;
  readonly at: string;
  /** Null until its event is here, and where the events of the run are gone: retention deletes them before the issue. */
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

  function addRun(seq: number, run: Pick<LogSection, 'command' | 'at' | 'run'>): LogSection {
    const section = add({ ...run, id: seq, lines: createLineStore() });
    byRun.set(seq, section);
    return section;
  }

  function sectionOf(piece: LogPiece, runs: CommandRuns): LogSection {
    const seq = piece.run_seq ?? runs.find(piece)?.seq;
    const known = seq === undefined ? undefined : byRun.get(seq);
    if (known !== undefined) return known;
    if (seq !== undefined) return addRun(seq, { command: piece.command, at: piece.at, run: null });
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
        else addRun(run.seq, { command: run.command, at: run.at, run });
      }
    },
    take(pieces, runs) {
      for (const piece of pieces) {
        const { lines } = sectionOf(piece, runs);
        if (piece.left_out === null) lines.append(piece.stream, piece.text);
        else lines.skip(piece.left_out);
      }
    },
  };
}
