export {
  actualOf,
  type Estimate,
  estimateRest,
  estimateSchema,
  estimateWire,
  MAX_RUNS,
  MIN_RUNS,
  type PastRun,
  planSize,
  type Range,
} from './estimate.ts';
