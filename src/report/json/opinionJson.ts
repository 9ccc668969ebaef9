/* Generated from opinion.schema.json by scripts/build-schema.js; change the schema and run `npm run schema`. */
import type {PropertyJson} from './verdictJson';

/**
 * The line that `provest check --with --json` writes to standard output. Any change of its shape raises schemaVersion.
 */
export interface OpinionJson {
  /**
   * Version of this schema.
   */
  schemaVersion: 1;
  tool: {
    name: 'provest';
    version: string;
  };
  /**
   * The other verifier.
   */
  peer: 'cbmc';
  /**
   * Our own; only a proof has checks here.
   */
  verdict: string;
  /**
   * Loops with a contract.
   */
  loops: number;
  /**
   * Loops whose invariant the peer has not, or not all of.
   */
  incomplete: {
    line: number;
    reason: string;
  }[];
  /**
   * Functions without a body, of which the peer assumes less than we do.
   */
  withoutBody: string[];
  /**
   * Why the peer has no opinion.
   */
  failed: string | null;
  checks: {
    check: string;
    property: PropertyJson;
    line: number;
    column: number;
    text: string;
    opinion: 'confirmed' | 'refuted' | 'not-decided';
    reason: string | null;
  }[];
}
