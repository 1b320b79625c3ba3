export {
  actualOf,
  type Estimate,
  estimateRest,
  estimateSchema,
  estimateWire,
  LEAST_RUNS,
  MOST_RUNS,
  type PastRun,
  planSize,
  type Range,
} from './estimate.ts';
