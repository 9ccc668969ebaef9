/**
 * The report's page: shows the embedded data, and follows the keyboard. Runs in the browser; needs nothing from
 * outside.
 */
'use strict';
(() => {
  const report = JSON.parse(document.getElementById('provest-data').textContent);
  const linesPerPage = 1000;
  const view = { module: 0, source: 0, page: 0, step: 0, relevant: false, line: 0, state: null, check: null };

  // Elements

  /** An element: attributes with `on…` are listeners; children that are null or false are left out. */
  function h(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? '' : String(value));
    }
    element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }
  const section = (id, title, ...children) =>
    h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
  const module = () => report.modules[view.module];
  const trace = () => module().trace;
  const percent = (ratio) => `${Math.floor(ratio * 1000 + 1e-9) / 10} %`;
  const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

  /** As in the style. */
  const oneColumn = matchMedia('(max-width: 900px)');
  oneColumn.addEventListener('change', () => openModule(view.module));

  // The frame

  const main = h('main', { id: 'main' });
  const announcer = h('div', { class: 'hidden', 'aria-live': 'polite', id: 'announcer' });
  const help = helpDialog();
  document.body.append(
    header(),
    main,
    h('footer', null, `provest ${report.version}, ${new Date(report.created).toLocaleString()}. Press ? for the keys.`),
    help,
    announcer,
  );

  function header() {
    const list =
      report.modules.length < 2
        ? null
        : h(
            'nav',
            { 'aria-label': 'Modules', id: 'modules' },
            report.modules.map((m, i) =>
              h(
                'button',
                { type: 'button', class: `module ${m.verdict.verdict}`, onclick: () => openModule(i) },
                h('span', { class: 'mark', 'aria-hidden': 'true' }, markOf(m.verdict.verdict)),
                ` ${m.name} `,
                h('small', null, m.word),
              ),
            ),
          );
    return h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('strong', { class: 'logo' }, 'provest'),
        h('span', { class: 'grow' }),
        h('button', { type: 'button', id: 'theme', onclick: toggleTheme, title: 'dark or light (t)' }, 'dark / light'),
        h('button', { type: 'button', id: 'keys', onclick: () => help.showModal(), title: 'keys (?)' }, 'keys'),
      ),
      list,
    );
  }

  function helpDialog() {
    const keys = [
      ['j / k', 'next / previous step of the counterexample'],
      ['J / K', 'next / previous call'],
      ['g / G', 'first / last step'],
      ['r', 'only relevant lines'],
      ['c', 'copy the failing test'],
      ['n / p', 'next / previous line with a finding or an open check'],
      ['d', 'only lines that matter to the check of the line'],
      ['Enter', 'on a line: its checks; on a state: its conditions; on a region: its formula'],
      ['[ / ]', 'previous / next page of a long source'],
      ['m / M', 'next / previous module'],
      ['s', 'to the source'],
      ['a', 'to the abstract states'],
      ['f', 'to the regions of the refinement'],
      ['e', 'to the search tree'],
      ['t', 'dark or light'],
      ['?', 'these keys'],
      ['Esc', 'close'],
    ];
    const dialog = h(
      'dialog',
      { id: 'help', 'aria-label': 'Keys' },
      h('h2', null, 'Keys'),
      h(
        'dl',
        null,
        keys.map(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)]),
      ),
      h('button', { type: 'button', autofocus: true, onclick: () => dialog.close() }, 'close'),
    );
    return dialog;
  }

  function toggleTheme() {
    const dark =
      document.documentElement.dataset.theme === 'dark' ||
      (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  }

  function markOf(verdict) {
    return { proved: '✓', conditional: '◐', bug: '✗', 'potential-error': '?', unknown: '?' }[verdict] ?? '–';
  }

  // A module

  function openModule(index) {
    Object.assign(view, {
      module: index,
      source: 0,
      page: 0,
      step: 0,
      relevant: false,
      line: 0,
      state: null,
      check: null,
    });
    document
      .querySelectorAll('#modules button')
      .forEach((button, i) => button.setAttribute('aria-current', i === index ? 'page' : 'false'));
    const m = module();
    const steps = m.trace?.steps ?? [];
    view.step = Math.max(0, steps.length - 1);
    main.replaceChildren(
      banner(m),
      h(
        'div',
        { class: 'columns' },
        h(
          'div',
          { id: 'left' },
          section(
            'source',
            'Source',
            sourceTabs(m),
            h('div', {
              id: 'lines',
              tabindex: '0',
              role: 'group',
              'aria-label': 'C source with the verdict of each line',
            }),
            h('div', { id: 'pages' }),
            legend(m),
          ),
        ),
        h(
          'div',
          { id: 'right' },
          stepper(m),
          failures(m),
          errors(m),
          [failingTest(m), invariants(m), adequacy(m), relative(m)].flat().map(movable),
        ),
      ),
      states(m) ?? '',
      refinement(m) ?? '',
      searchTree(m) ?? '',
      timings(m) ?? '',
    );
    const start = steps.at(-1) ?? firstOpenCheck(m);
    if (start) showLine(start.source, start.line);
    else drawSource();
    if (steps.length > 0) showStep();
    balance();
  }

  function movable(one) {
    one?.classList.add('movable');
    return one;
  }

  /** Beside a short source there is room below it: sections that may stand there go to the shorter column. */
  function balance() {
    const [left, right] = ['left', 'right'].map((id) => document.getElementById(id));
    if (oneColumn.matches) return;
    const sections = [...right.querySelectorAll(':scope > .movable')];
    const heights = sections.map((one) => one.offsetHeight);
    let [leftHeight, rightHeight] = [left.offsetHeight, right.offsetHeight - heights.reduce((a, b) => a + b, 0)];
    sections.forEach((one, i) => {
      if (leftHeight + heights[i] > rightHeight + heights[i] / 2) return (rightHeight += heights[i]);
      left.append(one);
      leftHeight += heights[i];
    });
  }

  /** In the user's file: of a library function, its call. */
  const placeOf = (failure) => failure.caller?.place ?? failure.place;

  function firstOpenCheck(m) {
    for (const status of ['fails', 'may-fail', 'open']) {
      for (const [source, { checks }] of m.sources.entries()) {
        const found = checks.find((check) => check[4] === status);
        if (found) return { source, line: found[0] };
      }
    }
    return undefined;
  }

  function banner(m) {
    const v = m.verdict;
    const isEmpty = v.checks.length === 0 && v.statistics?.obligations === 0;
    const said =
      {
        proved: `no check of ${v.properties.join(', ')} ${isEmpty ? 'occurs: nothing to check' : 'can fail'}`,
        bug: v.counterexample?.failure.message,
        'potential-error':
          `${plural(v.errors.length, 'check')} could fail, in ` +
          `${v.errors.length === 1 ? 'a state' : 'states'} not shown reachable`,
      }[v.verdict] ?? v.reason?.message;
    const place = v.counterexample ? placeOf(v.counterexample.failure) : v.reason?.place;
    return h(
      'div',
      { class: `banner ${v.verdict}`, id: 'banner' },
      h('h1', null, h('span', { class: 'mark', 'aria-hidden': 'true' }, markOf(v.verdict)), ` ${m.name}: ${m.word}`),
      h(
        'p',
        null,
        said,
        place
          ? [' — ', h('code', null, `${place.file}:${place.line}`), place.function ? ` in ${place.function}` : '']
          : null,
      ),
      v.reason ? h('p', null, 'cause: ', h('code', null, v.reason.cause)) : null,
      v.suggestion ? h('pre', { class: 'suggestion' }, v.suggestion) : null,
      v.reason?.suggestion && v.errors.length === 0 ? h('pre', { class: 'suggestion' }, v.reason.suggestion) : null,
      difference(m.difference),
    );
  }

  function difference(d) {
    if (!d) return null;
    const group = (name, findings) =>
      findings.length === 0
        ? null
        : h(
            'li',
            { class: name.replace(' ', '-') },
            h('strong', null, name),
            ' ',
            findings.map((f, i) => [i > 0 ? '; ' : '', f.title, f.place ? [' ', h('code', null, f.place)] : null]),
          );
    const groups = [group('introduced', d.introduced), group('fixed', d.fixed), group('still there', d.still)].filter(
      Boolean,
    );
    return h(
      'div',
      { id: 'difference' },
      h(
        'p',
        { class: 'quiet' },
        `Since ${new Date(d.since).toLocaleString()} (then: ${d.before}` +
          `${d.ratioBefore === null ? '' : `, tests reached ${percent(d.ratioBefore)}`}):` +
          `${groups.length === 0 ? ' nothing has changed.' : ''}`,
      ),
      groups.length > 0 ? h('ul', null, groups) : null,
    );
  }

  // Source

  function sourceTabs(m) {
    if (m.sources.length < 2) return h('p', { class: 'quiet file' }, m.sources[0]?.file ?? '');
    return h(
      'div',
      { class: 'tabs', id: 'files' },
      m.sources.map((source, i) => h('button', { type: 'button', onclick: () => showLine(i, 1) }, source.file)),
    );
  }

  const statusWord = {
    holds: ['✓', 'proved'],
    'no-alarm': ['·', 'cannot fail in the abstract states; not certified'],
    fails: ['✗', 'fails'],
    'may-fail': ['?', 'may fail'],
    open: ['○', 'not decided'],
    'holds-if': ['◐', 'proved under the specifications'],
  };
  const worst = ['fails', 'may-fail', 'open', 'no-alarm', 'holds-if', 'holds'];

  function legend(m) {
    const all = m.sources.flatMap(({ checks }) => checks.map((check) => check[4]));
    const count = (status) => all.filter((one) => one === status).length;
    return h(
      'p',
      { class: 'legend' },
      m.checksInSum === null ? null : h('span', { class: 'checks-in-sum' }, `${m.checksInSum} `),
      worst
        .filter((status) => count(status) > 0)
        .map((status) =>
          h(
            'span',
            { class: status },
            h('b', { class: 'sign' }, statusWord[status][0]),
            ` ${count(status)} ${status === 'fails' && count(status) > 1 ? 'fail' : statusWord[status][1]} `,
          ),
        ),
      m.checksElsewhere > 0 ? h('span', null, `${m.checksElsewhere} in the C library or other files `) : null,
      m.sources.some(({ missed }) => missed.length > 0)
        ? h('span', { class: 'missed-key' }, h('i', null), ' no test ran it')
        : null,
      m.sources.some((source) => deadUnder(m, source).length > 0)
        ? h('span', { class: 'dead-key' }, h('i', null), ' dead under a refused specification')
        : null,
      m.sources.some(({ aside }) => aside.length > 0)
        ? h('span', { class: 'apart-key', id: 'apart-key' }, 'choose a check to see what does not matter to it')
        : null,
    );
  }

  /** Without the empty one after the last line's end. */
  function linesOf({ text }) {
    const lines = text.split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }
  const pagesOf = (source) => Math.max(1, Math.ceil(linesOf(source).length / linesPerPage));

  function drawSource() {
    const m = module();
    const source = m.sources[view.source];
    const box = document.getElementById('lines');
    document
      .querySelectorAll('#files button')
      .forEach((button, i) => button.setAttribute('aria-current', i === view.source ? 'page' : 'false'));
    if (!source) return box.replaceChildren();
    const all = linesOf(source);
    const first = view.page * linesPerPage;
    const byLine = new Map();
    for (const check of source.checks) byLine.set(check[0], [...(byLine.get(check[0]) ?? []), check]);
    const missed = new Set(source.missed);
    const dead = new Set(deadUnder(module(), source).map(([line]) => line));
    const inLibrary = failuresInLibrary(source);
    let inComment = commentOpenAt(all, first);
    box.replaceChildren(
      ...all.slice(first, first + linesPerPage).map((text, i) => {
        const number = first + i + 1;
        const checks = byLine.get(number) ?? [];
        const status = inLibrary.has(number) ? 'fails' : worst.find((s) => checks.some((check) => check[4] === s));
        const code = h('code', null);
        inComment = highlight(text, inComment, code);
        return h(
          'div',
          {
            class: `line ${status ?? ''} ${missed.has(number) ? 'missed' : ''} ${dead.has(number) ? 'dead' : ''}`,
            id: `L${number}`,
            'data-line': number,
            onclick: () => toggleChecks(number),
          },
          h(
            'span',
            {
              class: 'sign',
              title: status ? [...(inLibrary.get(number) ?? []), ...checks.map(checkText)].join('\n') : null,
              'aria-label': status ? statusWord[status][1] : null,
            },
            status ? statusWord[status][0] : '',
          ),
          h('span', { class: 'number' }, String(number)),
          code,
        );
      }),
    );
    markApart();
    const pages = pagesOf(source);
    document
      .getElementById('pages')
      .replaceChildren(
        ...(pages < 2
          ? []
          : [
              h('button', { type: 'button', disabled: view.page === 0, onclick: () => turn(-1) }, '[ previous'),
              ` lines ${first + 1} to ${Math.min(all.length, first + linesPerPage)} of ${all.length} `,
              h('button', { type: 'button', disabled: view.page === pages - 1, onclick: () => turn(1) }, 'next ]'),
            ]),
      );
  }

  /** Messages of failures in the C library, by the line that calls it. */
  function failuresInLibrary({ file }) {
    const { counterexample, further } = module().verdict;
    const found = new Map();
    for (const { failure } of [...(counterexample ? [counterexample] : []), ...(further ?? [])]) {
      const { caller, message, place } = failure;
      if (caller?.place.file === file)
        found.set(caller.place.line, [
          ...(found.get(caller.place.line) ?? []),
          `fails in ${place.function}: ${message}`,
        ]);
    }
    return found;
  }

  function turn(by) {
    const source = module().sources[view.source];
    if (!source) return;
    view.page = Math.min(pagesOf(source) - 1, Math.max(0, view.page + by));
    drawSource();
    document.getElementById('lines').scrollTop = 0;
  }

  const checkText = ([, column, kind, text, status]) =>
    `${statusWord[status][1]}: ${kind} of ${text} (column ${column})`;

  function toggleChecks(number) {
    const line = document.getElementById(`L${number}`);
    view.line = number;
    markLine();
    if (line.nextElementSibling?.classList.contains('checks')) return line.nextElementSibling.remove();
    document.querySelectorAll('#lines .checks').forEach((open) => open.remove());
    const checks = module().sources[view.source].checks.filter((check) => check[0] === number);
    const missed = module().sources[view.source].missed.includes(number);
    const dead = deadUnder(module(), module().sources[view.source]).filter(([line]) => line === number);
    if (checks.length === 0 && !missed && dead.length === 0) return;
    line.after(
      h(
        'ul',
        { class: 'checks' },
        checks.map((check) =>
          h(
            'li',
            { class: check[4] },
            h('b', { class: 'sign' }, statusWord[check[4]][0]),
            ` ${checkText(check)} `,
            apartFrom(check) &&
              h(
                'button',
                {
                  type: 'button',
                  class: 'link',
                  'aria-pressed': String(view.check === check),
                  onclick: (event) => toggleApart(check, event.currentTarget),
                },
                'what matters to it',
              ),
          ),
        ),
        missed ? h('li', null, 'no test ran this line') : null,
        dead.map(([, said]) => h('li', null, said)),
      ),
    );
  }

  /** Lines of the file shown that do not matter to a check; undefined where that was not found out. */
  function apartFrom(check) {
    for (const [source, { checks }] of module().sources.entries()) {
      const index = checks.indexOf(check);
      if (index !== -1)
        return module().sources[view.source].aside.find(([of, at]) => of === source && at === index)?.[2];
    }
    return undefined;
  }

  function toggleApart(check, button) {
    view.check = view.check === check ? null : check;
    document.querySelectorAll('#lines .checks button').forEach((other) => other.setAttribute('aria-pressed', 'false'));
    button?.setAttribute('aria-pressed', String(view.check === check));
    markApart();
    announcer.textContent = document.getElementById('apart-key')?.textContent ?? '';
  }

  /** The check of the line, or the next one of several. */
  function toggleApartOfLine() {
    const checks = module().sources[view.source].checks.filter((check) => check[0] === view.line && apartFrom(check));
    const next = checks[checks.indexOf(view.check) + 1];
    if (next) toggleApart(next);
    else if (view.check) toggleApart(view.check);
  }

  function markApart() {
    const lines = new Set(view.check ? apartFrom(view.check) : []);
    for (const line of document.querySelectorAll('#lines .line'))
      line.classList.toggle('apart', lines.has(Number(line.dataset.line)));
    const key = document.getElementById('apart-key');
    if (!key) return;
    key.classList.toggle('chosen', view.check !== null);
    key.textContent =
      view.check === null
        ? 'choose a check to see what does not matter to it'
        : lines.size === 0
          ? `all code of this file matters to ${view.check[2]} in line ${view.check[0]}`
          : `${plural(lines.size, 'line does', 'lines do')} not matter to ${view.check[2]} in line ${view.check[0]}`;
  }

  /** Shows a line, on whatever page it is, and of a long one the part with the column, or with its worst check. */
  function showLine(source, number, column = columnOfWorst(source, number)) {
    const page = Math.floor((number - 1) / linesPerPage);
    if (source !== view.source || page !== view.page || document.getElementById('lines').childElementCount === 0) {
      Object.assign(view, { source, page });
      drawSource();
    }
    view.line = number;
    markLine();
    const [line, list] = [document.getElementById(`L${number}`), document.getElementById('lines')];
    reveal(line, list);
    revealColumn(line, list, column);
  }

  function columnOfWorst(source, number) {
    const checks = module().sources[source]?.checks.filter((check) => check[0] === number) ?? [];
    return checks.toSorted((a, b) => worst.indexOf(a[4]) - worst.indexOf(b[4]))[0]?.[1];
  }

  /** To the right only if the column is not seen from the beginning of the line. */
  function revealColumn(line, list, column) {
    list.scrollLeft = 0;
    const code = line?.querySelector('code');
    if (!code || column === undefined) return;
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    let before = column - 1;
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (before < text.length) {
        const range = document.createRange();
        range.setStart(text, before);
        range.setEnd(text, before + 1);
        const gutter = code.getBoundingClientRect().left - list.getBoundingClientRect().left;
        const x = range.getBoundingClientRect().left - code.getBoundingClientRect().left;
        const width = list.clientWidth - gutter;
        if (x > 0.8 * width) list.scrollLeft = x - 0.3 * width;
        return;
      }
      before -= text.length;
    }
  }

  /** Scrolls the list only, so that the page stays where it is. */
  function reveal(element, list) {
    if (!element) return;
    const [inner, outer] = [element.getBoundingClientRect(), list.getBoundingClientRect()];
    const margin = 60;
    if (inner.top < outer.top + margin) list.scrollTop -= outer.top + margin - inner.top;
    else if (inner.bottom > outer.bottom - margin) list.scrollTop += inner.bottom - outer.bottom + margin;
  }

  function markLine() {
    document.querySelectorAll('#lines .current').forEach((line) => line.classList.remove('current'));
    document.getElementById(`L${view.line}`)?.classList.add('current');
  }

  function nextFinding(by) {
    const lines = [
      ...new Set(
        module()
          .sources[view.source].checks.filter((check) => ['fails', 'may-fail', 'open'].includes(check[4]))
          .map((check) => check[0]),
      ),
    ].sort((a, b) => a - b);
    const next =
      by > 0
        ? (lines.find((line) => line > view.line) ?? lines[0])
        : (lines.filter((line) => line < view.line).at(-1) ?? lines.at(-1));
    if (next !== undefined) showLine(view.source, next);
  }

  // C, coloured: comments, strings, numbers, keywords, directives

  const words = new Set(
    (
      'auto break case char const continue default do double else enum extern float for goto if inline int long ' +
      'register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while ' +
      '_Bool bool'
    ).split(' '),
  );

  function commentOpenAt(all, first) {
    let open = false;
    for (let i = 0; i < first; i++) {
      const text = all[i].replace(/"(?:[^"\\]|\\.)*"|\/\/.*/g, '');
      const [begin, end] = [text.lastIndexOf('/*'), text.lastIndexOf('*/')];
      if (begin > end) open = true;
      else if (end >= 0) open = false;
    }
    return open;
  }

  function highlight(text, inComment, into) {
    let rest = text;
    if (inComment) {
      const end = rest.indexOf('*/');
      into.append(h('i', { class: 'comment' }, end < 0 ? rest : rest.slice(0, end + 2)));
      if (end < 0) return true;
      rest = rest.slice(end + 2);
    }
    for (const [token] of rest.matchAll(
      /\/\/.*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|^\s*#\s*\w+|[A-Za-z_]\w*|\d[\w.]*|\s+|[^]/g,
    )) {
      const kind = /^\/[/*]/.test(token)
        ? 'comment'
        : /^["']/.test(token)
          ? 'string'
          : /^\s*#/.test(token)
            ? 'directive'
            : /^\d/.test(token)
              ? 'literal'
              : words.has(token)
                ? 'word'
                : undefined;
      if (!kind) {
        into.append(token);
        continue;
      }
      into.append(h('i', { class: kind }, token));
      if (token.startsWith('/*') && !token.endsWith('*/')) return true;
    }
    return false;
  }

  // The counterexample

  function stepper(m) {
    if (m.verdict.verdict !== 'bug') return null;
    const calls = h(
      'ol',
      { class: 'calls', id: 'calls' },
      m.steps.map(({ text, call }) =>
        h('li', { 'data-call': call, class: call === null ? 'input' : null }, h('code', null, text)),
      ),
    );
    if (!m.trace) return section('counterexample', 'Counterexample', calls);
    const button = (label, title, by) => h('button', { type: 'button', title, onclick: () => move(by) }, label);
    return section(
      'counterexample',
      'Counterexample',
      calls,
      h(
        'div',
        { class: 'controls' },
        button('first', 'first step (g)', -Infinity),
        button('◀ k', 'previous step (k)', -1),
        h('output', { id: 'position', for: 'values' }),
        button('j ▶', 'next step (j)', 1),
        button('last', 'last step (G)', Infinity),
        h(
          'label',
          null,
          h('input', { type: 'checkbox', id: 'relevant', onchange: toggleRelevant }),
          ' only relevant lines (r)',
        ),
      ),
      h('p', { id: 'where' }),
      m.trace.heaps.length > 0 ? h('figure', { id: 'heap' }) : null,
      h('table', { id: 'values' }, h('caption', null, 'State before the line'), h('tbody', null)),
      m.trace.probes.length > 0 ? h('table', { id: 'probes' }, h('caption', null, 'Probes'), h('tbody', null)) : null,
    );
  }

  function failingTest(m) {
    const test = m.verdict.counterexample?.test;
    if (!test) return null;
    return section('failing-test', 'Failing test', pasteable('To paste; it fails at this C line', test, 'copy-test'));
  }

  function toggleRelevant() {
    view.relevant = !view.relevant;
    document.getElementById('relevant').checked = view.relevant;
    if (view.relevant && !trace().steps[view.step].relevant) move(1);
    else showStep();
  }

  /** By so many steps, over those that are not shown. */
  function move(by) {
    const steps = trace()?.steps;
    if (!steps) return;
    const shown = steps.map((step, i) => i).filter((i) => !view.relevant || steps[i].relevant);
    const at = by > 0 ? shown.findIndex((i) => i > view.step) : shown.findLastIndex((i) => i < view.step);
    if (by === -Infinity) view.step = shown[0];
    else if (by === Infinity) view.step = shown.at(-1);
    else if (at >= 0) view.step = shown[at];
    showStep();
  }

  function moveCall(by) {
    const steps = trace()?.steps;
    if (!steps) return;
    const call = steps[view.step].call;
    const target =
      by > 0
        ? steps.findIndex((step) => step.call > call)
        : steps.findIndex(
            (step) => step.call === (view.step > steps.findIndex((s) => s.call === call) ? call : call - 1),
          );
    view.step = target >= 0 ? target : by > 0 ? steps.length - 1 : 0;
    showStep();
  }

  function showStep() {
    const { steps, probes, omitted, heaps } = trace();
    const step = steps[view.step];
    const values = new Map();
    for (const { changed } of steps.slice(0, view.step + 1))
      for (const [name, value] of changed) {
        if (value === undefined) values.delete(name);
        else values.set(name, value);
      }
    const changed = new Set(step.changed.map(([name]) => name));
    document.getElementById('values').tBodies[0].replaceChildren(
      ...[...values].map(([name, value]) => {
        const [, owner, own] = /^(.*): (.*)$/.exec(name) ?? [];
        return h(
          'tr',
          { class: changed.has(name) && view.step > 0 ? 'changed' : null },
          h('th', { scope: 'row' }, owner ? [h('small', null, `${owner} `), own] : name),
          h('td', null, value),
        );
      }),
    );
    const heap = heaps[step.heap ?? -1];
    document
      .getElementById('heap')
      ?.replaceChildren(
        ...(heap
          ? heapPicture(heap, heaps[steps[view.step - 1]?.heap ?? -1], 'Structures and pointers before the line')
          : []),
      );
    document.getElementById('probes')?.tBodies[0].replaceChildren(
      ...probes.map((name, i) => {
        const before = view.step > 0 ? steps[view.step - 1].probes[i] : step.probes[i];
        return h(
          'tr',
          { class: before !== step.probes[i] ? 'changed' : null },
          h('th', { scope: 'row' }, name),
          h('td', null, { 1: '✓ true', 0: '✗ false' }[step.probes[i]] ?? '– not asked here'),
        );
      }),
    );
    const last = view.step === steps.length - 1;
    const failing = last ? placeOf(module().verdict.counterexample.failure) : undefined;
    // A step in the C library, whose text is not shown, stands at the line that called it.
    const shown =
      step.source >= 0
        ? step
        : failing
          ? { ...failing, source: module().sources.findIndex(({ file }) => file === failing.file) }
          : (steps.slice(0, view.step).findLast(({ source }) => source >= 0) ?? step);
    document.getElementById('position').textContent = `${omitted + view.step + 1} / ${omitted + steps.length}`;
    document
      .getElementById('where')
      .replaceChildren(
        h('code', null, `${module().sources[shown.source]?.file ?? ''}:${shown.line}`),
        shown.function ? ` in ${shown.function}` : '',
        shown === step ? '' : `, in ${step.function} of the C library`,
        step.depth > 1 ? `, ${step.depth} calls deep` : '',
        last
          ? h('strong', { class: 'failing' }, ` fails here: ${module().verdict.counterexample.failure.message}`)
          : '',
      );
    document
      .querySelectorAll('#calls li')
      .forEach((li) => li.classList.toggle('current', li.dataset.call === String(step.call)));
    showLine(Math.max(0, shown.source), shown.line, failing?.line === shown.line ? failing.column : undefined);
    const lines = document.getElementById('lines');
    lines.querySelectorAll('.aside').forEach((line) => line.classList.remove('aside'));
    if (view.relevant) {
      const relevant = new Set(steps.filter((s) => s.relevant && s.source === view.source).map((s) => s.line));
      for (const line of lines.querySelectorAll('.line'))
        if (!relevant.has(Number(line.dataset.line))) line.classList.add('aside');
    }
    announcer.textContent = `step ${view.step + 1} of ${steps.length}, line ${shown.line}`;
  }

  // Further remarks

  function errors(m) {
    const found = m.verdict.errors;
    if (found.length === 0) return null;
    return section(
      'errors',
      plural(found.length, 'potential error'),
      found.slice(0, 20).map((error) =>
        h(
          'article',
          null,
          h(
            'p',
            null,
            h(
              'button',
              {
                type: 'button',
                class: 'link',
                onclick: () => showPlace(placeOf(error.failure)),
              },
              `${placeOf(error.failure).file}:${placeOf(error.failure).line}`,
            ),
            ' ',
            error.failure.message,
          ),
          error.state.length > 0
            ? h(
                'table',
                null,
                h('caption', null, `From this state, at line ${error.at.line}`),
                h(
                  'tbody',
                  null,
                  error.state.map(({ name, value }) =>
                    h('tr', null, h('th', { scope: 'row' }, name), h('td', null, value)),
                  ),
                ),
              )
            : null,
          h('p', { class: 'quiet' }, error.explanation),
          error.suggestion ? pasteable('What to try', error.suggestion) : null,
        ),
      ),
      found.length > 20 ? h('p', { class: 'quiet' }, `and ${found.length - 20} more`) : null,
    );
  }

  function invariants(m) {
    const list = m.verdict.invariants.filter(({ formula }) => formula !== 'true');
    if (list.length === 0) return null;
    const where = ({ at, place }) =>
      at === 'module' ? 'between any two calls' : `${at} of ${place.function ?? 'the program'}, line ${place.line}`;
    const shapes = new Map(m.verdict.invariants.map((invariant, i) => [invariant, m.shapes[i]]));
    const row = (invariant) => [
      h('dt', null, where(invariant)),
      h('dd', null, h('code', null, invariant.formula), shape(shapes.get(invariant))),
    ];
    return section(
      'invariants',
      'Invariants',
      h('dl', null, list.slice(0, 3).map(row)),
      list.length > 3
        ? h('details', null, h('summary', null, `${list.length - 3} more`), h('dl', null, list.slice(3, 300).map(row)))
        : null,
    );
  }

  function shape(heap) {
    return heap ? h('figure', null, heapPicture(heap, undefined, 'What the variables reach')) : null;
  }

  function adequacy(m) {
    const a = m.verdict.adequacy;
    if (!a || a.total === 0) return null;
    const missing = a.missing.slice(0, 50);
    return section(
      'adequacy',
      'Adequacy',
      h(
        'p',
        null,
        h('meter', { min: 0, max: a.total, value: a.covered, 'aria-label': 'abstract states reached by tests' }),
        ` The tests reach ${a.covered} of ${a.total} abstract states: `,
        h('strong', null, percent(a.ratio)),
        '.',
      ),
      missing.length > 0
        ? h(
            'details',
            null,
            h('summary', null, `${plural(a.missing.length, 'state')} not reached`),
            h(
              'ul',
              null,
              missing.map(({ at, valuation, state, test }) =>
                h(
                  'li',
                  null,
                  `${at.function ?? 'between calls'}, line ${at.line}: `,
                  h('code', null, valuation),
                  state.length > 0
                    ? h(
                        'div',
                        { class: 'quiet' },
                        `for example ${state.map(({ name, value }) => `${name} = ${value}`).join(', ')}`,
                      )
                    : null,
                  test ? h('pre', null, test) : h('div', { class: 'quiet' }, 'not shown reachable'),
                ),
              ),
            ),
            a.missing.length > missing.length
              ? h('p', { class: 'quiet' }, `and ${a.missing.length - missing.length} more`)
              : null,
          )
        : null,
    );
  }

  function relative(m) {
    const v = m.verdict;
    return [
      section(
        'assumptions',
        'Relative to',
        h(
          'ul',
          null,
          [`properties: ${v.properties.join(', ')}`, ...v.assumptions].map((text) => h('li', null, text)),
        ),
      ),
      v.suppressed.length > 0
        ? section(
            'suppressed',
            'Suppressed, and so not proved',
            h(
              'ul',
              null,
              v.suppressed.map(({ check, text, place, reason }) =>
                h('li', null, h('code', null, text), ` (${check}), line ${place.line}: ${reason}`),
              ),
            ),
          )
        : null,
      v.remarks.length > 0
        ? section(
            'remarks',
            'Remarks',
            h(
              'ul',
              null,
              v.remarks.map((text) => h('li', null, text)),
            ),
          )
        : null,
    ];
  }

  function timings(m) {
    const s = m.verdict.statistics;
    if (!s) return null;
    const own =
      m.states || s.abstractStates === 0 || s.predicates === 0
        ? []
        : [['states', `${s.abstractStates} abstract, ${s.fabricatedStates} fabricated`]];
    const program = [
      [s.cutpoints, 'cutpoint'],
      [s.segments, 'segment'],
      [s.predicates, 'predicate'],
      [s.obligations, 'obligation'],
    ]
      .filter(([n]) => n > 0)
      .map(([n, what]) => plural(n, what))
      .join(', ');
    const rows = [
      ...Object.entries(s.secondsByPhase).map(([phase, seconds]) => [phase, `${seconds.toFixed(2)} s`]),
      ['in all', `${m.verdict.seconds.toFixed(2)} s`],
      ['engine', m.verdict.engine],
      ['solver', `${s.solver}, ${plural(s.solverQueries, 'query', 'queries')}`],
      ...own,
      ...(program === '' ? [] : [['program', program]]),
    ];
    return section(
      'timings',
      'Effort',
      h(
        'table',
        null,
        h(
          'tbody',
          null,
          rows.map(([name, value]) => h('tr', null, h('th', { scope: 'row' }, name), h('td', null, value))),
        ),
      ),
    );
  }

  // Abstract states

  const sourceWord = {
    test: 'reached by tests',
    fabricated: 'fabricated',
    run: 'on the way of a run',
    abstract: 'known from formulas only',
  };

  const pixelsPerPoint = 4 / 3;
  const smallestScale = 0.65;

  /** A picture whose nodes can be chosen, with the mouse or the keyboard. */
  function graph(drawing, label, choose) {
    if (!drawing) return null;
    const picture = h('div', { class: 'graph', tabindex: '0', role: 'group', 'aria-label': label });
    const svg = new DOMParser().parseFromString(drawing, 'image/svg+xml').documentElement;
    const drawn = document.importNode(svg, true);
    // A little too wide is made to fit; what would be too small to read is scrolled.
    const smallestWidth = Math.round(parseFloat(svg.getAttribute('width') ?? '0') * pixelsPerPoint * smallestScale);
    drawn.style.maxWidth = `max(100%, ${smallestWidth}px)`;
    drawn.style.height = 'auto'; // Not that of the unscaled picture.
    picture.append(drawn);
    for (const node of picture.querySelectorAll('g.node')) {
      node.setAttribute('tabindex', '0');
      node.setAttribute('role', 'button');
      node.addEventListener('click', () => choose(node.id));
      node.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          event.stopPropagation();
          choose(node.id);
        }
      });
    }
    return picture;
  }

  function markNode(graphId, id) {
    document.querySelectorAll(`#${graphId} .graph .chosen`).forEach((node) => node.classList.remove('chosen'));
    document.querySelector(`#${graphId} .graph [id="${id}"]`)?.classList.add('chosen');
  }

  function states(m) {
    const drawn = m.states;
    if (!drawn) return null;
    const picture = graph(drawn.svg, 'Graph of the abstract states', showState);
    const key = (kind, text) =>
      drawn.counts[kind] > 0
        ? h('span', { class: `key ${kind}` }, h('i', null), ` ${drawn.counts[kind]} ${text}`)
        : null;
    const statuses = new Set(drawn.errors.map(({ status }) => status));
    return section(
      'states',
      'Abstract states',
      h(
        'p',
        { class: 'legend' },
        key('test', m.verdict.statistics?.coveredAbstractStates === 0 ? 'at the start' : 'reached by tests'),
        key('fabricated', 'fabricated'),
        key('run', 'on the way of a run'),
        key('abstract', 'from formulas only'),
        statuses.has('reached') ? h('span', { class: 'key reached' }, h('i', null), ' error') : null,
        statuses.has('possible') ? h('span', { class: 'key possible' }, h('i', null), ' possible error') : null,
        statuses.has('unreachable')
          ? h('span', { class: 'key unreachable' }, h('i', null), ' proved unreachable')
          : null,
      ),
      drawn.note ? h('p', { class: 'quiet' }, drawn.note) : null,
      m.verdict.adequacy && m.verdict.adequacy.total !== drawn.states.length
        ? h(
            'p',
            { class: 'quiet' },
            `The measure of the tests counts ${m.verdict.adequacy.total} of these: not those between calls, and once ` +
              'those that differ only in who called or behind a null pointer.',
          )
        : null,
      h(
        'div',
        { class: 'graph-row' },
        picture,
        h(
          'aside',
          { id: 'state', 'aria-live': 'polite' },
          h('p', { class: 'quiet' }, 'Choose a state to see what holds in it.'),
        ),
      ),
      h(
        'details',
        null,
        h('summary', null, `All ${plural(drawn.states.length, 'state')}`),
        listTable(
          ['place', 'state', 'how it is known', 'example'],
          drawn.states
            .slice(0, 500)
            .map((s) =>
              h(
                'tr',
                null,
                h('td', null, `${s.place} (line ${s.line})`),
                h('td', null, h('code', null, s.conditions.join(' && ') || 'true')),
                h('td', null, sourceWord[s.source]),
                h('td', null, s.example),
              ),
            ),
        ),
      ),
    );
  }

  /** Wider than a small screen, it scrolls by itself. */
  function listTable(headings, rows) {
    return h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': headings.join(', ') },
      h(
        'table',
        { class: 'list' },
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            headings.map((heading) => h('th', { scope: 'col' }, heading)),
          ),
        ),
        h('tbody', null, rows),
      ),
    );
  }

  function showState(id) {
    markNode('states', id);
    const { states: all, errors: failures } = module().states;
    const state = all.find((s) => s.id === id);
    const failure = failures.find((e) => e.id === id);
    const box = document.getElementById('state');
    if (state) {
      box.replaceChildren(
        h('h3', null, state.place, h('small', null, ` line ${state.line}`)),
        h('p', null, sourceWord[state.source]),
        h(
          'ul',
          null,
          (state.conditions.length > 0 ? state.conditions : ['true']).map((condition) =>
            h('li', null, h('code', null, condition)),
          ),
        ),
        state.example ? h('p', { class: 'quiet' }, `for example ${state.example}`) : '',
      );
      showLine(0, state.line);
    } else if (failure) {
      box.replaceChildren(
        h('h3', null, failure.name),
        h(
          'p',
          null,
          failure.status === 'unreachable'
            ? `${plural(failure.checks, 'check')}: proved that none can fail`
            : failure.status === 'reached'
              ? 'the failure of the counterexample'
              : 'could fail, in a state not shown reachable',
        ),
      );
    } else {
      box.replaceChildren(h('p', { class: 'quiet' }, 'A place with its states; they are in the list below.'));
    }
  }

  // Refinement

  const stepWord = { test: 'test', split: 'split', invariants: 'invariants added', removed: 'step removed' };
  const placeText = (at) => (at ? `${at.function ?? ''} line ${at.line}`.trim() : 'between calls');

  function refinement(m) {
    const r = m.verdict.refinement;
    if (!r || !m.partition) return null;
    const { regions } = r.graph;
    const drawn = new Set(
      regions.filter(({ kind, states: n, reachable }) => kind === 'error' || n > 0 || reachable).map(({ id }) => id),
    );
    const edges = r.graph.edges.filter(
      ({ from, to, kind }) => drawn.has(from) && (drawn.has(to) || kind === 'removed'),
    );
    const count = (kind) => edges.filter((edge) => edge.kind === kind).length;
    const key = (kind, n, text) => (n > 0 ? h('span', { class: `key ${kind}` }, h('i', null), ` ${n} ${text}`) : null);
    const line = (kind, n, text) =>
      n > 0 ? h('span', { class: `key way ${kind}` }, h('i', null), ` ${n} ${text}`) : null;
    const shown = regions.filter(({ kind, states: n, reachable }) => kind === 'point' && (n > 0 || reachable));
    return section(
      'refinement',
      'Refinement',
      h(
        'p',
        null,
        `${r.engine}: ${plural(r.iterations, 'iteration')}, ${plural(r.questions, 'question')} to the solver. ` +
          `${plural(r.testsGiven, 'run')} of the tests to begin with, ${r.tests} made on the way; ` +
          `${plural(r.graph.states, 'state')} of runs; ${plural(regions.length, 'region')}, of which ${drawn.size} ` +
          'are reached or could be.',
      ),
      h(
        'p',
        { class: 'legend' },
        key('test', shown.filter(({ states: n }) => n > 0).length, 'regions with states of runs'),
        key('abstract', shown.filter(({ states: n }) => n === 0).length, 'known from formulas only'),
        r.graph.edges.some(({ from, to, kind }) => kind === 'removed' && drawn.has(from) && !drawn.has(to))
          ? h('span', { class: 'key unreachable' }, h('i', null), ' cut off')
          : null,
        line('taken', count('taken'), 'steps taken by runs'),
        line('possible', count('possible'), 'possible'),
        line('removed', count('removed'), 'removed: no state takes them'),
        line('frontier', edges.filter(({ frontier }) => frontier).length, 'latest frontiers'),
      ),
      m.partition.note ? h('p', { class: 'quiet' }, m.partition.note) : null,
      h(
        'div',
        { class: 'graph-row' },
        graph(m.partition.svg, 'Graph of the regions', showRegion),
        h(
          'aside',
          { id: 'region', 'aria-live': 'polite' },
          h('p', { class: 'quiet' }, 'Choose a region to see its formula and what leads on from it.'),
        ),
      ),
      h(
        'details',
        { open: m.partition.svg ? false : true },
        h('summary', null, `What was refined, in ${plural(r.steps.length, 'step')}`),
        listTable(
          ['iteration', 'what', 'where', 'formula', 'why'],
          r.steps.map((s) =>
            h(
              'tr',
              null,
              h('td', null, s.iteration),
              h('td', null, stepWord[s.kind]),
              h('td', null, placeText(s.at)),
              h('td', null, s.formula ? h('code', null, s.formula) : ''),
              h('td', null, s.why),
            ),
          ),
        ),
      ),
      h(
        'details',
        null,
        h('summary', null, `All ${plural(shown.length, 'region')}`),
        listTable(
          ['place', 'formula', 'states'],
          shown.map((region) =>
            h(
              'tr',
              null,
              h('td', null, placeText(region.at)),
              h('td', null, h('code', null, region.formula || 'true')),
              h('td', null, region.states),
            ),
          ),
        ),
      ),
    );
  }

  /** The parts of a conjunction; what stands in parentheses stays together. */
  function conjuncts(text) {
    const parts = [''];
    let depth = 0;
    for (const word of text.split(' ')) {
      if (word === '&&' && depth === 0) {
        parts.push('');
        continue;
      }
      depth += (word.match(/[([]/g) ?? []).length - (word.match(/[)\]]/g) ?? []).length;
      parts[parts.length - 1] += `${parts.at(-1) === '' ? '' : ' '}${word}`;
    }
    return parts;
  }

  function showRegion(id) {
    markNode('refinement', id);
    const { regions, edges } = module().verdict.refinement.graph;
    const number = Number(id.slice(1));
    const region = regions.find((r) => r.id === number);
    const name = (r) =>
      r.kind === 'point' ? `${placeText(r.at)}${r.formula && r.formula !== 'true' ? `, ${r.formula}` : ''}` : r.kind;
    const leaving = edges.filter(({ from }) => from === number);
    const kindWord = { taken: 'taken', possible: 'possible', removed: 'removed' };
    document.getElementById('region').replaceChildren(
      h('h3', null, region.kind === 'point' ? placeText(region.at) : region.kind),
      region.kind === 'point'
        ? h(
            'ul',
            null,
            conjuncts(region.formula || 'true').map((part) => h('li', null, h('code', null, part))),
          )
        : '',
      region.kind === 'error'
        ? h(
            'p',
            null,
            region.states > 0
              ? 'a run fails here'
              : region.reachable
                ? 'some path of regions leads here'
                : 'no path of regions leads here',
          )
        : h('p', { class: 'quiet' }, plural(region.states, 'state')),
      leaving.length > 0
        ? h(
            'ul',
            { class: 'quiet' },
            leaving.map((edge) =>
              h(
                'li',
                null,
                `${kindWord[edge.kind]}${edge.frontier ? ', frontier' : ''}: ` +
                  name(regions.find((r) => r.id === edge.to) ?? region),
              ),
            ),
          )
        : '',
    );
    if (region.at) showPlace(region.at);
  }

  function showPlace(at) {
    const source = module().sources.findIndex(({ file }) => file === at.file);
    if (source >= 0) showLine(source, at.line, at.column);
  }

  const pasteable = pasteableOf({ h });
  const failures = failuresOf({ h, section, plural, pasteable, showPlace });
  const searchTree = searchTreeOf({ h, section, plural, graph, markNode, showPlace, placeText });
  const heapPicture = heapPictureOf({ h });

  // Keys

  addEventListener('keydown', (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      help.open ||
      event.target.closest('input[type=text], textarea')
    )
      return;
    const actions = {
      j: () => move(1),
      k: () => move(-1),
      J: () => moveCall(1),
      K: () => moveCall(-1),
      g: () => move(-Infinity),
      G: () => move(Infinity),
      r: () => trace() && toggleRelevant(),
      c: () => document.getElementById('copy-test')?.click(),
      d: toggleApartOfLine,
      n: () => nextFinding(1),
      p: () => nextFinding(-1),
      '[': () => turn(-1),
      ']': () => turn(1),
      t: toggleTheme,
      '?': () => help.showModal(),
      m: () => openModule((view.module + 1) % report.modules.length),
      M: () => openModule((view.module + report.modules.length - 1) % report.modules.length),
      s: () => document.getElementById('lines').focus(),
      a: () => document.querySelector('#states .graph')?.focus(),
      f: () => document.querySelector('#refinement .graph')?.focus(),
      e: () => document.getElementById('goals')?.focus(),
    };
    const inSource = event.target.id === 'lines';
    if (inSource && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const count = module().sources[view.source].text.split('\n').length;
      showLine(view.source, Math.min(count, Math.max(1, view.line + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (inSource && event.key === 'Enter') toggleChecks(view.line);
    else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  });

  openModule(
    Math.max(
      0,
      report.modules.findIndex((m) => m.verdict.verdict !== 'proved'),
    ),
  );
})();
