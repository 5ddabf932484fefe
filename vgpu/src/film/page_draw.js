/*
 * page_draw.js: threads, source, variables and memories as they are at `position`; draw* is one for
 * each part of the page. Texts of the film reach it as text (textContent, fillText), never as HTML.
 */

/* ---- drawing ---- */

let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = new Proxy({}, {
    get: (known, name) =>
        (name in known ? known[name] : (known[name] = style.getPropertyValue('--' + name).trim()))
  });
}
function pen(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
function element(tag, text, className) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
}

/* A text that is the same costs nothing. */
const saidIn = new Map();
function say(id, text) {
  if (saidIn.get(id) === text) return;
  saidIn.set(id, text);
  $(id).textContent = text;
}

let position = 0, thread = 0;

/* How wide the parts of the page are: asked for when they change, since asking costs a layout. */
const rooms = {};
function measureRooms() {
  const before = JSON.stringify(rooms);
  for (const id of ['block', 'memories', 'costs', 'line-of-time']) rooms[id] = $(id).clientWidth;
  return JSON.stringify(rooms) !== before;
}

/* A thread's x, y and z. */
function sidesOf(t) {
  const [x, y] = film.block;
  return [t % x, Math.floor(t / x) % y, Math.floor(t / x / y)];
}
function threadName(t) {
  const [x, y, z] = sidesOf(t);
  return film.block[2] > 1 ? `(${x},${y},${z})` : `(${x},${y})`;
}

/* The block's threads, x to the right. */
const grid = {
  columns: 0,
  rows: 0,
  size: 0
};
function stateOf(t) {
  const warp = Math.floor(t / LANES), lane = t % LANES, step = at[position * warps + warp];
  if (step < 0) return 'none';
  if (has(stopped[step], lane)) return 'bad';
  if (has(done[step], lane)) return 'end';
  const current = position;
  if (phaseOf[step] === phaseOf[current] && has(waiting[step], lane)) return 'wait';
  if (step === current && has(steps[step].mask, lane)) return 'now';
  if (!has(steps[step].mask, lane)) return 'part';
  return 'run';
}
/* What the states of a warp's threads depend on. */
function warpKey(warp) {
  const step = at[position * warps + warp];
  return step < 0 ? -1 : 4 * step + 2 * (phaseOf[step] === phaseOf[position]) + (step === position);
}
const threadCells = {canvas: document.createElement('canvas'), keys: [], counts: []};
/* The squares alone, on a canvas that is kept: those of warps whose threads' states are others. */
function drawStates(fresh) {
  const {canvas, keys, counts} = threadCells, {size, columns} = grid;
  const c = fresh ? pen(canvas, columns * size + 1, grid.rows * size + 1) : canvas.getContext('2d');
  for (let warp = 0; warp < warps; warp++) {
    const key = warpKey(warp);
    if (!fresh && keys[warp] === key) continue;
    const count = {};
    const end = Math.min(threadsInBlock, (warp + 1) * LANES);
    for (let t = warp * LANES; t < end; t++) {
      const state = stateOf(t);
      count[state] = (count[state] || 0) + 1;
      c.fillStyle = state === 'run' && warp % 2 ? colours.run2 : colours[state];
      c.fillRect(t % columns * size, Math.floor(t / columns) * size, size - 1, size - 1);
    }
    keys[warp] = key;
    counts[warp] = count;
  }
}
function sizeThreads() {
  grid.columns = film.block[0];
  grid.rows = film.block[1] * film.block[2];
  if (grid.rows === 1 && grid.columns > LANES) {
    grid.rows = Math.ceil(grid.columns / LANES);
    grid.columns = LANES;
  }
  grid.size = Math.max(4, Math.min(22, Math.floor(Math.min(rooms.block, 420) / grid.columns)));
}
const stateWords = {
  now: 'at this line',
  run: 'between lines',
  part: 'diverged',
  wait: 'wait at a barrier',
  end: 'are done',
  none: 'have not begun',
  bad: 'were stopped'
};
const oneState = {
  now: 'at this line',
  run: 'between lines',
  part: 'diverged',
  wait: 'waits at a barrier',
  end: 'is done',
  none: 'has not begun',
  bad: 'was stopped'
};
function drawThreads() {
  const canvas = $('threads'), size = grid.size, width = grid.columns * size + 1;
  drawStates(threadCells.keys.length === 0);
  const c = pen(canvas, width, grid.rows * size + 1);
  c.drawImage(threadCells.canvas, 0, 0, width, grid.rows * size + 1);
  c.strokeStyle = colours.ink;
  c.lineWidth = 1;
  c.globalAlpha = 0.35;
  c.beginPath();
  for (let w = 1; w < warps; w++) { /* a line where a warp begins */
    const t = w * LANES, x = t % grid.columns * size, y = Math.floor(t / grid.columns) * size - 0.5;
    c.moveTo(x, y);
    c.lineTo(grid.columns * size, y);
  }
  c.stroke();
  c.globalAlpha = 1;
  c.lineWidth = 2;
  c.strokeRect(
      thread % grid.columns * size, Math.floor(thread / grid.columns) * size, size - 1, size - 1);
  const all = {};
  for (const count of threadCells.counts)
    for (const state of Object.keys(count)) all[state] = (all[state] || 0) + count[state];
  say('states',
      'Threads: ' + Object.keys(all).map((k) => `${all[k]} ${stateWords[k]}`).join(', ') + '.');
  canvas.setAttribute('aria-valuenow', thread);
  canvas.setAttribute('aria-valuetext', `${threadName(thread)}: ${oneState[stateOf(thread)]}`);
}

/* The source. */
const lineElements = new Map();
function buildListing() {
  const listing = $('listing');
  const shown = film.sources.filter((s) => steps.some((step) => step.file === s.file));
  for (const source of shown) {
    if (shown.length > 1) listing.append(element('div', source.name, 'quiet'));
    source.text.split('\n').forEach((text, i) => {
      const row = element('div');
      row.append(element('span', String(i + 1)), document.createTextNode(text));
      lineElements.set(source.file + ':' + (i + 1), row);
      listing.append(row);
    });
  }
  for (const m of film.mistakes) {
    for (const site of m.sites) {
      const source = film.sources.find((s) => s.name === site.file);
      const row = source && lineElements.get(source.file + ':' + site.line);
      if (row) row.classList.add('wrong');
    }
  }
}
let litLine = null;
function drawLine(step) {
  const row = step.warp < 0 ? litLine : lineElements.get(step.file + ':' + step.line);
  if (row === litLine) return;
  if (litLine) {
    litLine.classList.remove('here');
    litLine.removeAttribute('aria-current');
  }
  litLine = row || null;
  if (!row) return;
  row.classList.add('here');
  row.setAttribute('aria-current', 'step');
  const listing = $('listing'), top = row.offsetTop - listing.scrollTop;
  if (top < listing.clientHeight * 0.2 || top > listing.clientHeight * 0.75)
    listing.scrollTop = row.offsetTop - listing.clientHeight * 0.4;
}

