/*
 * page_mistakes.js: what the checks found, and the steps that show it.
 */

/* ---- mistakes ---- */

const SVG = 'http://www.w3.org/2000/svg';
function svg(tag, attributes, text) {
  const e = document.createElementNS(SVG, tag);
  for (const name of Object.keys(attributes)) e.setAttribute(name, attributes[name]);
  if (text !== undefined) e.textContent = text;
  return e;
}
/* Two accesses on the time lines of two threads, and the barriers around them. */
function timeLines(mistake) {
  const [a, b] = mistake.sites,
            picture = svg('svg', {
              viewBox: '0 0 560 96',
              width: 560,
              height: 96,
              role: 'img',
              'aria-label': `Thread (${a.thread}) at line ${a.line} and thread (${
                  b.thread}) at line ${b.line}, with no barrier between`
            });
  const first = a.step <= b.step ? a : b, second = first === a ? b : a;
  const before = phaseStarts.filter((p) => p > 0 && p <= first.step).length > 0;
  const after = phaseStarts.some((p) => p > second.step);
  [[first, 26, 230], [second, 66, 380]].forEach(([site, y, x]) => {
    picture.append(
        svg('line', {x1: 130, x2: 550, y1: y, y2: y, stroke: 'var(--rule)', 'stroke-width': 2}));
    picture.append(svg('text', {x: 0, y: y + 4}, `thread (${site.thread[0]},${site.thread[1]})`));
    picture.append(svg('circle', {cx: x, cy: y, r: 6, fill: 'var(--bad)'}));
    picture.append(svg('text', {x: x + 10, y: y - 6}, `${site.action}, line ${site.line}`));
  });
  picture.append(svg(
      'line', {x1: 230, y1: 26, x2: 380, y2: 66, stroke: 'var(--bad)', 'stroke-dasharray': '4 3'}));
  picture.append(svg('text', {x: 256, y: 90}, 'no barrier between'));
  [[before, 150], [after, 530]].forEach(([there, x]) => {
    if (there)
      picture.append(
          svg('line', {x1: x, x2: x, y1: 8, y2: 84, stroke: 'var(--wait)', 'stroke-width': 4}));
  });
  return picture;
}
const mistakeSteps = [];
/* A button to a step, about what the paragraph before it says. */
function stepButton(site, text, about) {
  const button = element('button', text);
  if (about) button.setAttribute('aria-describedby', about.id);
  button.addEventListener('click', () => goToMistake(site));
  return button;
}
let sentences = 0;
/* A sentence, and the buttons to the steps that it is about: [site, text]. */
function sentenceBox(text, ...steps) {
  const line = element('p', undefined, 'told'), words = element('span', text);
  words.id = `told-${sentences++}`;
  line.append(words);
  for (const [site, label] of steps) {
    mistakeSteps.push({step: site.step, site});
    line.append(' ', stepButton(site, label, words));
  }
  return line;
}
const warpOf = ({thread: [x, y, z]}) =>
    Math.floor(((z * film.block[1] + y) * film.block[0] + x) / LANES);
/* Threads of one warp go together, so that nobody sees their race: the others come first. */
function isHidden({sites}) {
  return sites.length === 2 && sites.every((s) => s.step >= 0 && s.thread) &&
      warpOf(sites[0]) === warpOf(sites[1]);
}
/* What an access that is a site does to the cell: "reads As[0][0]: 4". */
function whatHappens(site, [memory, e]) {
  const m = memories[memory], valueAfter = (step) => {
    bringMemoryTo(step);
    return textOf(m.valueAt(e));
  };
  const does = (kind) => accessesOf(site.step).some((a) => a.memory === memory && a.kind === kind);
  const reads = site.reads === undefined ? does(READ) : site.reads;
  const before = site.step > 0 ? valueAfter(site.step - 1) : 'not set';
  const after = valueAfter(site.step), name = m.nameOf(e);
  const who = `Thread (${site.thread.slice(0, film.block[2] > 1 ? 3 : 2)})`;
  if (!reads && does(ASYNC_BEGIN))
    return `${who} starts a copy to ${name} in line ${site.line}; until it has come, ${name} is ${
        before}.`;
  return reads ? `${who} reads ${name} in line ${site.line}: ${before}.` :
                 `${who} writes ${name} in line ${site.line}: ${before} becomes ${after}.`;
}
/* Two threads at once: who came last is all that can be seen. */
function whatBothDo(sites, [memory, e]) {
  bringMemoryTo(sites[0].step);
  const who = sites.map((s) => `(${s.thread.slice(0, film.block[2] > 1 ? 3 : 2)})`).join(' and ');
  return `Threads ${who} come to ${memories[memory].nameOf(e)} in the same step, in line ${
      sites[0].line}. Afterwards it holds ${textOf(memories[memory].valueAt(e))}.`;
}
/* The box of a mistake that the checks found. */
function mistakeBox(m) {
  const box = element('div', undefined, 'mistake');
  box.append(element('pre', m.text));
  /* "RAW": the first site writes, the second one reads, whatever else their line does. */
  const reads = (i) => (m.hazard ? m.hazard[2 - 2 * i] === 'R' : undefined);
  const sites = m.sites.map((s, i) => ({...s, reads: reads(i)})).filter((s) => s.step >= 0);
  if (m.sites.length === 2 && m.sites.every((s) => s.step >= 0 && s.thread))
    box.append(timeLines(m));
  const list = element('div', undefined, 'told-list');
  box.append(list);
  if (m.kind === 'barrier' && film.fault) { /* the end shows who waits for whom */
    const end = {step: steps.length - 1, thread: null};
    list.append(sentenceBox('Who waits, and who does not come:', [end, `Step ${steps.length}`]));
  }
  const shows = m.cell && sites.length === 2 && sites.every((s) => s.thread);
  if (shows) sites.sort((a, b) => a.step - b.step);
  const together = shows && sites[0].step === sites[1].step;
  if (together)
    list.append(sentenceBox(
        whatBothDo(sites, m.cell), [{...sites[0], cell: m.cell}, `Step ${sites[0].step + 1}`]));
  for (const s of together ? [] : sites) {
    const site = {...s, cell: m.cell};
    list.append(sentenceBox(
        shows ? whatHappens(s, m.cell) : `Line ${s.line}:`, [site, `Step ${s.step + 1}`]));
  }
  for (const s of m.sites) /* of this block, and of a warp that was not filmed */
    if (sites.length > 0 && s.step < 0 && s.thread && s.block.join() === film.index.join())
      list.append(sentenceBox(`Line ${s.line}: thread (${
          s.thread.slice(0, film.block[2] > 1 ? 3 : 2)}) of warp ${
          warpOf(s)} does that, in a step that the film does not have.`));
  if (sites.length === 0) {
    const here = m.sites.some((s) => s.block && s.block.join() === film.index.join());
    box.append(element(
        'p',
        here ? 'It happens in this block, in a step that the film does not have.' :
               'This block does not show it: choose another (VGPU_FILM_BLOCK, or --film ' +
                'block=X,Y).',
        'quiet'));
  }
  return box;
}
function buildMistakes() {
  const shown = [false, true].flatMap(
      (hidden) => film.mistakes.filter((m) => isHidden(m) === hidden)).map(mistakeBox);
  const wrong = productBox();
  if (wrong) shown.push(wrong);
  if (shown.length === 0) return;
  $('mistakes').hidden = false;
  $('mistake-list').append(shown[0]);
  if (shown.length > 1) { /* one is enough to begin with */
    const more = element('details');
    more.append(element('summary', `${shown.length - 1} more`), ...shown.slice(1));
    $('mistake-list').append(more);
  }
}
function goToMistake(site) {
  if (site.thread)
    thread = (site.thread[2] * film.block[1] + site.thread[1]) * film.block[0] + site.thread[0];
  if ($('follow').value !== 'all') $('follow').value = String(Math.floor(thread / LANES));
  if (site.cell) setPicked(...site.cell);
  stop();
  show(site.step, true);
}
