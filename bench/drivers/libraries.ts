/** The libraries that `realLibraries.ts` runs: which files, with which options, driven by their own tests or by one of the programs beside this file. */
export interface Library {
  /** The folder of the checkout. */
  readonly name: string;
  readonly repository: string;
  /** Tells two rows of one library apart. */
  readonly label?: string;
  readonly what: string;
  /** C files, in the checkout. */
  readonly sources: readonly string[];
  /** A program of ours in this folder; without it the library's own tests are among the sources. */
  readonly driver?: string;
  /** Folders of headers, in the checkout; default: its root. */
  readonly include?: readonly string[];
  readonly define?: Readonly<Record<string, string | number>>;
  /** Parts of the output that say how long it took. */
  readonly varying?: RegExp;
  /** Headers that are the library, for the count of lines. */
  readonly counted?: readonly string[];
}

const crypto = (name: string, what: string): Library => ({ name: 'crypto-algorithms', repository: 'B-Con/crypto-algorithms', label: name, what, sources: [`${name}_test.c`, `${name}.c`] });
const uthash = (n: number): Library => ({ name: 'uthash', repository: 'troydhanson/uthash', label: `test${n}`, what: 'hash tables, lists, arrays in macros', sources: [`tests/test${n}.c`], include: ['src'], counted: ['src/uthash.h'] });

const calg = (name: string, sources: readonly string[] = [name]): Library => ({ name: 'c-algorithms', repository: 'fragglet/c-algorithms', label: name, what: 'containers', include: ['src', 'test'], define: { ALLOC_TESTING: 1 },
  sources: [`test/test-${name}.c`, 'test/framework.c', 'test/alloc-testing.c', ...sources.map((file) => `src/${file}.c`)] });
const sc = (name: string, what: string, file = name): Library => ({ name: 'sc', repository: 'tezc/sc', label: name, what, sources: [`${name}/${file}_test.c`, ...(name === 'array' ? [] : [`${name}/sc_${file}.c`])], include: [name], counted: [`${name}/sc_${file}.h`] });

export const libraries: readonly Library[] = [
  { name: 'jsmn', repository: 'zserge/jsmn', what: 'JSON tokens', sources: ['test/tests.c'], counted: ['jsmn.h'] },
  { name: 'inih', repository: 'benhoyt/inih', what: 'INI files', sources: ['tests/unittest.c', 'ini.c'] },
  { name: 'cJSON', repository: 'DaveGamble/cJSON', what: 'JSON', sources: ['test.c', 'cJSON.c'] },
  { name: 'tinyexpr', repository: 'codeplea/tinyexpr', what: 'expressions', sources: ['smoke.c', 'tinyexpr.c'], varying: /\d+ms/g },
  { name: 'sds', repository: 'antirez/sds', what: 'strings', sources: ['sds.c'], define: { SDS_TEST_MAIN: 1 } },
  { name: 'utf8.h', repository: 'sheredom/utf8.h', what: 'UTF-8 strings', sources: [], driver: 'utf8', counted: ['utf8.h'] },
  { name: 'kilo', repository: 'antirez/kilo', what: 'editor core', sources: [], driver: 'editor', counted: ['kilo.c'] },
  { name: 'b64.c', repository: 'littlstar/b64.c', what: 'base64', sources: ['encode.c', 'decode.c', 'buffer.c'], driver: 'base64' },
  crypto('base64', 'base64'), crypto('md2', 'MD2'), crypto('md5', 'MD5'), crypto('sha1', 'SHA-1'), crypto('sha256', 'SHA-256'), crypto('arcfour', 'RC4'), crypto('blowfish', 'Blowfish'), crypto('des', 'DES'), crypto('rot-13', 'ROT-13'),
  { name: 'md5-c', repository: 'Zunawe/md5-c', what: 'MD5', sources: ['main.c', 'md5.c'] },
  { name: 'libcrc', repository: 'lammertb/libcrc', what: 'CRCs', sources: ['crc8', 'crc16', 'crcccitt', 'crcdnp', 'crckrmit', 'crcsick', 'nmea-chk'].map((file) => `src/${file}.c`), driver: 'libcrc', include: ['include'] },
  { name: 'heap', repository: 'willemt/heap', what: 'priority queue', sources: ['heap.c'], driver: 'heap' },
  { name: 'hashmap.c', repository: 'tidwall/hashmap.c', what: 'hash map', sources: ['hashmap.c'], driver: 'hashmap' },
  uthash(1), uthash(20), uthash(50), uthash(65),
  { name: 'Ring-Buffer', repository: 'AndersKaloer/Ring-Buffer', what: 'ring buffer', sources: ['ringbuffer.c'], driver: 'ringbuffer' },
  { name: 'FastLZ', repository: 'ariya/FastLZ', what: 'LZ compressor', sources: ['fastlz.c'], driver: 'fastlz' },
  { name: 'lz4', repository: 'lz4/lz4', what: 'LZ compressor, xxHash', sources: ['lib/lz4.c', 'lib/lz4hc.c', 'lib/xxhash.c'], driver: 'lz4', include: ['lib'] },
  { name: 'brieflz', repository: 'jibsen/brieflz', what: 'LZ compressor', sources: ['src/brieflz.c', 'src/depack.c', 'src/depacks.c'], driver: 'brieflz', include: ['include', 'src'] },
  { name: 'heatshrink', repository: 'atomicobject/heatshrink', what: 'LZ compressor', sources: ['heatshrink_encoder.c', 'heatshrink_decoder.c'], driver: 'heatshrink' },
  { name: 'miniz', repository: 'richgel999/miniz', what: 'deflate', sources: ['miniz.c', 'miniz_tdef.c', 'miniz_tinfl.c'], driver: 'miniz', define: { MINIZ_NO_ARCHIVE_APIS: 1 } },
  { name: 'miniz', repository: 'richgel999/miniz', label: 'zip', what: 'zip archives', sources: ['miniz.c', 'miniz_tdef.c', 'miniz_tinfl.c', 'miniz_zip.c'], driver: 'zip', define: { MINIZ_NO_TIME: 1 } },
  { name: 'zlib', repository: 'madler/zlib', what: 'deflate', sources: ['adler32', 'compress', 'crc32', 'deflate', 'inffast', 'inflate', 'inftrees', 'trees', 'uncompr', 'zutil'].map((file) => `${file}.c`), driver: 'zlib' },
  { name: 'lua', repository: 'lua/lua', what: 'the language, with errors and coroutines', sources: ['lapi', 'lauxlib', 'lbaselib', 'lcode', 'lcorolib', 'lctype', 'ldblib', 'ldebug', 'ldo', 'ldump', 'lfunc', 'lgc', 'linit', 'liolib', 'llex', 'lmathlib', 'lmem', 'loadlib', 'lobject', 'lopcodes', 'loslib', 'lparser', 'lstate', 'lstring', 'lstrlib', 'ltable', 'ltablib', 'ltm', 'lundump', 'lutf8lib', 'lvm', 'lzio'].map((file) => `${file}.c`), driver: 'lua', define: { 'LUA_USE_JUMPTABLE': 0 } },
  { name: 'btree.c', repository: 'tidwall/btree.c', what: 'B-tree', sources: ['btree.c'], driver: 'btree', define: { BTREE_NOATOMICS: 1 } },
  { name: 'rax', repository: 'antirez/rax', what: 'radix tree', sources: ['rax.c'], driver: 'rax' },
  { name: 'log.c', repository: 'rxi/log.c', what: 'logging', sources: ['src/log.c'], driver: 'log', include: ['src'] },
  { name: 'map', repository: 'rxi/map', what: 'hash map', sources: ['src/map.c'], driver: 'map', include: ['src'] },
  { name: 'vec', repository: 'rxi/vec', what: 'dynamic arrays', sources: ['test/test_vec.c', 'src/vec.c'], include: ['src'] },
  { name: 'fe', repository: 'rxi/fe', what: 'a Lisp', sources: ['src/fe.c'], driver: 'fe', include: ['src'] },
  { name: 'microtar', repository: 'rxi/microtar', what: 'tar archives', sources: ['src/microtar.c'], driver: 'microtar', include: ['src'] },
  { name: 'tiny-AES-c', repository: 'kokke/tiny-AES-c', what: 'AES', sources: ['test.c', 'aes.c'] },
  { name: 'tiny-regex-c', repository: 'kokke/tiny-regex-c', what: 'regular expressions', sources: ['tests/test1.c', 're.c'] },
  { name: 'tiny-regex-c', repository: 'kokke/tiny-regex-c', label: 'driver', what: 'regular expressions', sources: ['re.c'], driver: 'regex' },
  { name: 'tiny-bignum-c', repository: 'kokke/tiny-bignum-c', what: 'big integers', sources: ['tests/hand_picked.c', 'bn.c'] },
  { name: 'tiny-bignum-c', repository: 'kokke/tiny-bignum-c', label: 'factorial', what: 'big integers', sources: ['tests/factorial.c', 'bn.c'] },
  { name: 'printf', repository: 'mpaland/printf', what: 'printf', sources: ['printf.c'], driver: 'printf' },
  { name: 'optparse', repository: 'skeeto/optparse', what: 'options', sources: ['test.c'], counted: ['optparse.h'] },
  { name: 'pdjson', repository: 'skeeto/pdjson', what: 'JSON', sources: ['tests/tests.c', 'pdjson.c'] },
  { name: 'parson', repository: 'kgabis/parson', what: 'JSON', sources: ['tests.c', 'parson.c'], define: { TESTS_MAIN: 1 } },
  { name: 'mpc', repository: 'orangeduck/mpc', what: 'parser combinators', sources: ['core', 'regex', 'grammar', 'combinators', 'ptest', 'test'].map((file) => `tests/${file}.c`).concat('mpc.c'), varying: /\d+\.\d+s/g },
  { name: 'buffer', repository: 'clibs/buffer', what: 'strings', sources: ['test.c', 'buffer.c'] },
  { name: 'list', repository: 'clibs/list', what: 'linked list', sources: ['test.c', 'src/list.c', 'src/list_node.c', 'src/list_iterator.c'], include: ['src'] },
  { name: 'klib', repository: 'attractivechaos/klib', what: 'hash tables, B-trees, sorting in macros', sources: ['kstring.c'], driver: 'klib', counted: ['khash.h', 'kvec.h', 'ksort.h', 'kbtree.h'] },
  { name: 'Collections-C', repository: 'srdja/Collections-C', what: 'containers', sources: ['cc_array', 'cc_common', 'cc_deque', 'cc_hashtable', 'cc_list', 'cc_treetable'].map((file) => `src/${file}.c`), driver: 'collections', include: ['src/include'] },
  { name: 'stb', repository: 'nothings/stb', label: 'stb_ds', what: 'containers', sources: [], driver: 'stb_ds', counted: ['stb_ds.h'] },
  { name: 'stb', repository: 'nothings/stb', label: 'stb_sprintf', what: 'printf', sources: [], driver: 'stb_sprintf', counted: ['stb_sprintf.h'] },
  { name: 'stb', repository: 'nothings/stb', label: 'stb_image', what: 'images, written and read', sources: [], driver: 'stb_image_write', counted: ['stb_image_write.h', 'stb_image.h'] },
  { name: 'nanosvg', repository: 'memononen/nanosvg', what: 'SVG, parsed and drawn', sources: [], driver: 'nanosvg', include: ['src'], counted: ['src/nanosvg.h', 'src/nanosvgrast.h'] },
  calg('arraylist', ['arraylist', 'compare-int']), calg('avl-tree', ['avl-tree', 'compare-int']), calg('binary-heap', ['binary-heap', 'compare-int']), calg('binomial-heap', ['binomial-heap', 'compare-int']), calg('bloom-filter', ['bloom-filter', 'hash-string']),
  calg('list', ['list', 'compare-int']), calg('slist', ['slist', 'compare-int']), calg('queue'), calg('hash-table', ['hash-table', 'hash-int', 'hash-string', 'hash-pointer', 'compare-int', 'compare-string']), calg('rb-tree', ['rb-tree', 'compare-int']),
  calg('set', ['set', 'hash-int', 'hash-pointer', 'compare-int', 'compare-pointer', 'hash-string', 'compare-string']), calg('trie'), calg('sortedarray', ['sortedarray', 'compare-int']),
  sc('array', 'dynamic arrays'), sc('crc32', 'CRC-32'), sc('heap', 'priority queue'), sc('ini', 'INI files'), sc('linked-list', 'linked list', 'list'), sc('option', 'options'), sc('string', 'strings', 'str'), sc('timer', 'timers'), sc('uri', 'URIs'),
  { name: 'libfixmath', repository: 'PetteriAimonen/libfixmath', what: 'fixed-point numbers', sources: ['tests', 'tests_basic', 'tests_lerp', 'tests_macros', 'tests_sqrt', 'tests_str', 'tests_trig'].map((file) => `tests/${file}.c`).concat(['fix16', 'fix16_exp', 'fix16_sqrt', 'fix16_str', 'fix16_trig', 'fract32', 'uint32'].map((file) => `libfixmath/${file}.c`)), define: { PREFIX: 'ro64' } },
  { name: 'lwrb', repository: 'MaJerle/lwrb', what: 'ring buffer', sources: ['tests/test_main.c', 'tests/test_basic/test_basic.c', 'lwrb/src/lwrb/lwrb.c', 'lwrb/src/lwrb/lwrb_ex.c'], include: ['lwrb/src/include', 'tests'], define: { LWRB_DEV: 1, LWRB_DISABLE_ATOMIC: 1 } },
  { name: 'partcl', repository: 'zserge/partcl', what: 'a Tcl', sources: ['tcl_test.c'], counted: ['tcl.c'] },
  { name: 'smaz', repository: 'antirez/smaz', what: 'short strings, compressed', sources: ['smaz.c'], driver: 'smaz' },
  { name: 'levenshtein.c', repository: 'wooorm/levenshtein.c', what: 'edit distance', sources: ['test.c', 'levenshtein.c'] },
  { name: 'SipHash', repository: 'veorq/SipHash', what: 'SipHash', sources: ['test.c', 'testmain.c', 'siphash.c', 'halfsiphash.c'] },
  { name: 'tinycbor', repository: 'intel/tinycbor', what: 'CBOR', sources: ['cborencoder', 'cborencoder_float', 'cborerrorstrings', 'cborparser', 'cborparser_dup_string', 'cborparser_float', 'cborpretty', 'cborpretty_stdio', 'cborvalidation'].map((file) => `src/${file}.c`), driver: 'tinycbor', include: ['src'] },
  { name: 'minmea', repository: 'kosma/minmea', what: 'GPS sentences', sources: ['minmea.c'], driver: 'minmea', },
  { name: 'littlefs', repository: 'littlefs-project/littlefs', what: 'a file system', sources: ['lfs.c', 'lfs_util.c'], driver: 'littlefs' },
  { name: 'nanopb', repository: 'nanopb/nanopb', what: 'protocol buffers', sources: ['pb_common.c', 'pb_decode.c', 'pb_encode.c'], driver: 'nanopb' },
  { name: 'ini', repository: 'rxi/ini', what: 'INI files', sources: ['src/ini.c'], driver: 'ini', include: ['src'] },
  { name: 'picohttpparser', repository: 'h2o/picohttpparser', what: 'HTTP', sources: ['picohttpparser.c'], driver: 'picohttpparser' },
  { name: 'utf8proc', repository: 'JuliaStrings/utf8proc', label: 'iterate', what: 'Unicode', sources: ['test/iterate.c', 'test/tests.c', 'utf8proc.c'] },
  { name: 'utf8proc', repository: 'JuliaStrings/utf8proc', label: 'misc', what: 'Unicode', sources: ['test/misc.c', 'test/tests.c', 'utf8proc.c'] },
  { name: 'tinf', repository: 'jibsen/tinf', what: 'inflate, tests in `greatest.h` with its `setjmp`', sources: ['test/test_tinf.c', 'src/adler32.c', 'src/crc32.c', 'src/tinfgzip.c', 'src/tinflate.c', 'src/tinfzlib.c'], include: ['src'], varying: /[\d.]+ (seconds|sec|ticks)[^\n]*|\d+ ticks/g },
  { name: 'libyaml', repository: 'yaml/libyaml', what: 'YAML', sources: ['api', 'dumper', 'emitter', 'loader', 'parser', 'reader', 'scanner', 'writer'].map((file) => `src/${file}.c`), driver: 'libyaml', include: ['include', 'src'],
    define: { YAML_VERSION_MAJOR: 0, YAML_VERSION_MINOR: 2, YAML_VERSION_PATCH: 5, YAML_VERSION_STRING: '"0.2.5"' } },
  { name: 'mpack', repository: 'ludocode/mpack', what: 'MessagePack', sources: ['common', 'expect', 'node', 'platform', 'reader', 'writer'].map((file) => `src/mpack/mpack-${file}.c`), driver: 'mpack', include: ['src/mpack'] },
  { name: 'linenoise', repository: 'antirez/linenoise', what: 'lines with a history', sources: ['linenoise.c'], driver: 'linenoise' },
  { name: 'mjson', repository: 'cesanta/mjson', what: 'JSON and JSON-RPC', sources: ['test/unit_test.c', 'src/mjson.c'], include: ['src'], define: { MJSON_ENABLE_MERGE: 1, MJSON_ENABLE_PRETTY: 1 } },
  { name: 'xxHash', repository: 'Cyan4973/xxHash', what: 'hashes', sources: ['xxhash.c'], driver: 'xxhash', define: { XXH_VECTOR: 0 }, counted: ['xxhash.h'] },
  { name: 'wren', repository: 'wren-lang/wren', what: 'a language with classes and fibers', sources: ['compiler', 'core', 'debug', 'primitive', 'utils', 'value', 'vm'].map((file) => `src/vm/wren_${file}.c`).concat('src/optional/wren_opt_meta.c', 'src/optional/wren_opt_random.c'), driver: 'wren', include: ['src/include', 'src/vm', 'src/optional'], define: { WREN_COMPUTED_GOTO: 0 } },
  { name: 'Chipmunk2D', repository: 'slembcke/Chipmunk2D', what: 'physics of rigid bodies',
    sources: ['chipmunk', ...['Arbiter', 'Array', 'BBTree', 'Body', 'Collision', 'Constraint', 'DampedRotarySpring', 'DampedSpring', 'GearJoint', 'GrooveJoint', 'HashSet', 'March', 'PinJoint', 'PivotJoint', 'PolyShape', 'Polyline', 'RatchetJoint', 'Robust', 'RotaryLimitJoint', 'Shape', 'SimpleMotor', 'SlideJoint', 'Space', 'SpaceComponent', 'SpaceDebug', 'SpaceHash', 'SpaceQuery', 'SpaceStep', 'SpatialIndex', 'Sweep1D'].map((file) => `cp${file}`)].map((file) => `src/${file}.c`),
    driver: 'chipmunk', include: ['include'], define: { NDEBUG: 1 } },
  { name: 'kissfft', repository: 'mborgerding/kissfft', what: 'Fourier transforms', sources: ['kiss_fft.c', 'kiss_fftr.c', 'kiss_fftnd.c'], driver: 'kissfft' },
  { name: 'cmp', repository: 'camgunz/cmp', what: 'MessagePack', sources: ['cmp.c'], driver: 'cmp' },
  { name: 'cwalk', repository: 'likle/cwalk', what: 'paths', sources: ['src/cwalk.c'], driver: 'cwalk', include: ['include'] },
  { name: 'quickjs', repository: 'bellard/quickjs', what: 'regular expressions of JavaScript', sources: ['cutils.c', 'libregexp.c', 'libunicode.c'], driver: 'regexp', define: { _GNU_SOURCE: 1 } },
  { name: 'dr_libs', repository: 'mackron/dr_libs', what: 'sound files', sources: [], driver: 'dr_wav', counted: ['dr_wav.h'] },
  { name: 'qoi', repository: 'phoboslab/qoi', what: 'images', sources: [], driver: 'qoi', counted: ['qoi.h'] },
  { name: 'TinyMT', repository: 'MersenneTwister-Lab/TinyMT', what: 'random numbers', sources: ['tinymt/tinymt32.c', 'tinymt/tinymt64.c'], driver: 'tinymt', include: ['tinymt'] },
  { name: 'yyjson', repository: 'ibireme/yyjson', what: 'JSON', sources: ['src/yyjson.c'], driver: 'yyjson', include: ['src'] },
  { name: 'cmark', repository: 'commonmark/cmark', what: 'Markdown', driver: 'cmark', include: ['src'],
    sources: ['blocks', 'buffer', 'cmark', 'cmark_ctype', 'commonmark', 'houdini_href_e', 'houdini_html_e', 'houdini_html_u', 'html', 'inlines', 'iterator', 'latex', 'man', 'node', 'references', 'render', 'scanners', 'utf8', 'xml'].map((file) => `src/${file}.c`) },
  { name: 'lodepng', repository: 'lvandeve/lodepng', what: 'images, deflate', sources: [], driver: 'lodepng', counted: ['lodepng.cpp'] },
];
