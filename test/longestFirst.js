// The longest test files begin first, so that no worker is left with one when the others are done; then whatever Jest
// makes of the rest.
'use strict';
const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const longest = [
  'csmith.test.ts',
  'conformance.test.ts',
  'synergy.table1.test.ts',
  'r6.unknown.test.ts',
  'r10.repeatable.test.ts',
  'r1.neverGreen.test.ts',
];

class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = longest.indexOf(basename(path));
      return at < 0 ? longest.length : at;
    };
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}

module.exports = LongestFirst;
