/**
 * The heap at a step of a counterexample: a box per structure, an arrow per pointer. Runs in the browser, before
 * `page.js`, which calls it with its own functions.
 */
'use strict';
const heapPictureOf = ({ h }) => {
  const character = 7.3;
  const lineHeight = 19;
  const columnGap = 44;
  const rowGap = 16;
  const nameHeight = 22;
  const padding = 8;

  function svg(tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== null) element.setAttribute(name, String(value));
    element.append(...children.flat(2).filter((child) => child !== null));
    return element;
  }

  const nameText = ({ name, member }) => (member === undefined ? name : `${name} (.${member})`);
  const memberText = ({ name, value }) => (value === undefined ? name : `${name}: ${value}`);
  const word = { live: '', freed: ', freed', lost: ', lost', several: '' };
  const titleText = ({ title, type, state }) => `${title} (${type})${word[state]}`;
  const isPointer = (member) => member.to !== undefined;

  /** Columns by the distance from where a chain begins, a row for each branch. */
  function positionsOf({ names, boxes }) {
    const positions = [];
    let rows = -1;
    const place = (index, column) => {
      positions[index] = { column, row: rows };
      let isFirst = true;
      for (const { to } of boxes[index].members) {
        if (to === undefined || positions[to]) continue;
        if (!isFirst) rows++;
        isFirst = false;
        place(to, column + 1);
      }
    };
    const entered = new Set(
      boxes.flatMap(({ members }, index) =>
        members.flatMap(({ to }) => (to === undefined || to === index ? [] : [to])),
      ),
    );
    const named = names.filter(isPointer).map(({ to }) => to);
    for (const index of [...named.filter((to) => !entered.has(to)), ...named, ...boxes.keys()]) {
      if (positions[index]) continue;
      rows++;
      place(index, 0);
    }
    return positions;
  }

  /** Edges of the boxes in pixels. */
  function layOut(picture) {
    const positions = positionsOf(picture);
    const namesOf = (index) => picture.names.filter(({ to }) => to === index).map(nameText);
    const widths = [];
    const heights = [];
    const boxes = picture.boxes.map((box, index) => {
      const { column, row } = positions[index];
      const lines = [titleText(box), ...box.members.map(memberText)];
      const longest = Math.max(...lines.map((line) => line.length), namesOf(index).join(', ').length + 1);
      const height = lines.length * lineHeight + padding;
      widths[column] = Math.max(widths[column] ?? 0, longest * character + 2 * padding);
      heights[row] = Math.max(heights[row] ?? 0, height);
      return { ...box, column, row, height, names: namesOf(index) };
    });
    const sums = (sizes, gap, first) =>
      sizes.reduce((edges, size) => [...edges, edges.at(-1) + (size ?? 0) + gap], [first]);
    const [lefts, tops] = [sums(widths, columnGap, 4), sums(heights, rowGap + nameHeight, nameHeight + 4)];
    return {
      boxes: boxes.map((box) => ({ ...box, x: lefts[box.column], y: tops[box.row], width: widths[box.column] })),
      width: lefts.at(-1) - columnGap + 26,
      height: tops.at(-1) - nameHeight,
    };
  }

  /** From a member to the box that it leads to; pointers back leave on the left. */
  function arrow(from, line, to) {
    const y = from.y + (line + 1.5) * lineHeight + padding / 2;
    const isForward = to.column > from.column;
    const isSameColumn = to.column === from.column;
    const startX = isForward || isSameColumn ? from.x + from.width : from.x;
    const endX = isForward ? to.x : to.x + to.width;
    // A pointer to its own box ends at the title, so that its bend is seen.
    const isOwn = from.column === to.column && from.row === to.row;
    const endY =
      isForward || isOwn ? to.y + lineHeight / 2 + 2 : Math.min(to.y + to.height - 6, to.y + (line + 1.5) * lineHeight);
    const bend = isSameColumn ? 26 : Math.max(18, Math.abs(endX - startX) / 2);
    const [c1, c2] = isForward
      ? [startX + bend, endX - bend]
      : isSameColumn
        ? [startX + bend, endX + bend]
        : [startX - bend, endX + bend];
    return svg('path', {
      class: `pointer ${to.state}`,
      d: `M ${startX} ${y} C ${c1} ${y}, ${c2} ${endY}, ${endX} ${endY}`,
      'marker-end': 'url(#heap-arrow)',
    });
  }

  function drawBox(box, changed) {
    const text = (content, line, className) =>
      svg(
        'text',
        { x: box.x + padding, y: box.y + (line + 0.5) * lineHeight + padding / 2 + 4, class: className },
        content,
      );
    return svg(
      'g',
      { class: `box ${box.state}` },
      box.names.length === 0
        ? null
        : [
            svg('text', { x: box.x + 14, y: box.y - 7, class: 'name' }, box.names.join(', ')),
            svg('path', { class: 'name', d: `M ${box.x + 7} ${box.y - 17} v 15`, 'marker-end': 'url(#heap-arrow)' }),
          ],
      // A stack of boxes, below the names: there may be any number.
      (box.state === 'several' ? [8, 4, 0] : [0]).map((shift) =>
        svg('rect', { x: box.x + shift / 2, y: box.y + shift, width: box.width, height: box.height, rx: 5 }),
      ),
      text(titleText(box), 0, 'title'),
      box.members.map((member, line) => [
        changed(box, member)
          ? svg('rect', {
              class: 'changed',
              x: box.x + 2,
              y: box.y + (line + 1) * lineHeight + padding / 2,
              width: box.width - 4,
              height: lineHeight,
            })
          : null,
        text(memberText(member), line + 1, isPointer(member) ? 'link' : null),
      ]),
    );
  }

  /** In words, for those who do not see the picture. */
  function described({ names, boxes }) {
    const target = (to) => `${boxes[to].title}${word[boxes[to].state]}`;
    return [
      ...names.map((one) => (isPointer(one) ? `${nameText(one)} leads to ${target(one.to)}` : `${one.name} is NULL`)),
      ...boxes.flatMap(({ title, members }) =>
        members.filter(isPointer).map(({ name, to }) => `${title}.${name} leads to ${target(to)}`),
      ),
      ...boxes.filter(({ state }) => state === 'lost').map(({ title }) => `nothing leads to ${title}`),
    ].join('; ');
  }

  const memberOf = (picture, title, name) =>
    picture?.boxes.find((box) => box.title === title)?.members.find((member) => member.name === name);

  /** `before`: the picture of the step before, if there is one; what differs is marked. */
  return function heapPicture(picture, before, caption) {
    const { boxes, width, height } = layOut(picture);
    const shown = (of, member) => (isPointer(member) ? of.boxes[member.to].title : member.value);
    const changed = (box, member) => {
      const old = memberOf(before, box.title, member.name);
      return old !== undefined && shown(before, old) !== shown(picture, member);
    };
    const nulls = picture.names.filter((one) => !isPointer(one)).map(({ name }) => name);
    const lost = picture.boxes.filter(({ state }) => state === 'lost').map(({ title }) => title);
    const notes = [
      nulls.length > 0 ? `NULL: ${nulls.join(', ')}` : null,
      lost.length > 0 ? `lost, nothing leads there: ${lost.join(', ')}` : null,
      picture.omitted > 0 ? `${picture.omitted} more not drawn` : null,
    ].filter((note) => note !== null);
    return [
      h('figcaption', null, caption),
      h(
        'div',
        { class: 'heap', tabindex: '0' },
        svg(
          'svg',
          { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': described(picture) },
          svg(
            'defs',
            {},
            svg(
              'marker',
              {
                id: 'heap-arrow',
                viewBox: '0 0 8 8',
                refX: 7,
                refY: 4,
                markerWidth: 7,
                markerHeight: 7,
                orient: 'auto',
              },
              svg('path', { d: 'M 0 0 L 8 4 L 0 8 z' }),
            ),
          ),
          boxes.map((box) => drawBox(box, changed)),
          boxes.flatMap((box) =>
            box.members.map((member, line) => (isPointer(member) ? arrow(box, line, boxes[member.to]) : null)),
          ),
        ),
      ),
      notes.length > 0 ? h('p', { class: 'quiet' }, notes.join('; ')) : null,
    ].filter((part) => part !== null);
  };
};
