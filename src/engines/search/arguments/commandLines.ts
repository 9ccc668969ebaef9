/**
 * Command lines: the texts that a program is started with. Options and numbers of the program, texts about as long as
 * its arrays, and changes of those that brought a run further.
 */
import { startArguments, textsOf } from '../../../evidence/scenarios/programStart';
import type { Call } from '../../../evidence/scenarios/scenario';
import type { FunctionDefinition, Program } from '../../../program/program';
import type { Random } from '../../../semantics/concrete/random';
import type { TextMutation } from './textMutation';

const limits = {
  /** Texts behind the program's name, mostly. */
  fewTexts: 4,
  /** Texts of a command line that changes made longer. */
  mostTexts: 40,
  /** Bytes of a text; arrays of which no text of this length reaches the end are left alone. */
  longestText: 4096,
} as const;

export class CommandLines {
  /** Lengths of texts that just fit into an array of the program, or just do not. */
  private readonly lengths: readonly number[];

  constructor(
    program: Program,
    private readonly constants: readonly bigint[],
    private readonly texts: TextMutation,
    private readonly random: Random,
  ) {
    const written = program.objects.filter(({ writable }) => writable);
    const own = program.functions.flatMap(({ library, objects }) => (library ? [] : objects));
    const sizes = new Set([...written, ...own].map(({ sizeBytes }) => sizeBytes));
    for (const constant of constants) if (constant > 0n) sizes.add(Number(constant));
    const lengths = [...sizes].flatMap((size) => [size - 1, size, size + 1]);
    this.lengths = [...new Set(lengths)].filter((length) => length > 1 && length <= limits.longestText);
  }

  /** Any start of the program. */
  start(main: FunctionDefinition): Call {
    return this.with(main, ['program', ...Array.from({ length: this.below(limits.fewTexts) }, () => this.text())]);
  }

  /** A start near one that is known. */
  near(call: Call): Call {
    const [name, ...texts] = textsOf(call) ?? [];
    if (name === undefined) return this.start(call.fn);
    for (let times = 1 + this.below(3); times > 0; times--) this.change(texts);
    return this.with(call.fn, [name, ...texts.slice(0, limits.mostTexts)]);
  }

  private change(texts: string[]): void {
    const at = this.below(texts.length + 1);
    switch (this.below(7)) {
      case 0:
        texts.splice(at, 0, this.text());
        return;
      case 1:
        texts.splice(at, 1);
        return;
      case 2:
        texts.splice(at, 0, ...texts.slice(0, 2));
        return;
      case 3:
        texts.splice(at, 1, this.text());
        return;
      // An option with its value.
      case 4:
        texts.splice(at, this.below(3), textOf(this.texts.word()), this.text());
        return;
      default:
        texts.splice(at, 1, textOf(this.texts.changeBytes([...Buffer.from(texts[at] ?? '', 'latin1')])));
    }
  }

  private with(fn: FunctionDefinition, texts: readonly string[]): Call {
    return { fn, arguments: startArguments(fn, texts) };
  }

  /** An argument as it may be typed. */
  private text(): string {
    switch (this.below(6)) {
      case 0:
      case 1:
        return String(this.constants[this.below(this.constants.length)]!);
      case 2:
        return textOf(this.texts.word());
      case 3:
      case 4:
        return this.lengths.length > 0 ? 'a'.repeat(this.lengths[this.below(this.lengths.length)]!) : 'a';
      default:
        return ['', '0', '-1', 'a', '-a', '--help', 'abcdefgh', 'x=1'][this.below(8)]!;
    }
  }

  private below(bound: number): number {
    return this.random.below(bound);
  }
}

/** Characters other than the 0 that ends a text. */
const textOf = (bytes: readonly number[]): string => Buffer.from(bytes.map((byte) => byte || 0x20)).toString('latin1');
