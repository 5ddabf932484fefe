/*
 * page_time.js: playing, stepping, keys; show(position) brings all of the page to a step.
 */

/* ---- time ---- */

let playing = false, clock = 0, owed = 0;
function follows(p) {
  const wanted = $('follow').value;
  return wanted === 'all' || steps[p].warp < 0 || steps[p].warp === Number(wanted);
}
function onward(p, by) {
  do p += by;
  while (p > 0 && p < steps.length - 1 && !follows(p));
  return Math.max(0, Math.min(steps.length - 1, p));
}
function phaseFrom(p, by) {
  if (by > 0) return phaseStarts.find((s) => s > p) ?? steps.length - 1;
  return [...phaseStarts].reverse().find((s) => s < p) ?? 0;
}
function tick(now) {
  if (!playing) return;
  owed += (now - clock) / 1000 * Number($('speed').value);
  clock = now;
  let p = position;
  for (; owed >= 1; owed--) p = onward(p, 1);
  if (p !== position) show(p);
  if (position === steps.length - 1)
    stop();
  else
    requestAnimationFrame(tick);
}
function play() {
  if (position === steps.length - 1) show(0);
  playing = true;
  clock = performance.now();
  owed = 0;
  drawButton();
  requestAnimationFrame(tick);
}
function stop() {
  playing = false;
  drawButton();
}
function drawButton() {
  /* Sixty sentences a second are nothing to listen to. */
  for (const id of ['sentence', 'picked'])
    $(id).setAttribute('aria-live', playing ? 'off' : 'polite');
  $('b-play').textContent = playing ? '\u275a\u275a' : '\u25b6';
  $('b-play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
}
function drawMarks() {
  const canvas = $('marks'), width = rooms['line-of-time'], c = pen(canvas, width, 14),
        x = (p) => 8 + p / Math.max(1, steps.length - 1) * (width - 16);
  canvas.style.width = '100%';
  phaseStarts.forEach((p, i) => {
    const end = phaseStarts[i + 1] ?? steps.length - 1;
    c.fillStyle = i % 2 ? colours.run : colours.run2;
    c.fillRect(x(p), 4, Math.max(1, x(end) - x(p) - 1), 8);
  });
  c.fillStyle = colours.wait;
  phaseStarts.slice(1).forEach((p) => c.fillRect(x(p) - 1, 0, 2, 14));
  c.fillStyle = colours.bad;
  mistakeSteps.forEach(({step}) => c.fillRect(x(step) - 2, 0, 4, 14));
}

/* The step, everywhere on the page. */
function show(p, chosen) {
  position = p;
  const index = p, step = steps[index], current = step.warp < 0 ? [] : accessesOf(index);
  drawLine(step); /* asks where its line stands: before anything moves */
  bringMemoryTo(p);
  if (step.warp >= 0 && $('follow').value === 'all' && !chosen) {
    const lane = thread % LANES;
    thread = Math.min(
        threadsInBlock - 1,
        step.warp * LANES + (has(step.mask, lane) ? lane : lanesOf(step.mask)[0] || 0));
  }
  say('sentence', film.texts[step.say]);
  say('where', step.warp < 0 ? `Phase ${phaseOf[index] + 1}` :
                               `Line ${step.line}, phase ${phaseOf[index] + 1}, warp ${step.warp}`);
  $('slider').value = p;
  $('slider').setAttribute(
      'aria-valuetext', `step ${p + 1} of ${steps.length}: ${film.texts[step.say]}`);
  $('position').textContent = `step ${p + 1} of ${steps.length}`;
  $('warp').value = String(Math.floor(thread / LANES));
  drawThreads();
  drawVariables();
  canvases.forEach((box) => drawMemory(box, current));
  drawPicked();
  drawCosts(current);
  drawMatrices(index);
  drawCounts(step, current);
}
/* All pictures anew: the page has another width, or other colours. */
function again() {
  readColours();
  measureRooms();
  sizeThreads();
  threadCells.keys = [];
  drawMarks();
  for (const box of canvases) box.still = box.drawn = null;
  show(position, true);
}

/* ---- beginning ---- */

/* To the mistake; without one, to what costs most. */
function goToTrouble() {
  if (mistakeSteps.length > 0)
    goToMistake(mistakeSteps[0].site);
  else if (dearSites.length > 0)
    goToMistake(dearSites[0]);
}
function choose(t) {
  thread = Math.max(0, Math.min(threadsInBlock - 1, t));
  if ($('follow').value !== 'all') $('follow').value = String(Math.floor(thread / LANES));
  show(position, true);
}
function onKey(event) {
  const tag = event.target.tagName;
  const mine = tag === 'SELECT' || event.target === $('element') ||
      (event.key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY')) || /* it presses them */
      (event.target.className === 'memory' && /^Arrow/.test(event.key)); /* they scroll it */
  if (mine || event.ctrlKey || event.metaKey || event.altKey) return;
  const speeds = [...$('speed').options], at = $('speed').selectedIndex;
  if (event.target === $('threads') && /^Arrow/.test(event.key)) {
    const by =
        {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns}[event.key];
    choose(thread + by);
    event.preventDefault();
    return;
  }
  const keys = {
    ' ': () => (playing ? stop() : play()),
    k: () => (playing ? stop() : play()),
    ArrowLeft: () => {
      stop();
      show(event.shiftKey ? phaseFrom(position, -1) : onward(position, -1));
    },
    ArrowRight: () => {
      stop();
      show(event.shiftKey ? phaseFrom(position, 1) : onward(position, 1));
    },
    j: () => {
      stop();
      show(Math.max(0, position - 10));
    },
    l: () => {
      stop();
      show(Math.min(steps.length - 1, position + 10));
    },
    Home: () => show(0),
    End: () => show(steps.length - 1),
    m: goToTrouble,
    '<': () => {
      $('speed').selectedIndex = Math.max(0, at - 1);
    },
    '>': () => {
      $('speed').selectedIndex = Math.min(speeds.length - 1, at + 1);
    },
  };
  if (/^[0-9]$/.test(event.key))
    show(Math.round(Number(event.key) / 10 * (steps.length - 1)));
  else if (keys[event.key])
    keys[event.key]();
  else
    return;
  event.preventDefault();
}
function begin() {
  const sides = (s) => (s[2] > 1 ? s : s.slice(0, 2)).join(' x ');
  $('about').textContent = `Kernel ${film.kernel}: a grid of ${sides(film.grid)} blocks of ${
                               sides(film.block)} threads. ` +
      film.left_out.join(' ') +
      (racy ?
           ' Warps are shown in the order in which they ran.' :
           warps > 1 ?
           ' Warps are shown side by side; they ran one after the other, which changes nothing.' :
           '');
  $('stage').hidden = $('transport').hidden = $('keys').hidden = false;
  for (let w = 0; w < warps; w++) {
    $('warp').append(new Option(
        `${w} (threads ${threadName(w * LANES)} to ${
            threadName(Math.min(threadsInBlock, (w + 1) * LANES) - 1)})`,
        String(w)));
    $('follow').append(new Option(`warp ${w}`, String(w)));
  }
  $('follow').prepend(new Option('all warps', 'all'));
  $('follow').value = racy || warps === 1 ? 'all' : '0';
  $('slider').max = steps.length - 1;
  $('threads').setAttribute('aria-valuemax', threadsInBlock - 1);
  $('k-bad').hidden = !film.fault;
  buildListing();
  buildMemories();
  buildMistakes();
  buildDear();
  const on = (id, kind, act) => $(id).addEventListener(kind, act);
  readColours();
  measureRooms();
  sizeThreads();
  drawMarks();
  on('b-play', 'click', () => (playing ? stop() : play()));
  on('b-back', 'click', () => {
    stop();
    show(onward(position, -1));
  });
  on('b-step', 'click', () => {
    stop();
    show(onward(position, 1));
  });
  on('b-phase-back', 'click', () => {
    stop();
    show(phaseFrom(position, -1));
  });
  on('b-phase', 'click', () => {
    stop();
    show(phaseFrom(position, 1));
  });
  on('look-up', 'submit', (event) => {
    event.preventDefault();
    lookUp($('element').value);
  });
  if (mistakeSteps.length === 0 && dearSites.length > 0) say('b-mistake', 'To what costs most');
  $('b-mistake').hidden = mistakeSteps.length + dearSites.length === 0;
  on('b-mistake', 'click', goToTrouble);
  on('slider', 'input', () => {
    stop();
    show(Number($('slider').value));
  });
  on('warp', 'change', () => choose(Number($('warp').value) * LANES + thread % LANES));
  on('follow', 'change', () => {
    if ($('follow').value !== 'all') choose(Number($('follow').value) * LANES + thread % LANES);
  });
  on('threads', 'click', (event) => {
    const ratio = $('threads').getBoundingClientRect().width / parseFloat($('threads').style.width);
    choose(
        Math.floor(event.offsetY / ratio / grid.size) * grid.columns +
        Math.floor(event.offsetX / ratio / grid.size));
  });
  /* On paper nothing is folded away. */
  const folds = [...document.querySelectorAll('#mistakes details')];
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = opened.concat(folds.filter((fold) => !fold.open));
    for (const fold of folds) fold.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const fold of opened) fold.open = false;
    opened = [];
  });
  document.addEventListener('keydown', onKey);
  window.addEventListener('resize', again);
  const widths = new ResizeObserver(() => {
    if (measureRooms()) again();
  });
  for (const id of Object.keys(rooms)) widths.observe($(id));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  const asked = /^#step=(\d+)$/.exec(location.hash);
  const start = asked     ? Math.min(steps.length, Math.max(1, Number(asked[1]))) - 1 :
      mistakeSteps.length ? -1 :
                            0;
  if (start < 0)
    goToMistake(mistakeSteps[0].site);
  else
    show(start);
}
begin();

window.film = {
  show,
  steps,
  memories,
  at,
  localNumber,
  film
}; /* for tests */
