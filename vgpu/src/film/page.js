/*
 * page.js: plays a film (docs/film-format.md). No library, no network.
 *
 *   at[]        for each step, each warp's last step so far
 *   Memory      the bytes of one array or allocation, moved forward and back
 *   draw*       one for each part of the page; show(position) calls them all
 *
 * Texts of the film reach the page as text (textContent, fillText), never as HTML.
 */
'use strict';
(function() {

const $ = (id) => document.getElementById(id);
let film = null;
try {
  film = JSON.parse($('film').textContent);
} catch (e) { /* said below */
}
if (!film || film.format !== 'vgpu-film 1') {
  $('about').textContent = 'This page holds no film that it can play.';
  return;
}
const READ = 0, WRITE = 1, ATOMIC = 2, ASYNC_BEGIN = 3, ASYNC_END = 4;
const LANES = 32, CHECKPOINT = 512;

const steps = film.steps.map(
    ([warp, file, line, mask, frame, say]) => ({warp, file, line, mask: mask >>> 0, frame, say}));
const accesses = film.accesses.map(
    ([step, kind, memory, size, mask, at, units, conflicts, ...values]) =>
        ({step, kind, memory, size, mask: mask >>> 0, at, units, conflicts, values}));
const threadsInBlock = film.block[0] * film.block[1] * film.block[2];
const warps = Math.ceil(threadsInBlock / LANES);

/* ---- rows of 32 lanes ---- */

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
const decoded = new Map();
function wordOf(row, lane) {
  if (typeof row === 'number') return row >>> 0;
  if (typeof row !== 'string') return (row[0] + row[1] * lane) >>> 0;
  let words = decoded.get(row);
  if (!words) {
    words = new Uint32Array(bytesOf(row).buffer);
    if (decoded.size > 5000) decoded.clear();
    decoded.set(row, words);
  }
  return words[lane];
}
function placeOf(at, lane) {
  if (typeof at === 'number') return at;
  if (at.length === 1) return at[0][lane];
  if (at.length === 2) return at[0] + at[1] * lane;
  return at[0] + at[1] * (lane % at[3]) + at[2] * Math.floor(lane / at[3]);
}
const has = (mask, lane) => (mask >>> lane & 1) !== 0;
function lanesOf(mask) {
  const list = [];
  for (let i = 0; i < LANES; i++)
    if (has(mask, i)) list.push(i);
  return list;
}

/* ---- numbers ---- */

const buffer = new DataView(new ArrayBuffer(8));
function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign *
      (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * fraction / 1024);
}
/* The value that low and high bits mean; null: nobody has set it. */
function numberOf(encoding, size, low, high) {
  if (encoding === 'float' && size === 4) {
    if (low === 0xffffffff) return null;
    buffer.setUint32(0, low);
    return buffer.getFloat32(0);
  }
  if (encoding === 'float') {
    if (low === 0xffffffff && high === 0xffffffff) return null;
    buffer.setUint32(0, high);
    buffer.setUint32(4, low);
    return buffer.getFloat64(0);
  }
  if (size === 2) low &= 0xffff;
  if (size === 1) low &= 0xff;
  if (encoding === 'half') return low === 0xffff ? null : halfOf(low);
  if (encoding === 'bfloat16') {
    if (low === 0xffff) return null;
    buffer.setUint32(0, low << 16);
    return buffer.getFloat32(0);
  }
  if (encoding === 'pointer')
    return low === 0xaaaaaaaa && high === 0xaaaaaaaa ? null : pointerText(low, high);
  if (size === 8) {
    if (low === 0xaaaaaaaa && high === 0xaaaaaaaa) return null;
    const all = (BigInt(high) << 32n) | BigInt(low);
    return encoding === 'signed' ? BigInt.asIntN(64, all) : all;
  }
  if (size === 4 && low === 0xaaaaaaaa) return null;
  if (encoding === 'bool') return low !== 0;
  if (encoding === 'signed')
    return size === 4 ? low | 0 : size === 2 ? low << 16 >> 16 : low << 24 >> 24;
  if (encoding === 'char') return low >= 32 && low < 127 ? `'${String.fromCharCode(low)}'` : low;
  return low >>> 0;
}
function pointerText(low, high) {
  const address = (BigInt(high) << 32n) | BigInt(low);
  return '0x' + address.toString(16);
}
function textOf(value) {
  if (value === null) return 'not set';
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) || !Number.isFinite(value) ? String(value) :
                                                              String(+value.toPrecision(7));
}

/* ---- order ---- */

const racy = film.as_recorded;
const phaseOf = new Int32Array(steps.length);
const previousOf = new Int32Array(steps.length).fill(-1),
      nextOf = new Int32Array(steps.length).fill(-1);
(function() {
const last = new Int32Array(warps).fill(-1);
let phase = 0;
steps.forEach((s, i) => {
  if (s.warp < 0) phase++;
  phaseOf[i] = phase;
  if (s.warp < 0) return;
  previousOf[i] = last[s.warp];
  if (last[s.warp] >= 0) nextOf[last[s.warp]] = i;
  last[s.warp] = i;
});
})();
const at = new Int32Array(steps.length * warps);
(function() {
const now = new Int32Array(warps).fill(-1);
steps.forEach((step, i) => {
  if (step.warp >= 0) now[step.warp] = i;
  at.set(now, i * warps);
});
})();
const phaseStarts = [0];
steps.forEach((step, i) => {
  if (step.warp < 0) phaseStarts.push(i);
});

const firstAccess = new Int32Array(steps.length + 1);
(function() {
let a = 0;
for (let i = 0; i <= steps.length; i++) {
  while (a < accesses.length && accesses[a].step < i) a++;
  firstAccess[i] = a;
}
})();
function accessesOf(step) {
  return accesses.slice(firstAccess[step], firstAccess[step + 1]);
}

/* Lanes that wait, or are done, once the step has been carried out. */
const waiting = new Uint32Array(steps.length), done = new Uint32Array(steps.length),
      stopped = new Uint32Array(steps.length);
(function() {
for (const [step, , mask, why] of film.pauses) {
  if (why === 'barrier')
    waiting[step] |= mask;
  else if (why === 'end')
    done[step] |= mask;
  else if (why === 'fault')
    stopped[step] |= mask;
}
for (let i = 0; i < steps.length; i++) {
  const before = previousOf[i];
  if (before < 0) continue;
  done[i] |= done[before];
  if (phaseOf[before] === phaseOf[i]) waiting[i] |= waiting[before];
}
})();

/* ---- values of variables ---- */

const history = new Map(); /* warp and word: when it changed, and to what */
for (const [step, warp, word, row] of film.locals) {
  const key = warp * 65536 + word;
  if (!history.has(key)) history.set(key, {steps: [], rows: []});
  const h = history.get(key);
  h.steps.push(step);
  h.rows.push(row);
}
/* A word of a thread's own memory as it is when its warp comes to `step`. */
function localWord(warp, lane, word, step) {
  const h = history.get(warp * 65536 + word);
  if (!h || h.steps[0] > step) return 0xffffffff;
  let low = 0, high = h.steps.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (h.steps[middle] <= step)
      low = middle;
    else
      high = middle;
  }
  return wordOf(h.rows[low], lane);
}
function localNumber(warp, lane, encoding, size, place, step) {
  const shift = place % 4 * 8, word = Math.floor(place / 4);
  const low = localWord(warp, lane, word, step) >>> shift;
  const high = size === 8 ? localWord(warp, lane, word + 1, step) : 0;
  return numberOf(encoding, size, low, high);
}

/* ---- memory, as it is at a position ---- */

class Memory {
  constructor(described) {
    Object.assign(this, described);
    this.count = Math.floor(this.bytes / this.element);
    if (!this.columns) {
      this.flat = true;
      this.columns = Math.max(1, Math.min(32, this.count));
      this.rows = Math.ceil(this.count / this.columns);
      this.pitch = this.columns * this.element;
    }
    this.holds = new Uint8Array(this.bytes).fill(255);
    if (this.before) this.holds.set(bytesOf(this.before));
    this.known = this.before !== null;
    this.writer = new Int32Array(this.count).fill(-1);
    this.wrote = new Int32Array(this.count).fill(-1);
    this.view = new DataView(this.holds.buffer);
  }
  save() {
    return [this.holds.slice(), this.writer.slice(), this.wrote.slice()];
  }
  load([holds, writer, wrote]) {
    this.holds.set(holds);
    this.writer.set(writer);
    this.wrote.set(wrote);
  }
  write(a, step) {
    for (const lane of lanesOf(a.mask)) {
      const place = placeOf(a.at, lane);
      for (let i = 0; i < a.size; i++) {
        const to = place + i;
        if (to >= 0 && to < this.bytes && a.values.length > i >> 2)
          this.holds[to] = wordOf(a.values[i >> 2], lane) >>> (i % 4 * 8);
      }
      for (let e = Math.floor(place / this.element); e < (place + a.size) / this.element; e++) {
        if (e >= 0 && e < this.count) {
          this.writer[e] = steps[step].warp * LANES + lane;
          this.wrote[e] = step;
        }
      }
    }
  }
  valueAt(element) {
    const place = element * this.element;
    let low = 0, high = 0;
    for (let i = 0; i < Math.min(4, this.element); i++) low |= this.holds[place + i] << 8 * i;
    for (let i = 4; i < this.element; i++) high |= this.holds[place + i] << 8 * (i - 4);
    return numberOf(this.encoding, this.element, low >>> 0, high >>> 0);
  }
  nameOf(element) {
    if (this.flat || this.rows < 2) return `${this.name}[${element}]`;
    return `${this.name}[${Math.floor(element / this.columns)}][${element % this.columns}]`;
  }
}
const memories = film.memories.map((m) => new Memory(m));
const checkpoints = [memories.map((m) => m.save())];
let applied = 0; /* positions whose steps have been carried out */
function apply(position) {
  const step = position;
  for (let a = firstAccess[step]; a < firstAccess[step + 1]; a++) {
    const kind = accesses[a].kind;
    if (kind === WRITE || kind === ATOMIC || kind === ASYNC_END)
      memories[accesses[a].memory].write(accesses[a], step);
  }
}
function bringMemoryTo(position) {
  if (position + 1 < applied) {
    const mark = Math.floor((position + 1) / CHECKPOINT);
    memories.forEach((m, i) => m.load(checkpoints[mark][i]));
    applied = mark * CHECKPOINT;
  }
  while (applied <= position) {
    apply(applied++);
    if (applied % CHECKPOINT === 0 && !checkpoints[applied / CHECKPOINT])
      checkpoints[applied / CHECKPOINT] = memories.map((m) => m.save());
  }
}

/* What the block touches of each memory in each phase. */
const touched = memories.map(() => new Map());
accesses.forEach((a) => {
  const map = touched[a.memory], phase = phaseOf[a.step], m = memories[a.memory];
  if (m.shared) return;
  if (!map.has(phase)) map.set(phase, new Set());
  for (const lane of lanesOf(a.mask))
    map.get(phase).add(Math.floor(placeOf(a.at, lane) / m.element));
});

/* The tile that the block works on: what it touches in this phase, or touched last. */
function tileOf(memory, phase) {
  for (let p = phase; p >= 0; p--)
    if (touched[memory].has(p)) return touched[memory].get(p);
  return null;
}

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
    const size = m.flat || m.rows < 2 ? `${m.count} elements` : `${m.rows} x ${m.columns}`;
    box.append(element('h3', `${m.name}: ${m.shared ? 'shared' : 'global'}, ${size}`));
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    box.append(canvas);
    $('memories').append(box);
    canvases.push({canvas, m, i, size: 0, left: 0, top: 0});
    canvas.addEventListener('mousemove', (event) => pointAt(i, event));
    canvas.addEventListener('click', (event) => pointAt(i, event));
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
let scale = memories.map(() => 1);
function shade(c, m, value, largest) {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return false;
  const size = Math.min(1, Math.abs(Number(value)) / largest);
  c.globalAlpha = 0.15 + 0.75 * size;
  c.fillStyle = Number(value) < 0 ? colours.minus : colours.value;
  return true;
}
function drawMemory(box, current) {
  const {canvas, m, i} = box, w = windows[i], room = $('memories').clientWidth;
  /* Shared arrays stand in twos, matrices in threes. */
  const flat = m.flat && !m.shared;
  const wide = flat ? Math.min(room, 480) :
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
      if (size >= 20 && value !== null) {
        c.fillStyle = colours.ink;
        c.fillText(textOf(value).slice(0, 5), x + size / 2, y + size / 2);
      }
    }
  }
  if (tile) outline(c, tile, m, w, size);
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
function pointAt(i, event) {
  const box = canvases[i], m = box.m, w = windows[i],
        ratio = box.canvas.getBoundingClientRect().width / parseFloat(box.canvas.style.width);
  const k = Math.floor(event.offsetX / ratio / box.size) - 1,
        r = Math.floor(event.offsetY / ratio / box.size) - 1;
  if (k < 0 || r < 0 || k >= w.columns || r >= w.rows) return;
  const e = (w.row + r) * m.columns + w.column + k;
  if (e >= m.count) return;
  const by = m.writer[e] < 0 ?
      (m.shared ? 'nobody has written it' : 'as it was before the launch') :
      `written by thread ${threadName(m.writer[e])}, line ${steps[m.wrote[e]].line}`;
  $('cell').textContent = `${m.nameOf(e)} = ${textOf(m.valueAt(e))}: ${by}.`;
}

/* What an access costs: lanes onto sectors, lanes onto banks. */
function drawCosts(current) {
  const box = $('costs');
  while (box.children.length > Math.min(4, current.length)) box.lastChild.remove();
  if (current.length === 0) {
    if (!box.firstChild || box.firstChild.tagName !== 'P')
      box.replaceChildren(
          element('p', 'This line accesses no memory but the thread\'s own.', 'quiet'));
    return;
  }
  if (box.firstChild && box.firstChild.tagName === 'P') box.textContent = '';
  current.slice(0, 4).forEach((a, n) => {
    let part = box.children[n];
    if (!part) {
      part = element('div', undefined, 'request');
      part.append(element('h3'), element('canvas'), element('p'));
      part.children[1].setAttribute('role', 'img');
      box.append(part);
    }
    const m = memories[a.memory],
          verb =
              ['reads', 'writes', 'updates', 'starts a copy to', 'sees a copy arrive in'][a.kind];
    part.children[0].textContent = `Warp ${steps[position].warp} ${verb} ${m.name}`;
    const text = m.shared ? drawBanks(part.children[1], a, box.clientWidth) :
                            drawSectors(part.children[1], a, m, box.clientWidth);
    part.children[2].textContent = text;
    part.children[1].setAttribute('aria-label', text);
  });
}
function drawLanes(c, a, width) {
  const each = width / LANES;
  for (let lane = 0; lane < LANES; lane++) {
    c.fillStyle =
        has(a.mask, lane) ? (a.kind === READ ? colours.read : colours.write) : colours.none;
    c.fillRect(lane * each, 0, each - 1, 12);
  }
  return each;
}
function drawSectors(canvas, a, m, room) {
  const sectors = new Map();
  for (const lane of lanesOf(a.mask)) {
    const place = placeOf(a.at, lane);
    for (let b = 0; b < a.size; b++) {
      const sector = Math.floor((place + b) / 32);
      if (!sectors.has(sector)) sectors.set(sector, new Set());
      sectors.get(sector).add(((place + b) % 32 + 32) % 32);
    }
  }
  const list = [...sectors.keys()].sort((x, y) => x - y), width = Math.min(room, 460),
        rows = Math.ceil(list.length / 8);
  const perRow = Math.min(8, list.length), each = width / perRow,
        c = pen(canvas, width, 64 + (rows - 1) * 18);
  const lane = drawLanes(c, a, width);
  const where = new Map(list.map((s, i) => [s, {x: i % 8 * each, y: 46 + Math.floor(i / 8) * 18}]));
  c.lineWidth = 1;
  c.globalAlpha = 0.5;
  for (const l of lanesOf(a.mask)) {
    const place = placeOf(a.at, l), box = where.get(Math.floor(place / 32));
    c.strokeStyle = a.kind === READ ? colours.read : colours.write;
    c.beginPath();
    c.moveTo((l + 0.5) * lane, 12);
    c.lineTo(box.x + ((place % 32 + 32) % 32 + a.size / 2) / 32 * (each - 4), box.y);
    c.stroke();
  }
  c.globalAlpha = 1;
  let used = 0;
  for (const s of list) {
    const box = where.get(s), bytes = sectors.get(s);
    used += bytes.size;
    for (let b = 0; b < 32; b += 4) {
      c.fillStyle = bytes.has(b) || bytes.has(b + 1) || bytes.has(b + 2) || bytes.has(b + 3) ?
          (a.kind === READ ? colours.read : colours.write) :
          colours.poison;
      c.fillRect(box.x + b / 32 * (each - 4), box.y, (each - 4) / 8 - 1, 14);
    }
    c.strokeStyle = colours.ink;
    c.lineWidth = 1;
    c.strokeRect(box.x + 0.5, box.y + 0.5, each - 5, 13);
  }
  const wasted = list.length * 32 - used;
  return `${lanesOf(a.mask).length} lanes, ${a.units} sector${
      a.units === 1 ? '' : 's'} of 32 bytes: ${used} bytes used, ${wasted} moved for nothing.`;
}
function drawBanks(canvas, a, room) {
  const width = Math.min(room, 460), c = pen(canvas, width, 76), lane = drawLanes(c, a, width),
        banks = new Map();
  const words = Math.max(1, a.size / 4);
  for (const l of lanesOf(a.mask)) {
    for (let k = 0; k < words; k++) {
      const word = Math.floor(placeOf(a.at, l) / 4) + k, bank = (word % 32 + 32) % 32;
      if (!banks.has(bank)) banks.set(bank, new Set());
      banks.get(bank).add(word);
      c.strokeStyle = a.kind === READ ? colours.read : colours.write;
      c.globalAlpha = 0.5;
      c.beginPath();
      c.moveTo((l + 0.5) * lane, 12);
      c.lineTo((bank + 0.5) * lane, 46);
      c.stroke();
      c.globalAlpha = 1;
    }
  }
  c.font = '10px system-ui, sans-serif';
  c.textAlign = 'center';
  for (let b = 0; b < 32; b++) {
    const n = banks.has(b) ? banks.get(b).size : 0;
    c.fillStyle = n === 0            ? colours.poison :
        n > words && a.conflicts > 0 ? colours.bad :
        a.kind === READ              ? colours.read :
                                       colours.write;
    c.fillRect(b * lane, 46, lane - 1, 14);
    if (n > 1) {
      c.fillStyle = colours.ink;
      c.fillText(String(n), (b + 0.5) * lane, 73);
    }
  }
  const lanes = lanesOf(a.mask).length,
        places = new Set(lanesOf(a.mask).map((l) => placeOf(a.at, l))).size;
  const passes = `${a.units} pass${a.units === 1 ? '' : 'es'} over the 32 banks`;
  if (a.conflicts > 0)
    return `${lanes} lanes: ${passes}, ${a.conflicts} more than without bank conflicts.`;
  if (places < lanes)
    return `${lanes} lanes, ${places} different place${places === 1 ? '' : 's'}: ${
        passes}; lanes that want the same word share it for free.`;
  return `${lanes} lanes: ${passes}, no two lanes collide.`;
}

/* What was counted at the line, in the graded build. */
const countedAt = new Map();
const labels = {
  global_load_requests: 'global load requests',
  global_load_sectors: 'sectors loaded',
  global_store_requests: 'global store requests',
  global_store_sectors: 'sectors stored',
  shared_load_requests: 'shared load requests',
  shared_load_conflicts: 'extra passes of shared loads',
  shared_store_requests: 'shared store requests',
  shared_store_conflicts: 'extra passes of shared stores',
  barriers: 'barriers passed by warps',
  fma: 'multiply-adds'
};
if (film.counted) {
  for (const l of film.counted.lines) countedAt.set(l.file + ':' + l.line, l.counts);
  for (const name of Object.keys(film.counted.totals)) {
    row($('totals').tBodies[0], labels[name] || name.replaceAll('_', ' '),
        [element('td', film.counted.totals[name].toLocaleString('en'))]);
  }
} else {
  $('totals-box').hidden = true;
}
function drawCounts(step, current) {
  if (!film.counted || step.warp < 0) {
    $('counts').textContent = '';
    return;
  }
  const source = film.sources.find((s) => s.file === step.file),
        counts = countedAt.get((source ? source.name : '') + ':' + step.line) || {};
  const parts = Object.keys(labels)
                    .filter((k) => counts[k])
                    .map((k) => `${counts[k].toLocaleString('en')} ${labels[k]}`);
  const memory = parts.some((p) => /request/.test(p));
  let text = parts.length ? `Counted at line ${step.line}, whole launch: ${parts.join(', ')}.` :
                            `Counted at line ${step.line}: nothing.`;
  if (current.length > 0 && !memory)
    text +=
        ' The optimised build makes this access at another line, or keeps the value in a register.';
  $('counts').textContent = text;
}

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
  if (film.mistakes.length === 0) return;
  $('mistakes').hidden = false;
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
    if (m.sites.every((s) => s.step < 0))
      box.append(element(
          'p',
          'This block does not show it: choose another (VGPU_FILM_BLOCK, or --film block=X,Y).',
          'quiet'));
    shown.push(box);
  }
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
  $('b-play').textContent = playing ? '\u275a\u275a' : '\u25b6';
  $('b-play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
}
function drawMarks() {
  const canvas = $('marks'), width = canvas.parentElement.clientWidth, c = pen(canvas, width, 14),
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
  bringMemoryTo(p);
  if (step.warp >= 0 && $('follow').value === 'all' && !chosen) {
    const lane = thread % LANES;
    thread = Math.min(
        threadsInBlock - 1,
        step.warp * LANES + (has(step.mask, lane) ? lane : lanesOf(step.mask)[0] || 0));
  }
  $('sentence').textContent = film.texts[step.say];
  $('where').textContent = step.warp < 0 ?
      `Phase ${phaseOf[index] + 1}` :
      `Line ${step.line}, phase ${phaseOf[index] + 1}, warp ${step.warp}`;
  $('slider').value = p;
  $('slider').setAttribute(
      'aria-valuetext', `step ${p + 1} of ${steps.length}: ${film.texts[step.say]}`);
  $('position').textContent = `step ${p + 1} of ${steps.length}`;
  $('warp').value = String(Math.floor(thread / LANES));
  drawLine(step);
  drawThreads();
  drawVariables();
  canvases.forEach((box) => drawMemory(box, current));
  drawCosts(current);
  drawCounts(step, current);
}
function again() {
  readColours();
  drawMarks();
  show(position, true);
}

/* ---- beginning ---- */

function choose(t) {
  thread = Math.max(0, Math.min(threadsInBlock - 1, t));
  if ($('follow').value !== 'all') $('follow').value = String(Math.floor(thread / LANES));
  show(position, true);
}
function onKey(event) {
  if (event.target.tagName === 'SELECT' || event.ctrlKey || event.metaKey || event.altKey) return;
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
    m: () => {
      if (mistakeSteps.length) goToMistake(mistakeSteps[0].site);
    },
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
  if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
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
  buildListing();
  buildMemories();
  buildMistakes();
  const on = (id, kind, act) => $(id).addEventListener(kind, act);
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
  on('b-mistake', 'click', () => {
    if (mistakeSteps.length) goToMistake(mistakeSteps[0].site);
  });
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
  document.addEventListener('keydown', onKey);
  window.addEventListener('resize', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  readColours();
  const asked = /^#step=(\d+)$/.exec(location.hash);
  const start = asked     ? Math.min(steps.length, Math.max(1, Number(asked[1]))) - 1 :
      mistakeSteps.length ? -1 :
                            0;
  drawMarks();
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
})();
