import { InvalidArgumentError, Option } from 'commander';

export interface LimitOptions {
  readonly usd?: number | 'none';
  readonly tokens?: number | 'none';
}

const amount = (given: string): number | 'none' => {
  if (given === 'none') return given;
  const number = Number(given.replaceAll(/[_,]/g, ''));
  if (given.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('Give a number that is 0 or more, or none.');
  return number;
};

export const usdOption = () =>
  new Option('--usd <amount>', 'limit in US dollars a month; none: no limit; 0: no call').argParser(amount);
export const tokensOption = () =>
  new Option('--tokens <number>', 'limit in tokens a month; none: no limit; 0: no call').argParser(amount);

/** The limits of a request; what was not given stays as it is. */
export function limitsOf({ usd, tokens }: LimitOptions) {
  const limit = (given: number | 'none') => (given === 'none' ? null : given);
  return {
    ...(usd !== undefined && { cost_usd: limit(usd) }),
    ...(tokens !== undefined && { tokens: limit(tokens) }),
  };
}
