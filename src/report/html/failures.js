/**
 * The section of the page that lists the failures that nothing excuses, and folds the others under the specification
 * of clients that excuses them. Runs in the browser, before `page.js`, which calls it with its own functions.
 */
'use strict';
/** Branches of a file that a refused specification would make impossible: the line, and what to say of it. */
const deadUnder = ({ verdict }, { file }) =>
  (verdict.angelic?.refused ?? [])
    .filter((one) => one && !one.stated && one.place.file === file)
    .map(({ text, place, condition, outcome }) => [
      place.line,
      `${condition} could never be ${outcome} under ${text}, which is therefore not offered`,
    ]);

const failuresOf = ({ h, section, plural, pasteable, showPlace }) => {
  const mostShown = 20;
  const keyOf = ({ failure: { check, message, place } }) =>
    [place.file, place.line, place.column, check, message].join(':');
  // One call of a library function may fail alike in several of its lines.
  const isSameForCaller = (a, b) =>
    a.caller !== undefined &&
    b.caller !== undefined &&
    a.check === b.check &&
    JSON.stringify(a.caller.place) === JSON.stringify(b.caller.place) &&
    withoutNumbers(a.message) === withoutNumbers(b.message);
  const withoutNumbers = (message) => message.replace(/\d+/g, '0');
  const link = (place) =>
    h(
      'button',
      { type: 'button', class: 'link', onclick: () => showPlace(place) },
      `${place.file}:${place.line}${place.function ? ` in ${place.function}` : ''}`,
    );
  const refusal = ({ text, place, condition, outcome, stated }) =>
    h(
      'p',
      { class: 'quiet' },
      h('code', null, text),
      ' would do, but then ',
      stated
        ? [`no call of ${place.function} could have `, h('code', null, condition), ', which is stated as possible']
        : [link(place), ', ', h('code', null, condition), `, could never be ${outcome}`],
    );
  const failure = ({ failure: { message, place, caller }, test }, refused) =>
    h(
      'article',
      null,
      h('p', null, link(caller?.place ?? place), ' ', message),
      refused ? refusal(refused) : null,
      test === ''
        ? null
        : h('details', null, h('summary', null, 'test to paste'), pasteable('It fails at this C line', test)),
    );
  const specification = ({ text, excuses, example, keptByCalls, code, flags }) =>
    h(
      'details',
      { class: 'specification' },
      h(
        'summary',
        null,
        h('code', null, text),
        example ? ` excuses ${plural(excuses, 'failure')}` : ' is what the proof rests on; no run can show it',
      ),
      example ? failure(example) : null,
      keptByCalls > 0
        ? h('p', { class: 'quiet' }, `${plural(keptByCalls, 'call')} in tests keep${keptByCalls === 1 ? 's' : ''} it`)
        : null,
      code === ''
        ? h('p', { class: 'quiet' }, 'The C can state it, by PROVEST_REQUIRES.')
        : [
            h('p', { class: 'quiet' }, 'If clients always keep it:'),
            pasteable('To the options of loadC', code),
            pasteable('On the command line', flags),
          ],
    );

  return function failures(m) {
    const { counterexample, further, angelic } = m.verdict;
    const specifications = angelic?.specifications ?? [];
    const found = [...(counterexample ? [counterexample] : []), ...(further ?? [])];
    if (specifications.length === 0 && found.length < 2) return null;
    const excused = new Set(specifications.flatMap(({ example }) => (example ? [keyOf(example)] : [])));
    const errors = found
      .map((one, i) => [one, angelic?.refused[i]])
      .filter(([one]) => !excused.has(keyOf(one)))
      .filter(([{ failure }], at, all) => !all.slice(0, at).some(([one]) => isSameForCaller(one.failure, failure)));
    const excuse = errors.length > 0 ? 'would excuse others' : 'excuse what fails';
    return section(
      'failures',
      'Failures',
      errors.length > 0
        ? h('p', null, `${plural(errors.length, 'error')} that no specification of clients excuses:`)
        : null,
      errors.slice(0, mostShown).map(([one, refused]) => failure(one, refused)),
      errors.length > mostShown ? h('p', { class: 'quiet' }, `and ${errors.length - mostShown} more`) : null,
      specifications.length > 0
        ? h('p', null, `${plural(specifications.length, 'specification')} of clients that ${excuse}:`)
        : null,
      specifications.map(specification),
    );
  };
};
