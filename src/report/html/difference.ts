/** Changes since the last report, which is read back from its own file: failures introduced, fixed and still there. */
import type { Finding, ModuleReport } from './moduleReport';

export interface Difference {
  /** When the earlier report was made. */
  readonly since: string;
  readonly before: string;
  readonly introduced: readonly Finding[];
  readonly fixed: readonly Finding[];
  readonly still: readonly Finding[];
  /** Share of the abstract states the tests reached, then; null when it was not measured. */
  readonly ratioBefore: number | null;
}

export interface EarlierReport {
  readonly created: string;
  readonly modules: readonly EarlierModule[];
}
type EarlierModule = Pick<ModuleReport, 'name' | 'word' | 'findings'> & {
  readonly verdict: { readonly adequacy: { readonly ratio: number } | null };
};

export const dataElement = 'provest-data';

/** The data of a report's page; undefined for any other text. */
export function readReport(html: string): EarlierReport | undefined {
  const [, json] = new RegExp(`<script type="application/json" id="${dataElement}">([^<]*)</script>`).exec(html) ?? [];
  if (json === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(json);
    return isReport(data) ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // cut off: as good as none
    throw error;
  }
}

export function differenceTo(earlier: EarlierReport | undefined, now: ModuleReport): Difference | null {
  const before = earlier?.modules.find(({ name }) => name === now.name);
  if (!earlier || !before) return null;
  const known = new Set(before.findings.map(({ id }) => id));
  const found = new Set(now.findings.map(({ id }) => id));
  return {
    since: earlier.created,
    before: before.word,
    ratioBefore: before.verdict.adequacy?.ratio ?? null,
    introduced: now.findings.filter(({ id }) => !known.has(id)),
    still: now.findings.filter(({ id }) => known.has(id)),
    fixed: before.findings.filter(({ id }) => !found.has(id)),
  };
}

function isReport(data: unknown): data is EarlierReport {
  if (!isRecord(data) || typeof data.created !== 'string' || !Array.isArray(data.modules)) return false;
  return data.modules.every(
    (module: unknown) =>
      isRecord(module) &&
      typeof module.name === 'string' &&
      typeof module.word === 'string' &&
      isRecord(module.verdict) &&
      Array.isArray(module.findings) &&
      module.findings.every(
        (finding: unknown) => isRecord(finding) && typeof finding.id === 'string' && typeof finding.title === 'string',
      ),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
