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

let position = 0, thread = 0;

function threadName(t) {
  const x = t % film.block[0], y = Math.floor(t / film.block[0]) % film.block[1],
        z = Math.floor(t / film.block[0] / film.block[1]);
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
function drawThreads() {
  const canvas = $('threads'), room = canvas.parentElement.clientWidth;
  grid.columns = film.block[0];
  grid.rows = film.block[1] * film.block[2];
  if (grid.rows === 1 && grid.columns > LANES) {
    grid.rows = Math.ceil(grid.columns / LANES);
    grid.columns = LANES;
  }
  grid.size = Math.max(4, Math.min(22, Math.floor(Math.min(room, 420) / grid.columns)));
  const c = pen(canvas, grid.columns * grid.size + 1, grid.rows * grid.size + 1), size = grid.size;
  const count = {};
  for (let t = 0; t < threadsInBlock; t++) {
    const state = stateOf(t), x = t % grid.columns * size, y = Math.floor(t / grid.columns) * size;
    count[state] = (count[state] || 0) + 1;
    c.fillStyle = state === 'run' && Math.floor(t / LANES) % 2 ? colours.run2 : colours[state];
    c.fillRect(x, y, size - 1, size - 1);
  }
  c.strokeStyle = colours.ink;
  c.lineWidth = 1;
  c.globalAlpha = 0.35;
  for (let w = 1; w < warps; w++) { /* a line where a warp begins */
    const t = w * LANES, x = t % grid.columns * size, y = Math.floor(t / grid.columns) * size - 0.5;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(grid.columns * size, y);
    c.stroke();
  }
  c.globalAlpha = 1;
  c.strokeStyle = colours.ink;
  c.lineWidth = 2;
  c.strokeRect(
      thread % grid.columns * size, Math.floor(thread / grid.columns) * size, size - 1, size - 1);
  const words = {
    now: 'at this line',
    run: 'between lines',
    part: 'parted',
    wait: 'wait at a barrier',
    end: 'are done',
    none: 'have not begun',
    bad: 'were stopped'
  };
  canvas.setAttribute(
      'aria-label',
      'Threads: ' + Object.keys(count).map((k) => `${count[k]} ${words[k]}`).join(', ') +
          `. Chosen: ${threadName(thread)}.`);
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
  if (litLine) litLine.classList.remove('here');
  litLine = row || null;
  if (!row) return;
  row.classList.add('here');
  const listing = $('listing'), top = row.offsetTop - listing.scrollTop;
  if (top < listing.clientHeight * 0.2 || top > listing.clientHeight * 0.75)
    listing.scrollTop = row.offsetTop - listing.clientHeight * 0.4;
}

/* Variables of the chosen thread, innermost function first. */
function leafNames(leaf) {
  const [path, encoding, size, offset, ...dims] = leaf, list = [{path, offset}];
  let all = list;
  for (let d = 0; d < dims.length; d += 2) {
    const next = [];
    for (const one of all) {
      for (let i = 0; i < dims[d] && next.length < 256; i++)
        next.push({path: one.path.replace('[]', `[${i}]`), offset: one.offset + i * dims[d + 1]});
    }
    all = next;
  }
  return all.map((one) => ({...one, encoding, size}));
}
film.variables.forEach((v) => {
  v.parts = v.space === 'local' ? v.leaves.flatMap(leafNames) : [];
});
function row(table, name, cells, className) {
  const tr = element('tr', undefined, className);
  tr.append(element('th', name));
  for (const cell of cells) tr.append(cell);
  table.append(tr);
}
function valueCell(before, after) {
  const td = element('td');
  if (before !== after && textOf(before) !== textOf(after)) {
    td.append(
        element('s', textOf(before)), document.createTextNode(' '),
        element('span', textOf(after), 'new'));
  } else {
    td.textContent = textOf(after);
  }
  return td;
}
function drawVariables() {
  const warp = Math.floor(thread / LANES), lane = thread % LANES,
        step = at[position * warps + warp];
  const table = $('variables').tBodies[0];
  table.textContent = '';
  $('thread-title').textContent = `Thread ${threadName(thread)}, lane ${lane} of warp ${warp}`;
  if (step < 0) {
    $('stack').textContent = 'has not begun';
    return;
  }
  const after = has(steps[step].mask, lane) && nextOf[step] >= 0 ? nextOf[step] : step;
  const chain = [];
  for (let f = steps[step].frame, line = steps[step].line; f >= 0;) {
    const [func, up, upline, vars] = film.frames[f];
    chain.push({name: func >= 0 ? film.functions[func].name : '?', line, vars});
    line = upline;
    f = up;
  }
  $('stack').textContent = chain.map((f) => `${f.name}, line ${f.line}`).join(' called by ');
  chain.forEach((f, depth) => {
    if (depth > 0) row(table, `in ${f.name}`, [], 'outer');
    for (const v of f.vars.map((i) => film.variables[i])) {
      if (v.space !== 'local') continue;
      v.parts.slice(0, 64).forEach((p) => {
        const place = v.at + p.offset;
        const old = localNumber(warp, lane, p.encoding, p.size, place, step);
        const now = localNumber(warp, lane, p.encoding, p.size, place, after);
        row(table, v.name + p.path,
            [valueCell(old, now), element('td', p.path === '' ? v.type : '', 'type')]);
      });
      if (v.parts.length > 64)
        row(table, v.name, [element('td', `and ${v.parts.length - 64} more`)]);
    }
  });
}

/* Memories: cells, and what the current line's lanes touch. */
const canvases = [];
function buildMemories() {
  memories.forEach((m, i) => {
    const box = element('div', undefined, 'memory');
    const across = m.record ? m.record / m.element : 1, what = m.record ? 'structs' : 'elements';
    const size = m.flat || m.rows < 2 ? `${Math.floor(m.count / across)} ${what}` :
                                        `${m.rows} x ${m.columns / across}`;
    box.append(element('h3', `${m.name}: ${m.shared ? 'shared' : 'global'}, ${size}`));
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    box.append(canvas);
    $('memories').append(box);
    canvases.push({canvas, m, i, size: 0, left: 0, top: 0});
    canvas.addEventListener('mousemove', (event) => pointAt(i, event));
    canvas.addEventListener('click', (event) => {
      const e = cellAt(i, event);
      if (e !== null) pick(i, e);
    });
  });
}
function window_of(m, i) { /* rows and columns to draw: all, or those touched */
  if (m.rows * m.columns <= 16384) return {row: 0, column: 0, rows: m.rows, columns: m.columns};
  let top = Infinity, bottom = 0, left = Infinity, right = 0;
  for (const set of touched[i].values()) {
    for (const e of set) {
      const r = Math.floor(e / m.columns), c = e % m.columns;
      top = Math.min(top, r);
      bottom = Math.max(bottom, r);
      left = Math.min(left, c);
      right = Math.max(right, c);
    }
  }
  if (top === Infinity)
    return {row: 0, column: 0, rows: Math.min(64, m.rows), columns: Math.min(64, m.columns)};
  return {
    row: top,
    column: left,
    rows: Math.min(128, bottom - top + 1),
    columns: Math.min(128, right - left + 1)
  };
}
const windows = memories.map(window_of);
/* Moves the window of a large memory to what is accessed now. */
function followAccess({m, i}, current) {
  const a = current.find((one) => one.memory === i), w = windows[i];
  if (!a || m.rows * m.columns <= 16384) return;
  const e = Math.floor(placeOf(a.at, lanesOf(a.mask)[0]) / m.element);
  const r = Math.floor(e / m.columns), k = e - r * m.columns;
  if (r < w.row || r >= w.row + w.rows)
    w.row = Math.max(0, Math.min(m.rows - w.rows, r - Math.floor(w.rows / 2)));
  if (k < w.column || k >= w.column + w.columns)
    w.column = Math.max(0, Math.min(m.columns - w.columns, k - Math.floor(w.columns / 2)));
}
let scale = memories.map(() => 1);
function shade(c, m, value, largest) {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return false;
  const size = Math.min(1, Math.abs(Number(value)) / largest);
  c.globalAlpha = 0.15 + 0.75 * size;
  c.fillStyle = Number(value) < 0 ? colours.minus : colours.value;
  return true;
}
/* What a drawing of it depends on, while no line accesses it. */
function stillOf({m, i}, current, room) {
  if (current.some((a) => a.memory === i)) return null;
  const wrong = i === result ? position : -1, ring = picked && picked.memory === i;
  return [m.version, m.shared ? 0 : phaseOf[position], wrong, ring && picked.element, room].join();
}
function drawMemory(box, current) {
  followAccess(box, current);
  const {canvas, m, i} = box, w = windows[i], room = $('memories').clientWidth;
  const still = stillOf(box, current, room);
  if (still !== null && still === box.still) return;
  box.still = still;
  /* Shared arrays stand in twos, matrices in threes. */
  const wide = m.flat ? Math.min(room, 480) :
                      Math.min(
                          m.shared ? 300 : 260, (room - 30) / (m.shared || room < 480 ? 2 : 3),
                          w.columns * 40 + 80);
  const size = Math.max(2, Math.min(26, Math.floor(wide / (w.columns + 2))));
  box.size = size;
  box.left = box.top = size;
  const c = pen(canvas, (w.columns + 2) * size, (w.rows + 2) * size);
  const gap = size > 5 ? 1 : 0, tile = m.shared ? null : tileOf(i, phaseOf[position]);
  let largest = 0;
  for (let r = 0; r < w.rows; r++) {
    for (let k = 0; k < w.columns; k++) {
      const e = (w.row + r) * m.columns + w.column + k;
      if (e >= m.count) continue;
      const value = m.valueAt(e), n = value === null ? 0 : Math.abs(Number(value));
      if (Number.isFinite(n)) largest = Math.max(largest, n);
    }
  }
  scale[i] = largest || 1;
  c.font = `${Math.min(11, size * 0.45)}px ui-monospace, monospace`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (let r = 0; r < w.rows; r++) {
    for (let k = 0; k < w.columns; k++) {
      const e = (w.row + r) * m.columns + w.column + k;
      if (e >= m.count) continue;
      const x = (k + 1) * size, y = (r + 1) * size, value = m.valueAt(e);
      if (!shade(c, m, value, scale[i])) {
        c.globalAlpha = 1;
        c.fillStyle = colours.poison;
      } else if (tile && !tile.has(e)) {
        c.globalAlpha *= 0.45;
      }
      c.fillRect(x, y, size - gap, size - gap);
      c.globalAlpha = 1;
      if (m.of(e, 'coming') >= 0) { /* on its way */
        c.strokeStyle = colours.write;
        c.lineWidth = 1;
        c.beginPath();
        c.moveTo(x, y + size - gap);
        c.lineTo(x + size - gap, y);
        c.stroke();
      }
      if (size >= 20 && value !== null) {
        c.fillStyle = colours.ink;
        c.fillText(textOf(value).slice(0, 5), x + size / 2, y + size / 2);
      }
    }
  }
  if (tile) outline(c, tile, m, w, size);
  markWrong(c, i, w, m, size - gap, size);
  markPicked(c, i, w, m, size);
  let note = '';
  for (const a of current) {
    if (a.memory !== i) continue;
    const reads = a.kind === READ, colour = reads ? colours.read : colours.write;
    for (const lane of lanesOf(a.mask)) {
      const place = placeOf(a.at, lane), outside = place < 0 || place + a.size > m.bytes;
      for (let b = 0; b < a.size; b += m.element) {
        const e = Math.floor((place + b) / m.element);
        const r = Math.max(-1, Math.min(w.rows, Math.floor(e / m.columns) - w.row));
        const k =
            Math.max(-1, Math.min(w.columns, e - Math.floor(e / m.columns) * m.columns - w.column));
        c.strokeStyle = outside ? colours.bad : colour;
        c.lineWidth = size > 8 ? 2 : 1;
        c.setLineDash(outside ? [3, 2] : []);
        c.strokeRect((k + 1) * size + 0.5, (r + 1) * size + 0.5, size - gap - 1, size - gap - 1);
        c.setLineDash([]);
        if (lane === thread % LANES && steps[position].warp === Math.floor(thread / LANES)) {
          c.fillStyle = colour;
          c.fillRect(
              (k + 1) * size + size * 0.3, (r + 1) * size + size * 0.3, size * 0.4, size * 0.4);
        }
      }
    }
    note += reads ? ' being read' : ' being written';
  }
  canvas.setAttribute('aria-label', `${m.name}${note}`);
}
/* Wrong elements of C have a red corner. */
function markWrong(c, memory, w, m, side, size) {
  if (memory !== result) return;
  c.fillStyle = colours.bad;
  for (const e of wrongElements.keys()) {
    const r = Math.floor(e / m.columns) - w.row, k = e % m.columns - w.column;
    if (r < 0 || k < 0 || r >= w.rows || k >= w.columns || !isWrongCell(memory, e)) continue;
    const x = (k + 1) * size + side, y = (r + 1) * size, corner = Math.max(2, side * 0.4);
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - corner, y);
    c.lineTo(x, y + corner);
    c.fill();
  }
}
/* The edge of a set of cells. */
function outline(c, set, m, w, size) {
  c.strokeStyle = colours.tile;
  c.lineWidth = Math.max(1, Math.min(2, size / 4));
  c.beginPath();
  for (const e of set) {
    const r = Math.floor(e / m.columns), k = e % m.columns, y = (r - w.row + 1) * size,
          x = (k - w.column + 1) * size;
    if (r < w.row || k < w.column || r >= w.row + w.rows || k >= w.column + w.columns) continue;
    if (!set.has(e - m.columns)) {
      c.moveTo(x, y);
      c.lineTo(x + size, y);
    }
    if (!set.has(e + m.columns)) {
      c.moveTo(x, y + size);
      c.lineTo(x + size, y + size);
    }
    if (k === 0 || !set.has(e - 1)) {
      c.moveTo(x, y);
      c.lineTo(x, y + size);
    }
    if (k === m.columns - 1 || !set.has(e + 1)) {
      c.moveTo(x + size, y);
      c.lineTo(x + size, y + size);
    }
  }
  c.stroke();
}
/* Which element the mouse is at; null: none. */
function cellAt(i, event) {
  const box = canvases[i], m = box.m, w = windows[i],
        ratio = box.canvas.getBoundingClientRect().width / parseFloat(box.canvas.style.width);
  const k = Math.floor(event.offsetX / ratio / box.size) - 1,
        r = Math.floor(event.offsetY / ratio / box.size) - 1;
  if (k < 0 || r < 0 || k >= w.columns || r >= w.rows) return null;
  const e = (w.row + r) * m.columns + w.column + k;
  return e < m.count ? e : null;
}
function pointAt(i, event) {
  const e = cellAt(i, event), m = memories[i];
  if (e === null) return;
  const by = m.writerOf(e) < 0 ?
      (m.shared ? 'nobody has written it' : 'as it was before the launch') :
      `written by thread ${threadName(m.writerOf(e))}, line ${steps[m.of(e, 'wrote')].line}`;
  const should = isWrongCell(i, e) ? `, should be ${textOf(wrongElements.get(e))}` : '';
  const since = m.of(e, 'coming');
  const coming = since < 0 ? '' : ` A copy to it is on its way since step ${since + 1}.`;
  $('cell').textContent =
      `${m.nameOf(e)} = ${textOf(m.valueAt(e))}${should}: ${by}.${coming}`;
}
