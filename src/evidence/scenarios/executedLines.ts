/** Lines of C that hold code, and how often runs came by: for the report, and for lcov. */
import type { ExecutedFile } from '../../explanation';
import { sourceLocationOf } from '../../sourceLocation';
import type { Location, Program } from '../../program/program';
import { addObserver } from '../../semantics/concrete/observers';
import type { Machine } from '../../semantics/concrete/machine';

export class ExecutedLines {
  private readonly at = new Map<Location, { readonly file: string; readonly line: number }>();
  private readonly hits = new Map<Location, number>();

  /** The bundled library is left out. */
  constructor(private readonly program: Program) {
    for (const fn of program.functions) {
      if (fn.library) continue;
      for (const location of fn.locations) {
        const edge = location.edges[0];
        if (edge) this.at.set(location, sourceLocationOf(edge.span));
      }
    }
  }

  watch(machine: Machine): void {
    addObserver(machine, this.at.keys(), (location) => this.hits.set(location, (this.hits.get(location) ?? 0) + 1));
  }

  get files(): readonly ExecutedFile[] {
    const files = new Map<string, Map<number, number>>();
    for (const [location, { file, line }] of this.at) {
      const lines = files.get(file) ?? new Map<number, number>();
      files.set(file, lines);
      lines.set(line, Math.max(lines.get(line) ?? 0, this.hits.get(location) ?? 0));
    }
    return [...files].map(([file, lines]) => ({
      file,
      lines: [...lines].sort(([a], [b]) => a - b).map(([line, hits]) => ({ line, hits })),
      functions: this.program.functions
        .filter((fn) => !fn.library && sourceLocationOf(fn.span).file === file)
        .map((fn) => ({ name: fn.name, line: sourceLocationOf(fn.span).line, hits: this.hits.get(fn.entry) ?? 0 }))
        .sort((a, b) => a.line - b.line),
    }));
  }
}
