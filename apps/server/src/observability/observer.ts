import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Telemetry } from '@sluice/core/operation';
import type { Usage } from '@sluice/core/pipeline';

/** A call to something outside the process. Its name never contains an argument or an answer. */
interface ObservedCall {
  readonly kind: 'codehost' | 'command' | 'model';
  readonly name: string;
}

/** Observes what the service does. An observer never throws, never delays the work and changes nothing. */
export interface Observer {
  readonly telemetry: Telemetry;
  around<T>(call: ObservedCall, work: () => Promise<T>): Promise<T>;
  /** Called when the embedding model has answered, for an index or a search. */
  textsEmbedded(answer: { readonly model: string; readonly usage: Usage }): void;
  /** Called before the request is handled. */
  requestCame(req: IncomingMessage, res: ServerResponse): void;
}

/** Combines two observers; `inner` runs inside `outer`. */
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
      notificationAttempted: (attempt) => {
        outer.telemetry.notificationAttempted(attempt);
        inner.telemetry.notificationAttempted(attempt);
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
