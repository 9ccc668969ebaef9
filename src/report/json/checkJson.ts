/* Generated from check.schema.json by scripts/build-schema.js; change the schema and run `npm run schema`. */
import type {PropertyJson} from './verdictJson';

/**
 * The line that `provest check --json` writes to standard output. Any change of its shape raises schemaVersion.
 */
export interface CheckJson {
  /**
   * Version of this schema.
   */
  schemaVersion: 1;
  tool: {
    name: 'provest';
    version: string;
  };
  /**
   * rejected: it is wrong, or for other text. unconfirmed: neither that nor confirmed.
   */
  witness: 'confirmed' | 'rejected' | 'unconfirmed';
  type: 'proof' | 'violation';
  properties: PropertyJson[];
  reason: string;
}
