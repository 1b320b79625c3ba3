import type { AppError } from '../error/app-error.ts';
import type { ErrorCode } from '../error/error-catalog.ts';
import { isModelUnavailable } from '../error/model-unavailable.ts';
import { environmentFailure } from './environment-failure.ts';
import {
  type CommandSettings,
  type EndedRound,
  nextImplementRound,
  type PipelineState,
  type Prepared,
} from './pipeline-state.ts';
import type { Stage } from './stages.ts';

/**
 * Whether a retry after this failure continues the same round from its journal: the failure says nothing about the
 * agent's work, and no answer of a model is paid for twice.
 */
export function continuesRound(error: AppError): boolean {
  return error.code === 'budget_exhausted' || isModelUnavailable(error);
}

/** Failures of the conversation itself: going on with it would end in the same failure. */
const ENDS_CONVERSATION: ReadonlySet<ErrorCode> = new Set(['model_context_full', 'model_request_refused', 'internal']);

/**
 * The parts that a retry keeps of a round that failed like this. A review that refused is a verdict: the retry reviews
 * afresh.
 */
export function keptByRetry({ code }: AppError): EndedRound['keeps'] {
  if (code === 'workspace_lost' || code === 'review_refused') return 'nothing';
  return ENDS_CONVERSATION.has(code) ? 'tree' : 'conversation';
}

/**
 * The pipeline's state with which a failed issue continues at the stage that failed. Unless the round is resumable, the
 * stage gets a new one with its own journal, which goes on with the conversation of the failed one (`keptByRetry`). The
 * bounds on send-backs start again. Everything found before stays.
 */
export function retriedPipeline({
  pipeline,
  stage,
}: {
  readonly pipeline: PipelineState;
  readonly stage: Stage | null;
}): PipelineState {
  const { rounds } = pipeline;
  if (rounds.resumable) return { ...pipeline, rounds: { ...rounds, resumable: false } };
  const past = { ...rounds.past };
  // A review's round is counted by its send-backs, which start again.
  past.review = (past.review ?? 0) + rounds.review_send_backs;
  let { implement } = rounds;
  if (stage === 'implement') implement = nextImplementRound(rounds);
  else if (stage !== null) past[stage] = (past[stage] ?? 0) + 1;
  return { ...pipeline, rounds: { ...rounds, implement, past, test_send_backs: 0, review_send_backs: 0 } };
}

/** The failed stages that a new preparation cannot help: it runs anyway, or no command follows. */
const NEVER_AGAIN: readonly (Stage | null)[] = [null, 'prepare', 'publish'];

/**
 * Whether a retry leads back to `prepare`: the settings of the commands are not those with which the issue was prepared, or
 * its test command could not run. The base commit stays the same, and so do the plan and its approval.
 */
export function preparesAgain(
  { pipeline: { prepared }, stage }: { readonly pipeline: PipelineState; readonly stage: Stage | null },
  now: CommandSettings,
): boolean {
  if (prepared === null || NEVER_AGAIN.includes(stage)) return false;
  if (prepared.base_test !== null && environmentFailure(prepared.base_test) !== null) return true;
  const { prepared_with: then } = prepared;
  if (then === null) return differsFromCommands(prepared, now);
  return (
    then.setup_command !== now.setup_command ||
    then.test_command !== now.test_command ||
    then.setup_network !== now.setup_network
  );
}

/** For an issue that an older release prepared: what can be told from the commands themselves. */
function differsFromCommands(prepared: Prepared, now: CommandSettings): boolean {
  const differs = (own: string | null, used: string | null) => own !== null && own.trim() !== (used ?? '').trim();
  return (
    differs(now.setup_command, prepared.setup_command) ||
    differs(now.test_command, prepared.test_command) ||
    (now.setup_network && now.setup_command === null && prepared.setup_command === null)
  );
}
