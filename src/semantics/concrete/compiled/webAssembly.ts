/**
 * The part of the WebAssembly interface of JavaScript that is used here (the compiler's library for Node declares
 * none). Undefined where there is no WebAssembly.
 */
export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}
export type WasmModule = object & { readonly wasmModule?: never };
export interface WasmInstance {
  readonly exports: Readonly<Record<string, (...args: number[]) => unknown>>;
}

interface Interface {
  readonly Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: Record<string, Record<string, unknown>>) => WasmInstance;
}
declare const WebAssembly: Interface | undefined;

export const webAssembly: Interface | undefined = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
