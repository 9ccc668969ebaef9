/** Types as C spells them: `int (*)[3]`, or with a name inside, `int (*p)[3]`. */
import { typedefNameOf } from './typedefNames';
import type { CType, Qualifiers } from './types';
import { unreachable } from '../unreachable';

export function printType(type: CType, name = ''): string {
  return print(type, name);
}

/** `declarator` is what has been built around the name so far. */
function print(type: CType, declarator: string): string {
  switch (type.kind) {
    case 'void':
      return base(type, 'void', declarator);
    case 'integer':
      return base(type, type.name === 'bool' ? '_Bool' : type.name, declarator);
    case 'float':
      return base(type, type.name, declarator);
    case 'enum':
      return base(
        type,
        typedefNameOf(type) ?? (type.tag === undefined ? 'enum <unnamed>' : `enum ${type.tag}`),
        declarator,
      );
    case 'record':
      return base(type, typedefNameOf(type) ?? `${type.record.keyword} ${type.record.tag ?? '<unnamed>'}`, declarator);
    case 'pointer': {
      const q = qualifierWords(type);
      const inner = `*${q}${q !== '' && /^[\w*]/.test(declarator) ? ' ' : ''}${declarator}`;
      return print(type.to, type.to.kind === 'array' || type.to.kind === 'function' ? `(${inner})` : inner);
    }
    case 'array':
      return print(type.of, `${declarator}[${type.length ?? ''}]`);
    case 'function': {
      const parameters = type.parameters.map((p) => printType(p.type));
      if (type.variadic) parameters.push('...');
      const list = type.unprototyped ? '' : parameters.length === 0 ? 'void' : parameters.join(', ');
      return print(type.result, `${declarator}(${list})`);
    }
    default:
      return unreachable(type);
  }
}

function base(qualifiers: Qualifiers, word: string, declarator: string): string {
  const q = qualifierWords(qualifiers);
  return `${q === '' ? '' : `${q} `}${word}${declarator === '' ? '' : ` ${declarator}`}`;
}

function qualifierWords(q: Qualifiers): string {
  return [q.const ? 'const' : '', q.volatile ? 'volatile' : ''].filter((w) => w !== '').join(' ');
}
