export {
  type Actual,
  actualOf,
  type Estimate,
  type EstimateWire,
  estimateRest,
  estimateSchema,
  estimateWire,
  LEAST_RUNS,
  MOST_RUNS,
  type PastRun,
  planSize,
  type Range,
} from './estimate.ts';
