/** A web stream of what is there already. (`ReadableStream.from` is Node's alone, and the browser's types hide it.) */
export function streamOf<Part>(parts: Iterable<Part>): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
