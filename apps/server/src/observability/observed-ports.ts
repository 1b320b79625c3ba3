import type { CodeHost } from '@sluice/core/code-host';
import type { Embedder } from '@sluice/core/code-search';
import type { Limiter } from '@sluice/core/request';
import type { Sandbox } from '@sluice/core/workspace';
import type { Observer } from './observer.ts';

type Around = Observer['around'];

/** The code host, with every call observed by its name. */
export function observedCodeHost(host: CodeHost, around: Around): CodeHost {
  const methods = Object.entries(host) as [string, unknown][];
  const observed = methods.map(([name, method]) => {
    if (typeof method !== 'function') return [name, method] as const;
    const call = (...args: unknown[]) => around({ kind: 'codehost', name }, async () => method.apply(host, args));
    return [name, call] as const;
  });
  return Object.fromEntries(observed) as unknown as CodeHost;
}

/** The sandbox, with every command observed, but not the command's text. */
export function observedSandbox(sandbox: Sandbox, around: Around): Sandbox {
  return {
    kind: sandbox.kind,
    probe: () => sandbox.probe(),
    run: (command) => around({ kind: 'command', name: 'run' }, () => sandbox.run(command)),
  };
}

/** The embedding model, with every call observed by its name. */
export function observedEmbedder(embedder: Embedder, around: Around): Embedder {
  return {
    id: embedder.id,
    embed: (...question) => around({ kind: 'model', name: embedder.id }, () => embedder.embed(...question)),
  };
}

interface StreamingModel {
  doStream(options: unknown): PromiseLike<{ stream: ReadableStream<unknown> }>;
}

/** A model whose answers are observed from the request to the end of the stream. */
export function observedModel<Model extends object>(model: Model, as: { name: string; around: Around }): Model {
  return new Proxy(model, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      if (property !== 'doStream') return member.bind(target);
      return (options: unknown) => streamed(target as unknown as StreamingModel, { ...as, options });
    },
  });
}

async function streamed(
  model: StreamingModel,
  { name, around, options }: { name: string; around: Around; options: unknown },
) {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<Awaited<ReturnType<StreamingModel['doStream']>>>();
  const work = async () => {
    const answer = await model.doStream(options);
    begun.resolve(answer);
    await ended.promise;
  };
  around({ kind: 'model', name }, work).catch((error: unknown) => begun.reject(error));
  const { stream, ...rest } = await begun.promise;
  return { ...rest, stream: stream.pipeThrough(endOf(ended.resolve)) };
}

/** Passes everything on and calls `onEnd` when the stream is read to its end or cancelled. */
function endOf(onEnd: () => void): TransformStream<unknown, unknown> {
  // `cancel` is called when the reader cancels; lib.dom does not declare it yet.
  const transformer: Transformer<unknown, unknown> & { cancel(): void } = { flush: onEnd, cancel: onEnd };
  return new TransformStream(transformer);
}

/** The limiter, with its refusals observed. */
export function observedLimiter(limiter: Limiter, refused: (limit: string) => void): Limiter {
  return {
    ...limiter,
    consume: async (name, key) => {
      const verdict = await limiter.consume(name, key);
      if (!verdict.allowed) refused(name);
      return verdict;
    },
  };
}
