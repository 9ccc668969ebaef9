/**
 * A witness that a program reads an uninitialised value where the machine says so, for reads that no sanitizer and no
 * warning of gcc's sees (a plain copy, say). The expression in question is made to write its value when it is
 * evaluated. Natively the program runs twice, with fresh memory full of zeros and full of a pattern
 * (`-ftrivial-auto-var-init`, glibc's `MALLOC_PERTURB_`): where the pattern shows up in place of zeros, the value came
 * from nowhere.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Span } from '../../src/c/source';

/** `-ftrivial-auto-var-init=pattern` fills with 0xFE; glibc with the complement of its variable's lowest byte. */
const fills = [
  { name: 'zero', perturb: '255' },
  { name: 'pattern', perturb: '1' },
] as const;

const observer = `#include <stdio.h>
void __witness(const void *value, unsigned long size) {
  const unsigned char *bytes = value;
  for (unsigned long i = 0; i < size; i++) fprintf(stderr, "%02x", bytes[i]);
  fputc('\\n', stderr);
}`;

/** `flags` may name further files of the program. */
export function readsFreshMemory(path: string, span: Span, flags: readonly string[]): boolean {
  return observedForms(path, span).some((text) => {
    const [zeros, pattern] = fills.map(({ name, perturb }) =>
      observation(text, path, [`-ftrivial-auto-var-init=${name}`, ...flags], { MALLOC_PERTURB_: perturb }),
    );
    return zeros !== undefined && pattern !== undefined && pattern.some((value, i) => filled(value, zeros[i] ?? ''));
  });
}

/**
 * Whether a comparison or difference of pointers has another value where the compiler puts objects elsewhere, as its
 * address sanitizer does.
 */
export function dependsOnLayout(path: string, span: Span, flags: readonly string[]): boolean {
  return observedForms(path, span).some((text) => {
    const [plain, spread] = [[], ['-fsanitize=address']].map((layout) =>
      observation(text, path, [...layout, ...flags], { ASAN_OPTIONS: 'detect_leaks=0:halt_on_error=0' }),
    );
    return (
      plain !== undefined &&
      spread !== undefined &&
      plain.length > 0 &&
      spread.some((value, i) => i < plain.length && value !== plain[i])
    );
  });
}

/**
 * The program with the value of that expression written when it is evaluated, in the ways in which that can be done.
 */
function observedForms(path: string, span: Span): string[] {
  if (span.file.path !== path) return [];
  const { text } = span.file;
  const expression = text.slice(span.start, span.end);
  // `+ 0` lets a bit-field be read; what is no number or pointer is read as it is; what is changed as well stays a
  // place.
  return [
    ...[`(${expression}) + 0`, `(${expression})`].map(
      (read) => `({ __auto_type __value = ${read}; __witness(&__value, sizeof __value); __value; })`,
    ),
    `(*({ __auto_type __place = &(${expression}); __witness(__place, sizeof *__place); __place; }))`,
  ].map(
    (observed) =>
      `void __witness(const void *, unsigned long);\n${text.slice(0, span.start)}${observed}${text.slice(span.end)}`,
  );
}

function filled(pattern: string, zeros: string): boolean {
  return (pattern.match(/../g) ?? []).some((byte, i) => byte === 'fe' && zeros.slice(2 * i, 2 * i + 2) === '00');
}

/** What was written, a line per evaluation; undefined when that does not compile. */
function observation(
  text: string,
  path: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'provest-witness-'));
  try {
    writeFileSync(join(folder, 'program.c'), text);
    writeFileSync(join(folder, 'observer.c'), observer);
    const binary = join(folder, 'program');
    const { status } = spawnSync(
      'gcc',
      [
        '-w',
        '-O0',
        '-iquote',
        dirname(path),
        ...flags,
        '-o',
        binary,
        join(folder, 'program.c'),
        join(folder, 'observer.c'),
        '-lm',
      ],
      { stdio: 'ignore' },
    );
    if (status !== 0) return undefined;
    const { stderr } = spawnSync(binary, {
      timeout: 30_000,
      encoding: 'latin1',
      maxBuffer: 2 ** 26,
      env: { ...process.env, ...environment },
    });
    return stderr.split('\n').filter((line) => /^[0-9a-f]+$/.test(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
