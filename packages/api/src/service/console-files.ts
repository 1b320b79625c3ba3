/** The built console, as it is in memory. */
export interface ConsoleFiles {
  readonly html: string;
  /**
   * The files of the console by their paths (`/assets/main-D4x0Qz.js`). The hash in the name changes with the content.
   */
  readonly assets: ReadonlyMap<string, ConsoleAsset>;
}

export interface ConsoleAsset {
  readonly body: Uint8Array;
  /** The same, compressed when it was built. What compressing does not make smaller has none. */
  readonly br: Uint8Array | null;
  readonly gzip: Uint8Array | null;
}
