import {
  type Implementation,
  NEW_PIPELINE,
  type PipelineState,
  type Prepared,
  type Publication,
  type Rounds,
} from '@sluice/core/pipeline';
import type { StoredForm } from './kit.ts';

/**
 * A pipeline's state as the column `issues.pipeline` holds it: flat, as every release has written it so far. Releases
 * that follow each other run side by side on Postgres, so a process of the release before must be able to continue what
 * this one wrote. Older releases left out keys that they did not know, so each of them may be absent.
 */
export interface PipelineDocument extends Partial<Omit<Prepared, 'base_commit' | 'tree'>> {
  readonly branch?: string | null;
  readonly follow_up?: PipelineState['follow_up'];
  readonly warnings?: readonly string[];
  readonly base_commit?: string | null;
  readonly tree?: string | null;
  readonly resume_at?: PipelineState['resume_at'];
  readonly triage?: PipelineState['triage'];
  readonly guidance?: string | null;
  readonly base_moved?: readonly string[] | null;
  readonly retrieved?: readonly string[];
  readonly approved?: PipelineState['approved'];
  readonly budget?: PipelineState['budget']['limit'];
  readonly budget_warned?: boolean;
  readonly cost_unknown_told?: boolean;
  readonly implement_round?: number;
  readonly past_rounds?: Rounds['past'];
  readonly test_send_backs?: number;
  readonly review_send_backs?: number;
  readonly round_goes_on?: boolean;
  readonly ended_round?: PipelineState['ended'];
  readonly feedback?: string | null;
  readonly implementation?:
    | (Pick<Implementation, 'summary' | 'head_commit'> &
        Partial<Pick<Implementation, 'outside_plan' | 'ran' | 'made_by' | 'prompt_revision' | 'findings'>>)
    | null;
  readonly remark_answers?: PipelineState['remark_answers'];
  readonly tests?: Implementation['tests'];
  readonly review?: Implementation['review'];
  readonly must_pass?: readonly string[];
  readonly reproduction_asked?: boolean;
  readonly publication?: (Omit<Publication, 'asked'> & Partial<Pick<Publication, 'asked'>>) | null;
  readonly reminded_at?: string;
}

export const pipelineForm: StoredForm<PipelineState, PipelineDocument> = {
  toStored: toDocument,
  fromStored: fromDocument,
};

function toDocument(state: PipelineState): PipelineDocument {
  const { budget, prepared, planning, rounds, implementation, testing, reminded_at } = state;
  return {
    branch: state.branch,
    ...(state.follow_up !== null && { follow_up: state.follow_up }),
    warnings: state.warnings,
    base_commit: prepared?.base_commit ?? null,
    tree: prepared?.tree ?? null,
    setup_command: prepared?.setup_command ?? null,
    test_command: prepared?.test_command ?? null,
    setup_source: prepared?.setup_source ?? null,
    test_source: prepared?.test_source ?? null,
    ...(prepared !== null && prepared.prepared_with !== null && { prepared_with: prepared.prepared_with }),
    base_test: prepared?.base_test ?? null,
    ...(prepared?.environment != null && { environment: prepared.environment }),
    ...(state.resume_at !== null && { resume_at: state.resume_at }),
    triage: state.triage,
    guidance: planning.guidance,
    base_moved: planning.base_moved,
    // The release before tells "none" by the key's absence, here and below.
    ...(planning.retrieved !== null && { retrieved: planning.retrieved }),
    approved: state.approved,
    budget: budget.limit,
    budget_warned: budget.warned,
    cost_unknown_told: budget.cost_unknown,
    implement_round: rounds.implement,
    past_rounds: rounds.past,
    test_send_backs: rounds.test_send_backs,
    review_send_backs: rounds.review_send_backs,
    round_goes_on: rounds.resumable,
    ...(state.ended !== null && { ended_round: state.ended }),
    feedback: state.feedback,
    implementation: implementation === null ? null : implementationDocument(implementation),
    ...(state.remark_answers.length > 0 && { remark_answers: state.remark_answers }),
    tests: implementation?.tests ?? null,
    review: implementation?.review ?? null,
    ...(testing.must_pass.length > 0 && { must_pass: testing.must_pass }),
    ...(testing.reproduction_asked && { reproduction_asked: true }),
    publication: state.publication,
    ...(reminded_at !== null && { reminded_at }),
  };
}

function implementationDocument(implementation: Implementation) {
  const { summary, head_commit, outside_plan, ran, made_by, prompt_revision, findings } = implementation;
  return {
    summary,
    head_commit,
    outside_plan,
    ...(ran !== null && { ran }),
    ...(made_by.length > 0 && { made_by }),
    ...(prompt_revision != null && { prompt_revision }),
    ...(findings.length > 0 && { findings }),
  };
}

function fromDocument(stored: PipelineDocument): PipelineState {
  const { rounds } = NEW_PIPELINE;
  return {
    branch: stored.branch ?? null,
    follow_up: stored.follow_up ?? null,
    warnings: stored.warnings ?? [],
    budget: {
      limit: stored.budget ?? null,
      warned: stored.budget_warned ?? false,
      cost_unknown: stored.cost_unknown_told ?? false,
    },
    prepared: preparedFrom(stored),
    resume_at: stored.resume_at ?? null,
    triage: stored.triage ?? null,
    planning: {
      guidance: stored.guidance ?? null,
      base_moved: stored.base_moved ?? null,
      retrieved: stored.retrieved ?? null,
    },
    approved: stored.approved ?? null,
    rounds: {
      implement: stored.implement_round ?? rounds.implement,
      test_send_backs: stored.test_send_backs ?? rounds.test_send_backs,
      review_send_backs: stored.review_send_backs ?? rounds.review_send_backs,
      past: stored.past_rounds ?? rounds.past,
      resumable: stored.round_goes_on ?? rounds.resumable,
    },
    ended: stored.ended_round ?? null,
    feedback: stored.feedback ?? null,
    implementation: implementationFrom(stored),
    remark_answers: stored.remark_answers ?? [],
    testing: { must_pass: stored.must_pass ?? [], reproduction_asked: stored.reproduction_asked ?? false },
    publication: stored.publication == null ? null : { ...stored.publication, asked: stored.publication.asked ?? [] },
    reminded_at: stored.reminded_at ?? null,
  };
}

function preparedFrom(stored: PipelineDocument): Prepared | null {
  if (stored.base_commit == null) return null;
  return {
    base_commit: stored.base_commit,
    // No tree is called so: where an early release recorded none, the work is put back into the tree that is there.
    tree: stored.tree ?? '',
    setup_command: stored.setup_command ?? null,
    test_command: stored.test_command ?? null,
    setup_source: stored.setup_source ?? null,
    test_source: stored.test_source ?? null,
    prepared_with: stored.prepared_with ?? null,
    base_test: stored.base_test ?? null,
    ...(stored.environment != null && { environment: stored.environment }),
  };
}

function implementationFrom({ implementation, tests, review }: PipelineDocument): Implementation | null {
  if (implementation == null) return null;
  const { outside_plan = [], ran = null, made_by = [], findings = [] } = implementation;
  return { ...implementation, outside_plan, ran, made_by, tests: tests ?? null, review: review ?? null, findings };
}
