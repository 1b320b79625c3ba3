// A thread that takes memory until it has none.
const taken: string[][] = [];
for (;;) taken.push(Array.from({ length: 10_000 }, (_, at) => `${taken.length} ${at}`));
