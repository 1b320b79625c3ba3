import { ConfigError } from './parse-config.ts';
import { type VariableName, variables } from './variables.ts';

/** @throws ConfigError, with the names that are nearest, when there is no such variable */
export function variableName(name: string): VariableName {
  if (Object.hasOwn(variables, name)) return name as VariableName;
  const upper = name.toUpperCase();
  const names = Object.keys(variables);
  const nearest = names.find((other) => other === upper || isOneTypo(other, upper));
  const beginning = names.filter((other) => other.startsWith(upper) || other.endsWith(`_${upper}`));
  const meant = nearest === undefined ? beginning.slice(0, 3) : [nearest];
  const advice = meant.length === 0 ? 'docs/configuration.md lists them' : `did you mean ${meant.join(' or ')}?`;
  throw new ConfigError([`${name}: there is no such variable; ${advice}`]);
}

/** Whether one letter is missing, added, wrong, or changed places with the next one. */
function isOneTypo(name: string, typed: string): boolean {
  let start = 0;
  while (start < name.length && name[start] === typed[start]) start += 1;
  const [rest, typedRest] = [name.slice(start), typed.slice(start)];
  const swapped = `${typedRest.charAt(1)}${typedRest.charAt(0)}${typedRest.slice(2)}`;
  return [typedRest.slice(1), swapped].includes(rest) || [typedRest, typedRest.slice(1)].includes(rest.slice(1));
}
