/*
 * page_product.js: the elements of C that are wrong, and what the grader found out about one of
 * them: `product` (docs/film-format.md). A film that the grader did not make has none.
 */

const product = film.product && film.product.wrong_total > 0 ? film.product : null;
const why = product && product.why;
const result = why ? why.c : -1;

const wrongElements = new Map();
const lastWrite = new Map(); /* of C's elements: the step */
if (result >= 0) {
  for (const [e, want] of product.wrong) wrongElements.set(e, want);
  for (const a of accesses) {
    if (a.memory !== result || (a.kind !== WRITE && a.kind !== ATOMIC)) continue;
    for (const lane of lanesOf(a.mask))
      for (let i = 0; i < a.size; i += 4) lastWrite.set((placeOf(a.at, lane) + i) / 4, a.step);
  }
}
/* How many of them have been written for the last time at a step. */
const wrongSteps = [...wrongElements.keys()].filter((e) => lastWrite.has(e))
                       .map((e) => lastWrite.get(e)).sort((x, y) => x - y);
function wrongUntil(step) {
  let low = 0, high = wrongSteps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wrongSteps[middle] <= step)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
/* Is this cell wrong, now that the block is here? */
function isWrongCell(memory, e) {
  return memory === result && wrongElements.has(e) && lastWrite.has(e) &&
      lastWrite.get(e) <= position;
}

/* Who put there what the thread should not have read. */
function explainCell(box, {step, cell}) {
  const source = writesTo(...cell).filter((w) => w.step < step).pop();
  if (!source) return;
  const reads = readsOf(source, cell[0]), name = memories[cell[0]].nameOf(cell[1]);
  box.append(sentenceBox(
      `Thread ${threadName(source.thread)} had written ${name} in line ${steps[source.step].line}${
          reads ? `, where it read ${reads}` : ''}.`,
      [{step: source.step, thread: sidesOf(source.thread), cell}, `Step ${source.step + 1}`]));
}

/* A box for the page's list of mistakes; null: C is right. */
function productBox() {
  if (!why) return null;
  const e = why.element, row = Math.floor(e / product.n), column = e % product.n;
  const [, want, written] = product.wrong.find((w) => w[0] === e);
  const c = result < 0 ? 'C' : memories[result].name, name = `${c}[${row}][${column}]`;
  const box = element('div', undefined, 'mistake'), others = product.wrong_total - 1;
  const say = (text) => box.append(element('p', text));
  if (why.step < 0 && written) {
    say(`${name} should be ${textOf(want)}. This block does not write it: choose another ` +
        '(--film block=X,Y).');
    return box;
  }
  if (why.step < 0) { /* only the end shows it */
    const last = steps.length - 1, cell = result < 0 ? undefined : [result, e];
    box.append(sentenceBox(
        `${name} should be ${textOf(want)}. No thread of any block writes it.`,
        [{step: last, thread: null, cell}, `Step ${last + 1}`]));
    return box;
  }
  bringMemoryTo(steps.length - 1);
  say(`${name} is ${textOf(memories[result].valueAt(e))} and should be ${textOf(want)}` +
      (others > 0 ? `; ${others} more element${others > 1 ? 's are' : ' is'} wrong.` : '.') +
      (product.wrong.length <= others ? ` The first ${product.wrong.length} are marked.` : '') +
      ` Thread ${threadName(why.thread)} computes it.`);
  const site = (step, t, cell) => ({step, thread: sidesOf(t), cell});
  const result_cell = result < 0 ? undefined : [result, e];
  for (const [i, note] of why.notes.entries()) {
    const text = `${note.line > 0 ? `In line ${note.line} it` : 'It'} ${note.text}.`;
    box.append(sentenceBox(
        text, ...(note.step !== why.step ?
                      [[site(note.step, why.thread, note.cell), `Step ${note.step + 1}`]] :
                      [])));
    if (note.cell && i === 0) explainCell(box, note);
  }
  if (why.complete)
    say(`It reads every element of row ${row} of ${memories[product.a].name} and of column ${
        column} of ${memories[product.b].name}${
        why.elements === 1 ? ', each once' : ''}: watch what it does with them.`);
  box.append(sentenceBox(
      `Thread ${threadName(why.thread)} writes ${name} in line ${steps[why.step].line}.`,
      [site(why.step, why.thread, result_cell), `Step ${why.step + 1}`]));
  return box;
}
