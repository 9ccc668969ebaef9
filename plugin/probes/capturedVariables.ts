/**
 * The values a function has captured. JavaScript has no way to ask, V8's debugger has: a session with our own process
 * answers at once, on the same thread. Function and values change hands through a property of the `inspector` module,
 * the one object that every vm context of a process shares.
 */
import { inspectorModule } from '../../src/node';

const exchange = Symbol.for('provest.closure').toString();

interface RemoteObject {
  readonly type: string;
  readonly objectId?: string;
  readonly value?: unknown;
  readonly unserializableValue?: string;
}
interface Property {
  readonly name: string;
  readonly value?: RemoteObject;
  readonly get?: RemoteObject;
}
type Post = (method: string, parameters: object) => { result?: unknown; internalProperties?: Property[] };

/** Value of a name that `fn` did not declare itself; `found: false` when the name is none of its captured variables. */
export type Captured = (name: string) => { readonly found: true; readonly value: unknown } | { readonly found: false };

/** `undefined` when this process cannot look into closures. The session ends when `use` returns. */
export function withClosure<T>(fn: (...args: never[]) => unknown, use: (captured: Captured) => T): T | undefined {
  const inspector = inspectorModule();
  if (!inspector) return undefined;
  const session = new inspector.Session();
  const shelf = inspector as unknown as Record<string, unknown>;
  try {
    session.connect();
    const post: Post = (method, parameters) => {
      let answer: ReturnType<Post> | undefined;
      (session.post as (m: string, p: object, done: (error: Error | null, result: object) => void) => void).call(
        session,
        method,
        parameters,
        (error, result) => {
          if (!error) answer = result;
        },
      );
      if (!answer) throw new Error(`the inspector did not answer ${method}`);
      return answer;
    };
    shelf[exchange] = fn;
    const self = post('Runtime.evaluate', {
      expression: `process.getBuiltinModule('node:inspector')[${JSON.stringify(exchange)}]`,
    }).result as RemoteObject;
    const scopes = post('Runtime.getProperties', {
      objectId: self.objectId,
      ownProperties: true,
    }).internalProperties?.find((p) => p.name === '[[Scopes]]')?.value;
    if (!scopes?.objectId) return undefined;
    // Innermost first; the last one is the global object, which holds no captured variable.
    const chain = (
      post('Runtime.getProperties', { objectId: scopes.objectId, ownProperties: true }).result as Property[]
    )
      .filter((p) => /^\d+$/.test(p.name) && p.value?.objectId)
      .map((p) => p.value!)
      .slice(0, -1);
    const variables = chain.map(
      (scope) =>
        new Map(
          (post('Runtime.getProperties', { objectId: scope.objectId, ownProperties: true }).result as Property[]).map(
            (p) => [p.name, p],
          ),
        ),
    );
    return use((name) => {
      for (const scope of variables) {
        const property = scope.get(name);
        if (property) return { found: true, value: toHost(property.value, post, shelf) };
      }
      return { found: false };
    });
  } finally {
    delete shelf[exchange];
    session.disconnect();
  }
}

function toHost(remote: RemoteObject | undefined, post: Post, shelf: Record<string, unknown>): unknown {
  if (!remote || remote.type === 'undefined') return undefined;
  if (remote.objectId !== undefined) {
    post('Runtime.callFunctionOn', {
      objectId: remote.objectId,
      functionDeclaration:
        'function () { ' + `process.getBuiltinModule('node:inspector')[${JSON.stringify(exchange)}] = this; }`,
    });
    return shelf[exchange];
  }
  const text = remote.unserializableValue;
  if (text === undefined) return remote.value;
  return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}
