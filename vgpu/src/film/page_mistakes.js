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
function buildMistakes() {
  const shown = [];
  for (const m of film.mistakes) {
    const box = element('div', undefined, 'mistake');
    box.append(element('pre', m.text));
    if (m.sites.length === 2 && m.sites.every((s) => s.step >= 0 && s.thread))
      box.append(timeLines(m));
    const go = element('div', undefined, 'go');
    box.append(go);
    if (m.kind === 'barrier' && film.fault) { /* the end shows who waits for whom */
      const end = {step: steps.length - 1, thread: null};
      mistakeSteps.push({step: end.step, site: end});
      const button = element('button', `Who waits, who does not come: step ${steps.length}`);
      button.addEventListener('click', () => goToMistake(end));
      go.append(button);
    }
    m.sites.forEach((site) => {
      if (site.step < 0) return;
      mistakeSteps.push({step: site.step, site});
      const button = element('button', `Line ${site.line}, step ${site.step + 1}`);
      button.addEventListener('click', () => goToMistake(site));
      go.append(button);
    });
    if (m.sites.every((s) => s.step < 0)) {
      const here = m.sites.some((s) => s.block && s.block.join() === film.index.join());
      box.append(element(
          'p',
          here ? 'It happens in this block, in a step that the film does not have.' :
                 'This block does not show it: choose another (VGPU_FILM_BLOCK, or --film ' +
                  'block=X,Y).',
          'quiet'));
    }
    shown.push(box);
  }
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
  $('b-mistake').hidden = mistakeSteps.length === 0;
}
function goToMistake(site) {
  if (site.thread)
    thread = (site.thread[2] * film.block[1] + site.thread[1]) * film.block[0] + site.thread[0];
  if ($('follow').value !== 'all') $('follow').value = String(Math.floor(thread / LANES));
  stop();
  show(site.step, true);
}
