/** Options that are not what they look like are refused, with what may be written. */
import {
  checkAdequacyOptions,
  checkLoadOptions,
  checkReporterOptions,
  checkVerifyOptions,
} from '../../../plugin/module/checkOptions';
import { engines } from '../../../src';
import { allProperties, propertyOf } from '../../../src/program/command';

const checks = {
  load: checkLoadOptions,
  verify: checkVerifyOptions,
  adequacy: checkAdequacyOptions,
  reporter: checkReporterOptions,
};

test.each([
  ['load', {}],
  [
    'load',
    {
      include: [],
      define: { A: 1, B: true },
      dataModel: 'ilp32',
      entry: ['f'],
      init: 'f',
      requires: { f: 'x > 0' },
      stubs: { g: 'any' },
      externals: 'angelic',
      budget: 1,
      stepLimit: 1,
    },
  ],
  ['load', { dataModel: undefined }],
  [
    'verify',
    {
      budget: 0.5,
      properties: [...allProperties, ...Object.keys(propertyOf)],
      seed: 0,
      cutpoints: 'labels',
      predicates: 'probes',
      allowNoTests: true,
    },
  ],
  ...engines.map((engine) => ['verify', { engine }] as const),
  ['adequacy', { atLeast: 0, budget: 5 }],
  ['adequacy', { atLeast: 1 }],
  ['reporter', {}],
  [
    'reporter',
    { html: true, json: 'out/verdicts.json', thresholds: { break: 50 }, requireVerified: true, live: false },
  ],
] as const)('%s %j', (of, options) => {
  expect(() => checks[of](options)).not.toThrow();
});

test.each([
  ['load', 8, /the options are an object, loadC\(path/],
  ['load', ['x'], /the options are an object/],
  ['load', { inclde: [] }, /no option 'inclde'; did you mean 'include'\?/],
  ['load', { toString: 1 }, /no option 'toString'/],
  ['load', { dataModel: 'lp46' }, /dataModel is one of 'lp64', 'ilp32'; this is 'lp46'/],
  ['load', { include: 'lib' }, /include is a list of directories/],
  ['load', { header: 1 }, /header is the path of a header/],
  ['load', { entry: [1] }, /entry is a list of functions.*this is \[1\]/],
  ['load', { externals: true }, /externals is one of/],
  ['load', { budget: '5s' }, /budget is a number of milliseconds above 0; this is '5s'/],
  ['load', { stepLimit: 0 }, /stepLimit/],
  ['load', { init: () => 1 }, /this is a function/],
  ['load', { stubs: [] }, /stubs is an object of functions/],
  ['load', { define: null }, /define is an object of macros/],
  ['verify', { propertys: ['reach'] }, /did you mean 'properties'/],
  ['verify', { properties: ['reach', 'memsafty'] }, /but not 'memsafty'; did you mean 'memsafety'\?/],
  ['verify', { properties: [] }, /properties is a list/],
  ['verify', { properties: 'reach' }, /properties is a list/],
  ['verify', { engine: 'magic' }, /engine is one of 'auto'/],
  ['verify', { seed: 1.5 }, /seed is a whole number/],
  ['verify', { jobs: 0 }, /jobs is a whole number from 1 to 999/],
  ['verify', { budget: 0 }, /above 0/],
  ['verify', { budget: Infinity }, /above 0; this is Infinity/],
  ['verify', { atLeast: 1 }, /no option 'atLeast'/],
  ['verify', { cutpoints: 'all' }, /cutpoints is one of/],
  ['verify', { predicates: 1 }, /predicates is one of/],
  ['verify', { allowNoTests: 'yes' }, /true or false/],
  ['adequacy', { atLeast: 90 }, /a share between 0 and 1; this is 90/],
  ['adequacy', { atLeast: NaN }, /share/],
  [
    'reporter',
    { treshold: { break: 50 } },
    /provest\/reporter: there is no option 'treshold'; did you mean 'thresholds'\?/,
  ],
  ['reporter', { thresholds: { brake: 50 } }, /thresholds is percentages.*without 'brake'/],
  ['reporter', { html: '' }, /html is true, or the name of the file to write; this is ''/],
  ['reporter', { requireVerified: 1 }, /requireVerified is true or false/],
  ['reporter', [], /the options are an object, \['provest\/reporter'/],
] as const)('%s %j is refused', (of, options, message) => {
  expect(() => checks[of](options)).toThrow(TypeError);
  expect(() => checks[of](options)).toThrow(message);
});
