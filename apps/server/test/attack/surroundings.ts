/** What the attacker knows of the host, so that nothing is safe only because it was not found. */
export interface Surroundings {
  readonly url: string;
  readonly modelUrl: string;
  readonly cookie: string;
  readonly dataDir: string;
  readonly servicePid: number;
  readonly home: string;
  readonly hostRoot: string;
  readonly proof: string;
  readonly port: number;
  readonly address: string;
  readonly socket: string;
  readonly abstractSocket: string;
  /** Another person's issue at its gate, its working tree, clone and origin. */
  readonly victimIssue: string;
  readonly victimRepo: string;
  readonly victimTree: string;
  readonly victimClone: string;
  readonly victimOrigin: string;
  /** In the command line of every process that is to outlive its command. */
  readonly marker: string;
}
