import { baseUrlOf, type ModelAccess } from './model-access.ts';
import type { RequestSettings } from './model-settings-file.ts';
import { providerSettings } from './provider-settings.ts';

const TIMEOUT_MS = 2_000; // for all questions together: an issue must not wait for what may be unknown
const PLAUSIBLE = { min: 1_000, max: 100_000_000 }; // tokens

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asks a server that speaks OpenAI's chat completions for a model's window, input and output together, in tokens. Only what
 * the server has set aside counts, not what the model was trained for:
 *
 * - `max_model_len` of vLLM and `context_length` of gateways such as OpenRouter, in `/v1/models`
 * - `meta.n_ctx` of llama.cpp in `/v1/models` (newer servers and llama-swap), or `n_ctx` in `/props`
 * - Ollama: `context_length` of the loaded model in `/api/ps`, or `num_ctx` of its file in `/api/show`
 * - `loaded_context_length` of LM Studio in `/api/v0/models`
 *
 * @param settings of requests to the model: a gateway may want its headers here too
 * @returns null when no answer tells it within two seconds
 */
export async function serverWindow(
  model: string,
  access: ModelAccess,
  { extra_headers = {} }: RequestSettings = {},
): Promise<number | null> {
  const baseUrl = (baseUrlOf('compatible', access) ?? '').replace(/\/+$/, '');
  const root = baseUrl.replace(/\/v1$/, '');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { fetch: ask, apiKey } = providerSettings('compatible', access);
  const headers = new Headers({ 'content-type': 'application/json' });
  if (apiKey !== '') headers.set('authorization', `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(extra_headers)) headers.set(name, value);
  const get = async (url: string, body?: object): Promise<Fields> => {
    try {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await ask(url, { ...init, signal });
      return response.ok ? fieldsOf(await response.json()) : {};
    } catch {
      return {}; // whatever goes wrong here, the model itself is still asked
    }
  };
  const isNamed = ({ id, name, model: known }: Fields) =>
    [id, name, known].some((one) => one === model || one === `${model}:latest`);
  const listed = listIn((await get(`${baseUrl}/models`)).data);
  const found = listed.find(isNamed) ?? (listed.length === 1 ? listed[0] : undefined);
  if (found !== undefined) {
    const window = first(
      found.max_model_len,
      found.loaded_context_length,
      fieldsOf(found.meta).n_ctx,
      found.context_length,
    );
    if (window !== null) return window;
  }
  const [loaded, shown, studio, props] = await Promise.all([
    get(`${root}/api/ps`),
    get(`${root}/api/show`, { model }),
    get(`${root}/api/v0/models`),
    get(`${root}/props`),
  ]);
  return first(
    listIn(loaded.models).find(isNamed)?.context_length,
    /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? ''))?.[1],
    listIn(studio.data).find(isNamed)?.loaded_context_length,
    fieldsOf(props.default_generation_settings).n_ctx,
  );
}

function first(...values: readonly unknown[]): number | null {
  const numbers = values.map((value) => (typeof value === 'string' ? Number(value) : value));
  const isPlausible = (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= PLAUSIBLE.min && value <= PLAUSIBLE.max;
  return numbers.find(isPlausible) ?? null;
}

function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
