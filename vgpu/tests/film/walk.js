/* Goes through a film as a person would, on its page; see run. */
'use strict';
/* What a person with a keyboard, or who hears the page, relies on. */
function keyboard() {
  const $ = (id) => document.querySelector(id), playing = () => $('#b-play').ariaLabel === 'Pause';
  const must = (holds, what) => {
    if (!holds) throw new Error(what);
  };
  const press = (target, key) => target.dispatchEvent(
      new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  if (playing()) $('#b-play').click();
  /* A blank presses the button or the fold that has the focus, and does nothing else. */
  for (const target of [$('#b-step'), $('#look'), ...document.querySelectorAll('summary')])
    must(press(target, ' ') && !playing(), `a blank on ${target.id || 'a summary'} plays the film`);
  window.film.show(0);
  must(!press(document.body, ' ') && playing(), 'a blank does not play the film');
  must($('#sentence').ariaLive === 'off', 'each sentence is read out while the film plays');
  must(!press(document.body, ' ') && !playing(), 'a blank does not pause the film');
  must($('#sentence').ariaLive === 'polite', 'no sentence is read out');
  const said = () => $('#threads').getAttribute('aria-valuetext'), before = said();
  must($('#threads').getAttribute('role') === 'slider' && /: /.test(before), 'no thread is told');
  const [x, y, z] = window.film.film.block;
  const last = Number($('#threads').getAttribute('aria-valuenow')) === x * y * z - 1;
  press($('#threads'), last ? 'ArrowLeft' : x > 1 ? 'ArrowRight' : 'ArrowDown');
  must(x * y * z === 1 || said() !== before, 'an arrow key does not choose a thread');
  must($('#listing .here[aria-current="step"]'), 'the line is marked by its colour alone');
  for (const box of document.querySelectorAll('.memory'))
    must(box.scrollWidth <= box.clientWidth || box.tabIndex === 0,
         `keys do not scroll ${box.getAttribute('aria-label')}`);
  const memory = document.querySelector('.memory');
  must(!memory || press(memory, 'ArrowRight'), 'an arrow key steps instead of scrolling');
  for (const one of document.querySelectorAll('button, select, input, [tabindex="0"]'))
    must(one.hidden || one.textContent || one.ariaLabel || one.getAttribute('aria-labelledby') ||
             one.labels.length > 0,
         `${one.id} has no name`);
  /* What stands first is reached first. */
  const order = ['#now', '#mistakes', '#dear', '#source', '#block', '#memory', '#cost'].map($);
  must(order.every((one, i) => i === 0 ||
      order[i - 1].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING),
       'the order of the keyboard is not the order on the page');
}
/* On paper nothing is folded away; afterwards it is again. */
function paper() {
  const folds = [...document.querySelectorAll('#mistakes details')];
  const open = (wanted, what) => {
    if (folds.some((fold) => fold.open !== wanted)) throw new Error(what);
  };
  window.dispatchEvent(new Event('beforeprint'));
  open(true, 'mistakes are folded away on paper');
  window.dispatchEvent(new Event('afterprint'));
  open(false, 'what was printed stays unfolded');
}
function stepThrough() {
  const f = window.film;
  const out = document.createElement('p');
  const contents = () => { /* a number for what all memories hold */
    let sum = 0;
    for (const m of f.memories) {
      for (const [number, page] of [...m.pages].sort((x, y) => x[0] - y[0])) {
        sum = (sum * 31 + number) | 0;
        for (const byte of page.holds) sum = (sum * 31 + byte) | 0;
      }
    }
    return sum;
  };
  try {
    const seen = [];
    const last = f.steps.length - 1;
    for (let p = 0; p <= last; p += Math.max(1, Math.floor(last / 300))) {
      f.show(p);
      seen.push([p, contents()]);
    }
    for (const [p, holds] of seen.reverse()) { /* going back is the same */
      f.show(p);
      if (contents() !== holds)
        throw new Error(`memory differs at step ${p}`);
    }
    const pictures = () => ['#threads', '#memories canvas'].flatMap(
        (which) => [...document.querySelectorAll(which)].map((c) => c.toDataURL()));
    for (let p = 0; p <= last; p += Math.max(1, Math.floor(last / 12))) {
      for (let q = Math.max(0, p - 3); q <= p; q++) f.show(q);
      const kept = pictures(); /* drawn where it changed, and drawn anew: the same */
      window.dispatchEvent(new Event('resize'));
      if (pictures().some((picture, i) => picture !== kept[i]))
        throw new Error(`a picture is another one at step ${p} when it is drawn anew`);
    }
    for (const m of f.memories) /* what nobody touches takes no room */
      if (m.pages.size > 200) throw new Error(`${m.name} has ${m.pages.size} pages`);
    f.show(0);
    for (const m of f.memories)
      if (m.shared && m.writerOf(m.count - 1) < 0 && m.valueAt(m.count - 1) !== null)
        throw new Error(`nobody has written the last of ${m.name}, and it has a value`);
    f.memories.forEach((m, i) => { /* what fits is large enough to be seen */
      const canvas = document.querySelectorAll('#memories canvas')[i];
      if (m.count <= 1024 && parseFloat(canvas.style.height) < (m.rows + 2) * 5)
        throw new Error(`cells of ${m.name} are too small`);
    });
    if (f.localNumber(0, 0, 'signed', 4, 4 * 60000, 0) !== null)
      throw new Error('a variable that nobody has set has a value');
    const look = (text) => {
      document.querySelector('#element').value = text;
      document.querySelector('#look').click();
      return document.querySelector('#picked').textContent;
    };
    const first = f.memories[0];
    if (first) {
      const across = first.record ? first.record / first.element : 1;
      const outer = first.outerSides().map(() => '[0]').join('');
      const last = first.count > across ? 1 : 0;
      if (!look(`${first.name}${outer}[${last}]`).startsWith(first.nameOf(last * across) + ' = '))
        throw new Error('an element is not found: ' + look(first.name + '[1]'));
      if (!/^The film has /.test(look('none[0]')) || !/ has /.test(look(first.name + '[99999999]')))
        throw new Error('an element is found that is not there');
    }
    if (!/^Write a name/.test(look('['))) throw new Error('an element is found without a name');
    for (const key
             of ['ArrowRight', 'ArrowLeft', 'End', 'Home', ' ', ' ', 'm', '>', '<', '5', 'j',
                 'l']) {
      document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    }
    for (const button of document.querySelectorAll('.buttons button')) button.click();
    document.querySelector('#b-play').click();
    keyboard();
    paper();
    if (document.querySelector('#sentence').textContent === '') throw new Error('no sentence');
    if (document.querySelectorAll('#listing div').length === 0) throw new Error('no source');
    const dear = [...document.querySelectorAll('#dear-list p')].map((p) => p.textContent);
    out.textContent = 'stepped through all';
    const told = [...document.querySelectorAll('#mistake-list > .mistake .told span')];
    const lines = dear.map((text) => `dear: ${text}`);
    document.body.append(...lines.concat(told.map((p) => `told: ${p.textContent}`)).map((text) => {
      const p = document.createElement('p');
      p.textContent = text;
      return p;
    }));
  } catch (e) {
    out.textContent = 'walk: ' + e.stack;
  }
  return out;
}
