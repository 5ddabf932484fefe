/*
 * page_cells.js: one cell that somebody has picked, by a click or by its name: what it holds now,
 * who writes it, and the steps in which that happens.
 */

let picked = null; /* {memory, element, writes: [{step, thread}]} */

/* All writes to an element, in order. */
function writesTo(memory, e) {
  const m = memories[memory], list = [];
  for (const a of accesses) {
    if (a.memory !== memory || a.kind === READ || a.kind === ASYNC_BEGIN) continue;
    for (const lane of lanesOf(a.mask)) {
      const first = placeOf(a.at, lane) / m.element;
      if (Math.floor(first) <= e && e < first + a.size / m.element)
        list.push({step: a.step, thread: steps[a.step].warp * LANES + lane});
    }
  }
  return list;
}
/* "B[0][32]": what the thread reads of other memories in the step; "": nothing. */
function readsOf({step, thread: t}, except) {
  const names = [];
  for (const a of accessesOf(step)) {
    const lane = t % LANES, m = memories[a.memory];
    if (a.kind !== READ || a.memory === except || !has(a.mask, lane)) continue;
    const e = Math.floor(placeOf(a.at, lane) / m.element);
    if (e >= 0 && e < m.count) names.push(m.nameOf(e));
  }
  return names.join(' and ');
}
function setPicked(memory, e) {
  picked = {memory, element: e, writes: writesTo(memory, e)};
}
function pick(memory, e) {
  setPicked(memory, e);
  show(position, true);
}
/* Of C, which block is likely to write the element: where each takes its share in order. */
function otherBlock(memory, e) {
  if (!why || memory !== result) return '';
  const share = (all, blocks) => Math.ceil(all / blocks);
  const x = Math.floor(e % product.n / share(product.n, film.grid[0])),
        y = Math.floor(Math.floor(e / product.n) / share(product.m, film.grid[1]));
  return x === film.index[0] && y === film.index[1] ?
      '' :
      ` Block (${x},${y}) should: film it with --film block=${x},${y}.`;
}
function drawPicked() {
  if (!picked) return;
  const {memory, element: e, writes} = picked, m = memories[memory], name = m.nameOf(e);
  const before = writes.filter((w) => w.step <= position).pop(),
        after = writes.find((w) => w.step > position);
  const should = memory === result && wrongElements.has(e) ?
      `, and should ${isWrongCell(memory, e) ? 'be' : 'become'} ${textOf(wrongElements.get(e))}` :
      '';
  const by = (w) => {
    const reads = readsOf(w, memory);
    return `thread ${threadName(w.thread)} writes it in line ${steps[w.step].line}` +
        (reads ? `, and reads ${reads} there` : '');
  };
  const unset = m.shared || !m.known ? 'Nobody has written it yet' : 'It is as before the launch';
  say('picked', `${name} = ${textOf(m.valueAt(e))}${should}. ` +
      (before ? `Here ${by(before)}. ` : `${unset}. `) +
      (after ? `${before ? 'Later' : 'Then'} ${by(after)}.` :
           before ? '' : 'No thread of this block writes it.' + otherBlock(memory, e)));
  offerStep('picked-before', before);
  offerStep('picked-after', after);
}
/* A button stays where it is, and so does the focus; from one that goes it moves to the field. */
function offerStep(id, write) {
  const button = $(id), held = document.activeElement === button;
  button.hidden = !write;
  if (held && !write) $('element').focus();
  if (write) say(id, `Step ${write.step + 1}`);
  button.onclick = () => {
    if (write) goToMistake({step: write.step, thread: sidesOf(write.thread)});
  };
}
/* A ring around it, large enough to be seen. */
function markPicked(c, memory, w, m, size) {
  if (!picked || picked.memory !== memory) return;
  const r = Math.floor(picked.element / m.columns) - w.row,
        k = picked.element % m.columns - w.column;
  if (r < 0 || k < 0 || r >= w.rows || k >= w.columns) return;
  const side = Math.max(size, 9), x = (k + 1.5) * size - side / 2, y = (r + 1.5) * size - side / 2;
  c.strokeStyle = colours.paper;
  c.lineWidth = 4;
  c.strokeRect(x, y, side, side);
  c.strokeStyle = colours.ink;
  c.lineWidth = 2;
  c.strokeRect(x, y, side, side);
}
/* The memory whose name a text begins with, before a bracket: names may have brackets, too. */
function nameIn(text) {
  const fits = (name) => text.startsWith(name) && /^\s*\[/.test(text.slice(name.length));
  return memories.map((m) => m.name).filter(fits).sort((x, y) => y.length - x.length)[0];
}
/* "C[17][3]", or "[17][3]" of C. */
function lookUp(text) {
  const known = nameIn(text.trim()), rest = text.trim().slice(known ? known.length : 0);
  const asked = /^([^\s[]*)\s*((?:\[\s*\d+\s*\])+)\s*(\.[^\s]+)?$/.exec(rest);
  if (asked && known) asked[1] = known;
  const refuse = (why) => {
    picked = null;
    say('picked', why);
    offerStep('picked-before', null);
    offerStep('picked-after', null);
  };
  if (!asked) return refuse('Write a name and its indices, as in C[17][3].');
  const of_c = result >= 0 ? result : memories.findIndex((m) => m.name === 'C');
  const i = asked[1] === '' ? of_c : memories.findIndex((m) => m.name === asked[1]);
  if (i < 0) return refuse(`The film has ${memories.map((m) => m.name).join(', ')}.`);
  const m = memories[i], index = asked[2].match(/\d+/g).map(Number);
  const across = m.record ? m.record / m.element : 1; /* cells of a struct: its first, or .name */
  const part = m.record && asked[3] ? m.parts.find(([path]) => path === asked[3]) : null;
  if (asked[3] && !part)
    return refuse(m.record ? `${m.name} has ${m.parts.map(([path]) => path).join(', ')}.` :
                          'Write a name and its indices, as in C[17][3].');
  const outer = m.outerSides();
  const sides = [...outer, (outer.length > 0 ? m.columns : m.count) / across];
  const e = index.reduce((sum, k, d) => sum * (sides[d] || 1) + k, 0) * across +
      (part ? part[3] / m.element : 0);
  if (index.length === sides.length && index.every((k, d) => k < sides[d]) && e < m.count)
    return pick(i, e);
  refuse(sides.length > 2   ? `${m.name} has ${sides.join(' x ')} elements.` :
             sides.length === 2 ?
             `${m.name} has rows 0 to ${sides[0] - 1} and columns 0 to ${sides[1] - 1}.` :
             `${m.name} has elements 0 to ${Math.floor(sides[0]) - 1}.`);
}
