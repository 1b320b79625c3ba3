import { byRole, call, planAnswer } from '../../apps/server/test/model-answers.ts';
import { modelNames, startModelServer } from '../../apps/server/test/model-server.ts';
import { freePort, startChromaServer, startPostgres, startRedisServer } from '../../packages/testing/src/index.ts';
import type { Scene } from './scenes.ts';

/** What listens on the reader's machine besides Sluice. */
export interface Neighbours extends AsyncDisposable {
  /** What a shell of the reader has in its environment because of them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the usual ports in a page's text by those at which they really listen. */
  atRealAddresses(text: string): string;
}

export async function openNeighbours(beside: Scene['beside']): Promise<Neighbours> {
  if (beside === 'model') return await openModel();
  if (beside === 'services') return await openServices();
  if (beside === 'receiver') return await letReceive();
  return { environment: {}, atRealAddresses: (text) => text, [Symbol.asyncDispose]: async () => {} };
}

async function openServices(): Promise<Neighbours> {
  const [postgres, redis, chroma] = await Promise.all([startPostgres(), startRedisServer(), startChromaServer()]);
  const database = new URL(await postgres.createDatabase());
  await postgres.query('create database sluice');
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const real = {
    'sluice:PASSWORD@127.0.0.1:5432/sluice': `${database.username}@${database.host}/sluice`,
    'redis://127.0.0.1:6379': redis.url,
    'http://127.0.0.1:8000': chroma.url.origin,
    'http://127.0.0.1:3000': `http://127.0.0.1:${apiPort}`,
    'PORT=3001': `PORT=${workerPort}`,
  };
  return {
    environment: { PORT: String(apiPort) },
    atRealAddresses: (text) => replaced(text, real),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([postgres, redis, chroma].map((service) => service[Symbol.asyncDispose]()));
    },
  };
}

/** A free port for the receiver that a page starts, to which the server may send. */
async function letReceive(): Promise<Neighbours> {
  const port = String(await freePort());
  return {
    environment: { NOTIFY_ALLOW_HOSTS: `127.0.0.1:${port}` },
    atRealAddresses: (text) => replaced(text, { '127.0.0.1:9000': `127.0.0.1:${port}`, 'mjs 9000': `mjs ${port}` }),
    [Symbol.asyncDispose]: async () => {},
  };
}

const DISCOUNT = `    total = unit_price * count
    return round(total * 0.9) if count >= 10 else total
`;
const TEST = `

def test_ten_pieces_cost_ten_percent_less():
    assert line_total(100, 10) == 900
`;

/** A model on the real wire that plans and writes the one change that a page asks for. */
async function openModel(): Promise<Neighbours> {
  const edit = (path: string, old_text: string, new_text: string) => call('edit_file', { path, old_text, new_text });
  const lastAssertion = '    assert line_total(100, 9) == 900\n';
  const changes = [
    edit('prices.py', '    return unit_price * count\n', DISCOUNT),
    edit('tests/test_prices.py', lastAssertion, `${lastAssertion}${TEST}`),
  ];
  const model = await startModelServer(
    byRole({
      planner: ({ turn }) =>
        turn === 0
          ? { calls: [call('read_file', { path: 'prices.py' })] }
          : planAnswer(['prices.py', 'tests/test_prices.py'], 'Lines of ten pieces and more get the discount.'),
      coder: ({ turn }) => (turn === 0 ? { calls: changes } : { text: 'Large orders get their discount.' }),
    }),
  );
  const { MODEL_API_KEY = '', MODEL_BASE_URL = '' } = model.environment('compatible');
  // The registry of a test machine may be a mirror in a private network, with a certificate of its own.
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const registry = { ALLOW_PRIVATE_HOSTS: 'on', ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }) };
  const real = { 'http://127.0.0.1:11434/v1': MODEL_BASE_URL, 'qwen3:32b': modelNames.compatible };
  return {
    environment: { MODEL_API_KEY, ...registry },
    atRealAddresses: (text) => replaced(text, real),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

function replaced(text: string, real: Readonly<Record<string, string>>): string {
  return Object.entries(real).reduce((read, [shown, meant]) => read.replaceAll(shown, meant), text);
}
