/** A folder of programs whose verdicts stand in a manifest.json instead of in the programs; bit-precise reading. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Property } from '../../src/program/command';
import { readPrograms, type ConformanceProgram } from '../../test/conformance/programs';

interface Manifest {
  readonly programs: readonly {
    readonly id: string;
    readonly file: string;
    readonly entry: string;
    readonly property: string;
    readonly verdict: { readonly c32_wrap: 'safe' | 'unsafe' };
  }[];
}

/** Leaks are no property of their own, so programs that only leak have no place here. */
const properties: Readonly<Record<string, readonly Property[]>> = {
  assert: ['reach'],
  'error-unreachable': ['reach'],
  bounds: ['memsafety'],
  'null-deref': ['memsafety'],
  'null-deref+use-after-free+leak': ['memsafety'],
};

export function readFolder(folder: string): readonly ConformanceProgram[] {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) return readPrograms(folder);
  return (JSON.parse(readFileSync(path, 'utf8')) as Manifest).programs.flatMap(
    ({ id, file, entry, property, verdict }): ConformanceProgram[] => {
      const checkedProperties = properties[property];
      if (!checkedProperties) {
        console.error(`${id}: left out, '${property}' is not asked for by itself`);
        return [];
      }
      return [
        {
          id,
          theme: id.slice(0, id.indexOf('_')),
          path: join(folder, file),
          text: readFileSync(join(folder, file), 'utf8'),
          properties: checkedProperties,
          mode: 'program',
          entry,
          init: undefined,
          dataModel: 'lp64',
          expect: verdict.c32_wrap === 'safe' ? { kind: 'proved' } : { kind: 'bug', line: undefined },
          oracle: 'manifest',
        },
      ];
    },
  );
}
