/**
 * Text to paste elsewhere, with a button that copies it. Runs in the browser, before `page.js`, which calls it with its
 * own functions.
 */
'use strict';
const pasteableOf = ({ h }) => {
  const answeredMs = 2000;

  /** Browsers may refuse the clipboard to pages that come from a file; then the text is selected, to copy by hand. */
  async function copied(text, pre) {
    try {
      await navigator.clipboard.writeText(text);
      return 'copied';
    } catch {
      const range = document.createRange();
      range.selectNodeContents(pre);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return document.execCommand('copy') ? 'copied' : 'selected: now copy it';
    }
  }

  return function pasteable(title, text, id = null) {
    const pre = h('pre', null, text);
    const button = h(
      'button',
      {
        type: 'button',
        class: 'copy',
        id,
        'aria-live': 'polite',
        onclick: async () => {
          button.textContent = await copied(text, pre);
          setTimeout(() => (button.textContent = 'copy'), answeredMs);
        },
      },
      'copy',
    );
    return h('div', { class: 'pasteable' }, h('div', { class: 'bar' }, h('h3', null, title), button), pre);
  };
};
