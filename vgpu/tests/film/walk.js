/* Goes through a film as a person would, on its page; see run. */
'use strict';
function stepThrough() {
  const f = window.film;
  const out = document.createElement('p');
  try {
    const seen = [];
    const last = f.steps.length - 1;
    for (let p = 0; p <= last; p += Math.max(1, Math.floor(last / 300))) {
      f.show(p);
      seen.push([p, f.memories.map((m) => m.holds.join()).join('|')]);
    }
    for (const [p, holds] of seen.reverse()) { /* going back is the same */
      f.show(p);
      if (f.memories.map((m) => m.holds.join()).join('|') !== holds)
        throw new Error(`memory differs at step ${p}`);
    }
    for (const key
             of ['ArrowRight', 'ArrowLeft', 'End', 'Home', ' ', ' ', 'm', '>', '<', '5', 'j',
                 'l']) {
      document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    }
    for (const button of document.querySelectorAll('.buttons button')) button.click();
    document.querySelector('#b-play').click();
    if (document.querySelector('#sentence').textContent === '') throw new Error('no sentence');
    if (document.querySelectorAll('#listing div').length === 0) throw new Error('no source');
    out.textContent = 'stepped through all';
  } catch (e) {
    out.textContent = 'walk: ' + e.stack;
  }
  return out;
}
