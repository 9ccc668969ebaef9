/** Behaviour that C leaves open and the model settles, in sentences for the verdict. */
import type { ImplementationChoice } from '../../program/program';

/** The sentence of a choice. `placed`: the places where it matters are named behind it. */
interface Taken {
  readonly sentence: string;
  readonly placed: boolean;
}

const everywhere = (sentence: string): Taken => ({ sentence, placed: false });
const at = (sentence: string): Taken => ({ sentence, placed: true });

export const taken: Readonly<Record<ImplementationChoice, Taken>> = {
  realloc: everywhere("realloc for no bytes frees the block and gives null, as glibc's"),
  'bit-fields': everywhere('a bit-field counts as written when one beside it was'),
  alignment: at('accesses need no alignment, as on x86'),
  'bool-bytes': at('a _Bool in memory is 0 or 1'),
  'const-removed': at('automatic objects and members that are const are not changed, whatever pointer leads there'),
  characters: at("character functions take negative characters, as glibc's do"),
  'wide-characters': at('a number that is no wide character belongs to no class of them'),
  'numbers-in-texts': at('atoi and its kin wrap a number that does not fit'),
  'scanned-numbers': at('scanf and its kin truncate a number that does not fit its object'),
  'sort-order': at('the comparison for qsort orders all elements in one way and changes none'),
  'search-order': at('the array for bsearch is ordered by its comparison, which changes nothing'),
  'block-alignment': at('aligned_alloc takes any alignment and any size'),
  'locale-name': at('the string of setlocale is not changed'),
  'environment-strings': at('the strings of getenv are not changed'),
  handlers: at('a signal handler may return and raise signals, whatever the signal'),
  'update-streams': at('input and output may follow each other on one stream, without fflush or fseek between them'),
  'one-thread': at('one function of the program runs at a time: other threads change nothing until it returns'),
  'stream-buffers': at('a stream does not use the array that setvbuf gives it'),
  'stream-positions': at('a stream has a position after ungetc and after errors, and fsetpos gets what fgetpos gave'),
  'exit-functions': at('exit and raise end the program where a function of atexit calls them'),
  'calendar-time': at('asctime writes a time that is out of range as it is'),
  'conversion-states': at('an mbstate_t serves one text, in one direction'),
};
