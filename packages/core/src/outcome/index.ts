export {
  type BuildEnd,
  buildEnds,
  type ChangeRequestRecord,
  type CloseAnswer,
} from './change-request-record.ts';
export { explainClose } from './explain-close.ts';
export { openedRecord, republishedRecord } from './opened-record.ts';
export { figuresOf, type OutcomeFigures, outcomeFiguresSchema } from './outcome-figures.ts';
export { DEFAULT_OUTCOME_DAYS } from './outcome-period.ts';
export {
  type ChangeRequestKey,
  type GroupTally,
  type NewCloseAnswer,
  type OutcomeGrouping,
  type OutcomeQuery,
  type OutcomeStore,
  outcomeGroupings,
} from './outcome-store.ts';
export { countsOf, NO_OUTCOMES, toPicoUsd } from './outcome-tally.ts';
export { outcomesCsv } from './outcomes-csv.ts';
export { type OutcomesWire, outcomeGroupWire, outcomesWire, toOutcomesWire } from './outcomes-wire.ts';
export { readOutcomes } from './read-outcomes.ts';
export { type OutcomeFacts, updateOutcome } from './update-outcome.ts';
