/** The verdicts of a run as an editor shows them later: with the texts they are about. */
import { resolve } from 'node:path';
import { packageVersion } from '../../src/cli/version';
import type { LastVerdict } from '../../src/report';
import type { ModuleIdentity, RunRecord } from '../session/records';

/**
 * `testFiles`: those whose earlier verdicts are replaced, absolute. A file of which only a part was run says nothing,
 * and what was known of it stays.
 */
export function lastVerdicts(
  records: readonly RunRecord[],
  base: string,
): { readonly testFiles: ReadonlySet<string>; readonly verdicts: readonly LastVerdict[] } {
  const identity = ({ module, testFile, line }: ModuleIdentity): string => JSON.stringify([module, testFile, line]);
  const fingerprints = new Map<string, Readonly<Record<string, string>>>();
  for (const record of records)
    if (record.kind === 'loaded' && record.sources && record.fingerprints) {
      const texts = record.fingerprints;
      // Nothing could be said later about the text of a file that could not be read.
      if (record.sources.every((file) => Object.hasOwn(texts, file))) fingerprints.set(identity(record), texts);
    }
  const verdicts = new Map<string, LastVerdict>();
  for (const record of records) {
    const sources = fingerprints.get(identity(record));
    if (record.kind !== 'verdict' || !record.json || !sources || record.json.reason?.cause === 'not-run') continue;
    // Questions about other properties are verdicts beside it.
    verdicts.set(`${identity(record)} ${record.json.property}`, {
      testFile: resolve(base, record.testFile),
      line: record.line,
      ...(record.variable !== undefined && { variable: record.variable }),
      sources,
      base,
      verdict: { ...record.json, tool: { name: 'provest', version: packageVersion() } },
    });
  }
  const all = [...verdicts.values()];
  return { testFiles: new Set(all.map(({ testFile }) => testFile)), verdicts: all };
}
