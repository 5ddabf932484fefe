/*
 * page_picture.js: each memory as a picture: its cells, kept and drawn anew only where they change,
 * and over them what is true of this step alone: accesses, wrong elements, the picked cell.
 */

/* Memories: cells, and what the current line's lanes touch. */
const canvases = [];
function buildMemories() {
  memories.forEach((m, i) => {
    const box = element('div', undefined, 'memory');
    const across = m.record ? m.record / m.element : 1, what = m.record ? 'structs' : 'elements';
    const size = m.flat || m.rows < 2 ? `${Math.floor(m.count / across)} ${what}` :
                                        [...m.outerSides(), m.columns / across].join(' x ');
    const name = `${m.name}: ${m.shared ? 'shared' : 'global'}, ${size}`;
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', name);
    box.append(element('h3', name));
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    box.append(canvas);
    $('memories').append(box);
    canvases.push({canvas, m, i, cells: element('canvas'), drawn: null});
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
/* How a value is filled in, so that its number can be read on it (tests/contrast); false: there is
 * no value. */
function shade(c, value, largest) {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return false;
  const size = Math.min(1, Math.abs(Number(value)) / largest);
  c.globalAlpha = 0.15 + 0.45 * size;
  c.fillStyle = Number(value) < 0 ? colours.minus : colours.value;
  return true;
}
/* What a drawing of it depends on, while no line accesses it. */
function stillOf({m, i}, current) {
  if (current.some((a) => a.memory === i)) return null;
  const wrong = i === result ? wrongUntil(position) : -1, ring = picked && picked.memory === i;
  const phase = m.shared ? 0 : phaseOf[position];
  return [m.version, phase, wrong, ring && picked.element, rooms.memories].join();
}
/* A side of its cells. Shared arrays stand in twos, matrices in threes, low ones alone. */
function cellSize(m, w) {
  const room = rooms.memories;
  const wide = m.flat || 4 * w.rows <= w.columns ? Math.min(room, 480) :
                        Math.min(
                            m.shared ? 300 : 260,
                            (room - 30) / (m.shared || room < 480 ? 2 : 3), w.columns * 40 + 80);
  const least = w.rows * w.columns <= 1024 ? 5 : 2; /* wider than its room: it scrolls */
  return Math.max(least, Math.min(26, Math.floor(wide / (w.columns + 2))));
}
function drawCell(c, m, e, x, y, {size, gap, tile, largest}) {
  const value = m.valueAt(e);
  c.clearRect(x, y, size, size);
  if (!shade(c, value, largest)) {
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
  if (size < 20 || value === null) return;
  const text = textOf(value); /* whole, or not at all: half a number is another number */
  if (text.length > 4) return;
  c.fillStyle = colours.ink;
  c.fillText(text, x + (size - gap) / 2, y + size / 2);
}
/* What is wider than its room scrolls, and keys have to come to it. */
function reachByKeys({canvas}, width) {
  if (width > rooms.memories)
    canvas.parentElement.tabIndex = 0;
  else
    canvas.parentElement.removeAttribute('tabindex');
}
/*
 * The cells alone, on a canvas that is kept: while nothing but values changes, only those cells
 * are drawn anew that have been written since.
 */
function drawCells(box) {
  const {m, i, cells} = box, w = windows[i], size = cellSize(m, w), {row, column} = w;
  const tile = m.shared ? null : tileOf(i, phaseOf[position]);
  const inside = (e) => { /* its place among those drawn; -1: none */
    const r = Math.floor(e / m.columns) - row, k = e % m.columns - column;
    return r < 0 || k < 0 || r >= w.rows || k >= w.columns ? -1 : r * w.columns + k;
  };
  const weigh = (e, place) => {
    const value = m.valueAt(e), n = value === null ? 0 : Math.abs(Number(value));
    box.weights[place] = Number.isFinite(n) ? n : 0;
  };
  const all = m.changed === null || !box.drawn || box.drawn.row !== row ||
      box.drawn.column !== column;
  const changed = all ? null : [...m.changed].filter((e) => inside(e) >= 0);
  const cellAtPlace = (p) => (row + Math.floor(p / w.columns)) * m.columns + column + p % w.columns;
  if (all) {
    box.weights = new Float64Array(w.rows * w.columns);
    for (let p = 0; p < box.weights.length; p++)
      if (cellAtPlace(p) < m.count) weigh(cellAtPlace(p), p);
  } else {
    for (const e of changed) weigh(e, inside(e));
  }
  m.changed = new Set();
  const largest = box.weights.reduce((x, y) => (x > y ? x : y), 0) || 1;
  const look = {row, column, size, tile, largest, gap: size > 5 ? 1 : 0};
  const same = !all && Object.keys(look).every((k) => look[k] === box.drawn[k]);
  box.drawn = look;
  const c = same ? cells.getContext('2d') :
                   pen(cells, (w.columns + 2) * size, (w.rows + 2) * size);
  c.font = `${Math.min(11, size * 0.4)}px ui-monospace, monospace`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  if (!same) reachByKeys(box, (w.columns + 2) * size);
  const draw = (e, place) => drawCell(
      c, m, e, (place % w.columns + 1) * size, (Math.floor(place / w.columns) + 1) * size, look);
  if (same) {
    for (const e of changed) draw(e, inside(e));
    return;
  }
  for (let p = 0; p < box.weights.length; p++)
    if (cellAtPlace(p) < m.count) draw(cellAtPlace(p), p);
  box.outline = tile && outline(tile, m, w, size);
}
function drawMemory(box, current) {
  followAccess(box, current);
  const {canvas, m, i} = box, w = windows[i], still = stillOf(box, current);
  if (still !== null && still === box.still) return;
  box.still = still;
  drawCells(box);
  const {size, gap} = box.drawn;
  const c = pen(canvas, (w.columns + 2) * size, (w.rows + 2) * size);
  c.drawImage(box.cells, 0, 0, (w.columns + 2) * size, (w.rows + 2) * size);
  if (box.outline) {
    c.strokeStyle = colours.tile;
    c.lineWidth = Math.max(1, Math.min(2, size / 4));
    c.stroke(box.outline);
  }
  markWrong(c, i, w, m, size - gap, size);
  markPicked(c, i, w, m, size);
  const notes = current.filter((a) => a.memory === i).map((a) => markAccess(c, a, m, w, size, gap));
  canvas.setAttribute('aria-label', [m.name, ...new Set(notes)].join(', '));
}
/* A ring around each cell of an access, and a square where the chosen thread's is. */
function markAccess(c, a, m, w, size, gap) {
  const reads = a.kind === READ, colour = reads ? colours.read : colours.write;
  for (const lane of lanesOf(a.mask)) {
    const place = placeOf(a.at, lane), outside = place < 0 || place + a.size > m.bytes;
    for (let b = 0; b < a.size; b += m.element) {
      const e = Math.floor((place + b) / m.element), r0 = Math.floor(e / m.columns);
      const r = Math.max(-1, Math.min(w.rows, r0 - w.row));
      const k = Math.max(-1, Math.min(w.columns, e - r0 * m.columns - w.column));
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
  return reads ? 'being read' : 'being written';
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
function outline(set, m, w, size) {
  const path = new Path2D();
  for (const e of set) {
    const r = Math.floor(e / m.columns), k = e % m.columns, y = (r - w.row + 1) * size,
          x = (k - w.column + 1) * size;
    if (r < w.row || k < w.column || r >= w.row + w.rows || k >= w.column + w.columns) continue;
    if (!set.has(e - m.columns)) {
      path.moveTo(x, y);
      path.lineTo(x + size, y);
    }
    if (!set.has(e + m.columns)) {
      path.moveTo(x, y + size);
      path.lineTo(x + size, y + size);
    }
    if (k === 0 || !set.has(e - 1)) {
      path.moveTo(x, y);
      path.lineTo(x, y + size);
    }
    if (k === m.columns - 1 || !set.has(e + 1)) {
      path.moveTo(x + size, y);
      path.lineTo(x + size, y + size);
    }
  }
  return path;
}
/* Which element the mouse is at; null: none. */
function cellAt(i, event) {
  const box = canvases[i], m = box.m, w = windows[i],
        ratio = box.canvas.getBoundingClientRect().width / parseFloat(box.canvas.style.width);
  const k = Math.floor(event.offsetX / ratio / box.drawn.size) - 1,
        r = Math.floor(event.offsetY / ratio / box.drawn.size) - 1;
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
