import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Telemetry, Usage } from '@sluice/core';

/** A call to something outside the process. Its name is one of ours: nothing of an argument or an answer is in it. */
interface ObservedCall {
  readonly kind: 'codehost' | 'command' | 'model';
  readonly name: string;
}

/** Who wants to know what the service does. Never throws of its own, never waits, changes nothing. */
export interface Observer {
  readonly telemetry: Telemetry;
  around<T>(call: ObservedCall, work: () => Promise<T>): Promise<T>;
  /** The embedding model has answered: for the index that all issues of a repository share, or for a search. */
  textsEmbedded(answer: { readonly model: string; readonly usage: Usage }): void;
  /** Told before anybody answers. */
  requestCame(req: IncomingMessage, res: ServerResponse): void;
}

/** Both at once; the second one sees what the first one surrounds. */
export function bothObservers(outer: Observer, inner: Observer): Observer {
  return {
    telemetry: {
      modelAnswered: (answer) => {
        outer.telemetry.modelAnswered(answer);
        inner.telemetry.modelAnswered(answer);
      },
      duringStage: (run, work) => outer.telemetry.duringStage(run, () => inner.telemetry.duringStage(run, work)),
      stageEnded: (run) => {
        outer.telemetry.stageEnded(run);
        inner.telemetry.stageEnded(run);
      },
      retrievalJudged: (judgement) => {
        outer.telemetry.retrievalJudged(judgement);
        inner.telemetry.retrievalJudged(judgement);
      },
    },
    around: (call, work) => outer.around(call, () => inner.around(call, work)),
    textsEmbedded: (answer) => {
      outer.textsEmbedded(answer);
      inner.textsEmbedded(answer);
    },
    requestCame: (req, res) => {
      outer.requestCame(req, res);
      inner.requestCame(req, res);
    },
  };
}
