/**
 * The section of the page that shows a search tree. Runs in the browser, before `page.js`, which calls it with its own
 * functions.
 */
'use strict';
const searchTreeOf = ({ h, section, plural, graph, markNode, showPlace, placeText }) => {
  const rowsAtOnce = 400;
  const deepestIndent = 30;
  const kindWord = {
    step: '',
    end: 'no check follows',
    covered: 'covered by',
    closed: 'closed by',
    infeasible: 'infeasible',
    spurious: 'cannot be taken',
    fails: 'fails',
    open: 'not finished',
  };
  const annotationWord = { max: 'kept for good', min: 'dropped', neutral: 'kept' };
  const nameOf = (node) =>
    node.parent === undefined
      ? 'start'
      : node.at || node.kind !== 'end'
        ? node.at
          ? placeText(node.at)
          : node.kind === 'spurious' || node.kind === 'fails' || node.kind === 'infeasible'
            ? 'the error'
            : 'between calls'
        : 'the end';

  /** Constraints of a head, each with its annotation, which is not told by its look alone. */
  const chips = (vector) =>
    h(
      'ul',
      { class: 'chips' },
      vector.map(({ constraint, annotation }) =>
        h(
          'li',
          { class: annotation, title: annotationWord[annotation] },
          annotation === 'min' ? h('s', null, h('code', null, constraint)) : h('code', null, constraint),
          h('small', null, ` ${annotation}`),
        ),
      ),
    );

  return function searchTree(m) {
    const report = m.verdict.searchTree;
    if (!report) return null;
    const { tree, restarts } = report;
    const byId = new Map(tree.map((node) => [node.id, node]));
    const passes = restarts.length + 1;
    const state = { pass: 'last', kind: 'all', shown: rowsAtOnce };

    const depths = new Map();
    const branches = new Map();
    for (const node of tree)
      if (node.parent !== undefined) branches.set(node.parent, (branches.get(node.parent) ?? 0) + 1);
    // A chain without branches is not indented, so that long paths stay readable.
    for (const node of tree)
      depths.set(
        node.id,
        node.parent === undefined ? 0 : depths.get(node.parent) + ((branches.get(node.parent) ?? 0) > 1 ? 1 : 0),
      );

    const box = h(
      'aside',
      { id: 'goal', 'aria-live': 'polite' },
      h('p', { class: 'quiet' }, 'Choose a node to see its label, its constraints, and what it was done with.'),
    );
    const list = h('div', { id: 'goals', role: 'listbox', tabindex: '0', 'aria-label': 'Nodes of the search tree' });
    const more = h('button', { type: 'button', onclick: () => draw((state.shown += rowsAtOnce)) }, '');
    const count = h('span', { class: 'quiet', 'aria-live': 'polite' });

    const link = (id) =>
      byId.has(id)
        ? h('button', { type: 'button', class: 'link', onclick: () => choose(id, true) }, String(id))
        : String(id);

    function choose(id, scroll) {
      const node = byId.get(id);
      if (!node) return;
      if (scroll && !list.querySelector(`[data-id="${id}"]`)) {
        Object.assign(state, { kind: 'all', pass: node.forgotten ? String(node.pass) : 'last' });
        const index = visible().indexOf(node);
        state.shown = Math.max(state.shown, Math.ceil((index + 1) / rowsAtOnce) * rowsAtOnce);
        draw();
      }
      list.querySelectorAll('[aria-selected=true]').forEach((row) => row.setAttribute('aria-selected', 'false'));
      const row = list.querySelector(`[data-id="${id}"]`);
      row?.setAttribute('aria-selected', 'true');
      if (row) list.setAttribute('aria-activedescendant', row.id);
      if (scroll) row?.scrollIntoView({ block: 'nearest' });
      markNode('search-tree', `n${id}`);
      const above = [];
      for (let at = node.parent; at !== undefined && above.length < 12; at = byId.get(at)?.parent) above.push(at);
      const locks = restarts.filter(({ at }) => at === id);
      box.replaceChildren(
        h(
          'div',
          null,
          h('h3', null, `${id}: ${nameOf(node)}`),
          h(
            'p',
            null,
            kindWord[node.kind],
            node.by === undefined ? null : [' ', link(node.by)],
            node.kind === 'covered' ? ': nothing new to learn about failures here' : null,
            node.forgotten ? ' (forgotten at a restart)' : null,
          ),
          node.label
            ? [
                h(
                  'p',
                  { class: 'quiet' },
                  node.kind === 'infeasible' ? 'excluded by' : 'from each state with this, no check fails',
                ),
                h(
                  'ul',
                  null,
                  node.label.map((part) => h('li', null, h('code', null, part))),
                ),
              ]
            : '',
          node.vector ? [h('p', { class: 'quiet' }, 'constraints at the head of the loop'), chips(node.vector)] : '',
          locks.length > 0
            ? h(
                'p',
                { class: 'failing' },
                `${plural(locks.length, 'restart')} here; locked: `,
                h('code', null, locks.flatMap(({ locked }) => locked).join(', ')),
              )
            : '',
          above.length > 0
            ? h(
                'p',
                { class: 'quiet' },
                'path back: ',
                above.map((at, i) => [i > 0 ? ' ← ' : '', link(at)]),
              )
            : '',
        ),
      );
      if (node.at) showPlace(node.at);
    }

    function visible() {
      return tree.filter(
        (node) =>
          (state.pass === 'last' ? !node.forgotten : node.pass === Number(state.pass)) &&
          (state.kind === 'all' || node.kind === state.kind),
      );
    }

    function draw() {
      const nodes = visible();
      const shown = nodes.slice(0, state.shown);
      list.replaceChildren(
        ...shown.map((node) =>
          h(
            'div',
            {
              class: `goal-row ${node.kind}${restarts.some(({ at }) => at === node.id) ? ' restarted' : ''}`,
              id: `row${node.id}`,
              role: 'option',
              'aria-selected': 'false',
              'data-id': node.id,
              style:
                'padding-left: ' +
                `${8 + 12 * Math.min(deepestIndent, state.kind === 'all' ? depths.get(node.id) : 0)}px`,
              onclick: () => choose(node.id),
            },
            h('span', { class: 'quiet' }, `${node.id} `),
            nameOf(node),
            kindWord[node.kind] === ''
              ? null
              : h('em', null, ` ${kindWord[node.kind]}${node.by === undefined ? '' : ` ${node.by}`}`),
            node.label ? h('code', null, ` ${node.label.join(', ')}`) : null,
          ),
        ),
      );
      count.textContent = ` ${shown.length} of ${plural(nodes.length, 'node')}`;
      more.hidden = shown.length === nodes.length;
      more.textContent = `${Math.min(rowsAtOnce, nodes.length - shown.length)} more`;
    }

    list.addEventListener('keydown', (event) => {
      const rows = [...list.children];
      const at = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true');
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (row) choose(Number(row.dataset.id), true);
    });

    const option = (value, text) => h('option', { value }, text);
    const chooser = (label, key, options) =>
      h(
        'label',
        null,
        `${label} `,
        h(
          'select',
          {
            onchange: (event) => {
              Object.assign(state, { [key]: event.target.value, shown: rowsAtOnce });
              draw();
            },
          },
          options,
        ),
      );
    const kinds = Object.keys(kindWord).filter((kind) => tree.some((node) => node.kind === kind));
    draw();

    /** Labels of the last pass, by the lines of the program. */
    const byLine = new Map();
    for (const node of tree) {
      if (node.forgotten || !node.at || node.kind === 'infeasible' || !node.label) continue;
      const key = `${node.at.file}:${node.at.line}:${node.label.join(', ')}`;
      const entry = byLine.get(key) ?? { at: node.at, label: node.label, nodes: [] };
      entry.nodes.push(node.id);
      byLine.set(key, entry);
    }
    const labels = [...byLine.values()].sort((a, b) => a.at.line - b.at.line);

    return section(
      'search-tree',
      'Search tree',
      h(
        'p',
        null,
        `S = ${plural(report.nodes, 'node')}, T = ${report.seconds.toFixed(2)} s: ${report.infeasible} infeasible, ` +
          `${report.covered} covered, ${report.closed} closed, ${plural(restarts.length, 'restart')}; ` +
          `${plural(report.questions, 'query', 'queries')} to the solver, ${report.avoided} avoided.`,
      ),
      m.tree?.note ? h('p', { class: 'quiet' }, m.tree.note) : null,
      graph(m.tree?.svg, 'Graph of the search tree', (id) => choose(Number(id.slice(1)), true)),
      h(
        'div',
        { class: 'graph-row' },
        h(
          'div',
          null,
          h(
            'p',
            { class: 'controls' },
            passes > 1
              ? chooser('pass', 'pass', [
                  option('last', 'the last one'),
                  restarts.map((_, i) => option(i, `${i + 1}, until its restart`)),
                ])
              : null,
            chooser('show', 'kind', [option('all', 'all nodes'), kinds.map((kind) => option(kind, kind))]),
            count,
          ),
          list,
          more,
        ),
        box,
      ),
      h(
        'details',
        null,
        h('summary', null, `${plural(labels.length, 'label')} by line`),
        h(
          'table',
          { class: 'list' },
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              ['place', 'label', 'nodes'].map((t) => h('th', { scope: 'col' }, t)),
            ),
          ),
          h(
            'tbody',
            null,
            labels.slice(0, 500).map(({ at, label, nodes }) =>
              h(
                'tr',
                null,
                h(
                  'td',
                  null,
                  h('button', { type: 'button', class: 'link', onclick: () => showPlace(at) }, placeText(at)),
                ),
                h('td', null, h('code', null, label.join(' && '))),
                h(
                  'td',
                  null,
                  nodes.slice(0, 8).map((id, i) => [i > 0 ? ', ' : '', link(id)]),
                  nodes.length > 8 ? ', …' : '',
                ),
              ),
            ),
          ),
        ),
      ),
    );
  };
};
