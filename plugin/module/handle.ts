/**
 * Result of `loadC`: C's functions as methods, beside them the handle's own members (`probe`, `global`, `alloc`, …). A
 * C function hides a member of the same name; `$probe`, `$global`, … always mean the handle's.
 */
import { calledByTest } from '../../src/host/callerStack';
import { callSite } from '../api/callSite';
import { moduleMark, type CModule } from '../session/cModule';
import type { AnyModule, ModuleApi } from '../api/types';

export function makeHandle(module: CModule): AnyModule {
  const { instance } = module;
  const api: ModuleApi = {
    global: instance.global,
    constants: instance.constants,
    probe: calledByTest((name, predicate, options = {}) => module.probe(name, predicate, options, callSite())),
    alloc: calledByTest((type, contents) => instance.alloc(type, contents)),
    new: calledByTest((type, members = {}) => instance.alloc(type, members)),
    read: calledByTest((pointer, count) => instance.read(pointer, count)),
    get stdout() {
      return instance.printed.stdout;
    },
    get stderr() {
      return instance.printed.stderr;
    },
    file: calledByTest((name) => instance.file(name)),
    reset: calledByTest(() => instance.reset()),
    answer: calledByTest((name, ...values) => instance.answer(name, ...values)),
  };
  const own = (name: string): unknown => (Object.hasOwn(api, name) ? api[name as keyof ModuleApi] : undefined);
  return new Proxy<Record<string | symbol, unknown>>(
    {},
    {
      get: calledByTest((_, key) => {
        if (key === moduleMark) return module;
        if (typeof key === 'symbol') return key === Symbol.toStringTag ? 'CModule' : undefined;
        if (instance.functionNames.includes(key)) return instance.fn(key);
        const member = own(key) ?? (key.startsWith('$') ? own(key.slice(1)) : undefined);
        if (member !== undefined) return member;
        // Names that printing, comparing and awaiting look for on any object.
        if (asked.has(key)) return undefined;
        return instance.fn(key);
      }),
      set: calledByTest((_, key) => {
        throw new TypeError(
          `${module.name}: '${String(key)}' cannot be assigned; variables of C are written through ` +
            `global.${String(key)}`,
        );
      }),
      has: (_, key) => typeof key === 'string' && (instance.functionNames.includes(key) || own(key) !== undefined),
      ownKeys: () => [...instance.functionNames],
      getOwnPropertyDescriptor: (_, key) =>
        typeof key === 'string' && instance.functionNames.includes(key)
          ? { value: instance.fn(key), enumerable: true, configurable: true }
          : undefined,
    },
  ) as unknown as AnyModule;
}

const asked = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
  'tagName',
  'constructor',
  'prototype',
  'inspect',
  'toString',
  'valueOf',
  'hasAttribute',
  '@@__IMMUTABLE_ITERABLE__@@',
  '@@__IMMUTABLE_RECORD__@@',
  '@@__IMMUTABLE_KEYED__@@',
  '@@__IMMUTABLE_LIST__@@',
  '@@__IMMUTABLE_MAP__@@',
  '@@__IMMUTABLE_ORDERED__@@',
  '@@__IMMUTABLE_SEQ__@@',
  '@@__IMMUTABLE_SET__@@',
  '@@__IMMUTABLE_STACK__@@',
  '_isMockFunction',
  'calls',
  'toAsymmetricMatcher',
  'getMockName',
]);
