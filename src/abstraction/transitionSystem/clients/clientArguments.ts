/**
 * The arguments that a client passes: values in range of narrow types (by sort), and pointers that are null or lead to
 * the start of a live object of their type, or where the module itself has handed one out.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { Variable } from '../../../program/expression';
import { isCallableOrNull } from '../../../semantics/symbolic/functionPointerAssumptions';
import { passedFunctions } from '../../../semantics/pointers/passedFunctions';
import { passedStructure } from '../../../program/passedStructure';
import { isProgramStart } from '../../../program/programStart';
import type { FunctionDefinition, Program } from '../../../program/program';
import type { RecordLayout } from '../../../c/types';
import { elementBytes } from '../../../semantics/pointers/clientObjects';
import { noCallBacks } from '../../../semantics/pointers/callbacks';
import { type Initialisers, setsUp } from '../../../semantics/pointers/initialisers';
import { keepsBlocks } from '../../../semantics/pointers/keptBlocks';
import type { EscapedPointer } from '../../../semantics/pointers/regionNode';
import { type MemoryModel } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicMemory, SymbolicState } from '../../../semantics/symbolic/symbolicMemory';
import { isPointer, type SymbolicPointer, type SymbolicValue } from '../../../semantics/symbolic/symbolicValues';
import { argumentOf, mayAliasModule, pointeeOf } from './moduleAliases';
import { definedArgument } from '../definedness';
import { startTexts } from '../startTexts';
import type { SystemOptions } from '../transitionSystem';

export class ClientArguments {
  /** Allocation sites of blocks that the module keeps to itself. */
  private keptSites: readonly bigint[] | undefined;

  constructor(
    private readonly memoryModel: MemoryModel,
    private readonly options: SystemOptions,
    private readonly handles: ReadonlySet<RecordLayout>,
    private readonly initialisers: Initialisers,
    private readonly escaped: readonly EscapedPointer[],
  ) {}

  private get program(): Program {
    return this.memoryModel.program;
  }

  /** Assumptions about the arguments in a state at the function's entry. */
  assumptions(fn: FunctionDefinition, state: SymbolicState): readonly Term[] {
    const assumptions: Term[] = [];
    const { half, lastStatic } = this.memoryModel;
    const bits = (n: number): Term => L.bits(BigInt(n), half);
    const isStart = this.options.mode === 'program' && isProgramStart(fn);
    if (isStart) assumptions.push(...this.startAssumptions(fn, state));
    for (const parameter of fn.parameters) {
      const value: SymbolicValue = state.locals[parameter.slot]!;
      if (parameter.ctype?.kind === 'integer' && parameter.ctype.name === 'bool' && !isPointer(value))
        assumptions.push(L.ule(value, L.bits(1n, 8)));
      if (!isPointer(value)) continue;
      const { object, offset } = value;
      const { memory } = state;
      const functions = passedFunctions(parameter.ctype, this.program);
      if (functions) {
        assumptions.push(isCallableOrNull(functions, value, half));
        continue;
      }
      // A function of a type that nothing stands in for: any.
      if (parameter.ctype?.kind === 'pointer' && parameter.ctype.to.kind === 'function') continue;
      const to = pointeeOf(parameter, fn);
      const size = elementBytes(to, this.program.dataModel);
      const isNull = L.and(L.eq(object, bits(0)), L.eq(offset, bits(0)));
      const exists = [
        L.ult(bits(lastStatic), object),
        L.ult(object, memory.contents[this.memoryModel.allocationCounter.index]!),
        this.options.interior?.has(parameter) ? this.isInside(value, size, memory) : L.eq(offset, bits(0)),
        L.select(memory.contents[this.memoryModel.live.index]!, object),
      ];
      assumptions.push(
        ...definedArgument(
          this.memoryModel,
          parameter,
          value,
          memory.contents,
          (this.options.callBacks ?? noCallBacks).by.size > 0,
        ),
      );
      const made =
        to?.kind === 'record' && this.handles.has(to.record)
          ? this.memoryModel.regions.pointee({ kind: 'read', type: parameter.type, variable: parameter })
          : undefined;
      if (made) {
        assumptions.push(
          L.or(
            isNull,
            L.and(
              ...exists,
              L.eq(
                L.select(memory.contents[this.memoryModel.allocationSite.index]!, object),
                L.bits(this.memoryModel.allocationSiteOf(made.node), half),
              ),
              L.select(memory.contents[this.memoryModel.heap.index]!, object),
            ),
          ),
        );
        continue;
      }
      // An object that is still the client's own may be set up, one that is not may not be passed otherwise.
      const own =
        to?.kind === 'record' && this.initialisers.has(to.record)
          ? this.memoryModel.regions.nodeOfSetUp(to.record)
          : undefined;
      const maker = L.select(memory.contents[this.memoryModel.allocationSite.index]!, object);
      assumptions.push(...this.isNoKeptBlock(object, maker));
      const isOne = own ? L.eq(maker, L.bits(this.memoryModel.allocationSiteOf(own), half)) : L.TRUE;
      assumptions.push(
        L.or(
          isStart || passedStructure(fn, parameter) ? L.FALSE : isNull,
          ...this.ownVariables(fn, parameter, value, state),
          L.and(
            ...exists,
            setsUp(this.initialisers, fn, fn.parameters.indexOf(parameter)) ? L.or(isOne, L.eq(maker, bits(0))) : isOne,
            L.sle(bits(size), L.select(memory.contents[this.memoryModel.size.index]!, object)),
          ),
        ),
      );
    }
    return assumptions;
  }

  /**
   * Not one of the blocks that the module allocates and never hands out. They may lie in a region of their own: a copy
   * of characters as a loop leaves the client's memory and the block's apart, and still compares the two pointers.
   */
  private isNoKeptBlock(object: Term, maker: Term): readonly Term[] {
    const { half } = this.memoryModel;
    if (this.options.mode !== 'module') return [];
    this.keptSites ??= this.sitesOfKeptBlocks();
    const isNull = L.eq(object, L.bits(0n, half));
    return this.keptSites.map((site) => L.or(isNull, L.not(L.eq(maker, L.bits(site, half)))));
  }

  private sitesOfKeptBlocks(): readonly bigint[] {
    const { regions } = this.memoryModel;
    return regions
      .roots()
      .filter((region) => keepsBlocks(regions, region))
      .map((region) => this.memoryModel.allocationSiteOf(region));
  }

  /** At an element of the object, or behind the last one. */
  private isInside({ object, offset }: SymbolicPointer, bytes: number, { contents }: SymbolicMemory): Term {
    const { half, size } = this.memoryModel;
    const zero = L.bits(0n, half);
    return L.and(
      L.sle(zero, offset),
      L.sle(offset, L.select(contents[size.index]!, object)),
      bytes === 1 ? L.TRUE : L.eq(L.urem(offset, L.bits(BigInt(bytes), half)), zero),
    );
  }

  private ownVariables(
    fn: FunctionDefinition,
    parameter: Variable,
    value: SymbolicPointer,
    { memory }: SymbolicState,
  ): readonly Term[] {
    const argument =
      this.options.mode === 'module'
        ? argumentOf(fn, parameter, this.memoryModel.regions, this.options.interior)
        : undefined;
    return argument ? mayAliasModule(this.escaped, { ...argument, value }, this.memoryModel, memory) : [];
  }

  /** `argv` has room for `argc` pointers to texts and a null pointer after them. */
  private startAssumptions(main: FunctionDefinition, state: SymbolicState): Term[] {
    const { parameters } = main;
    const { locals, memory } = state;
    const [count, table] = [locals[parameters[0]!.slot]!, locals[parameters[1]!.slot]!];
    if (isPointer(count) || !isPointer(table)) throw new Error('main takes a number and a pointer');
    const { half } = this.memoryModel;
    const width = L.widthOf(count);
    const pointerBytes = this.program.dataModel === 'lp64' ? 8 : 4;
    // As many as one object can hold.
    const most = BigInt(2 ** (half - 2) / pointerBytes);
    const number = width < half ? L.signExtend(count, half) : L.extract(half - 1, 0, count);
    return [
      L.sle(L.bits(0n, width), count),
      ...(most < 1n << BigInt(width - 1) ? [L.slt(count, L.bits(most, width))] : []),
      L.sle(
        L.mul(L.bits(BigInt(pointerBytes), half), L.add(number, L.bits(1n, half))),
        L.select(memory.contents[this.memoryModel.size.index]!, table.object),
      ),
      ...startTexts(main, state, this.memoryModel),
    ];
  }
}
