/*
 * page_read.js: the film as it lies in the page (docs/film-format.md): steps, accesses, rows of 32
 * lanes, numbers, and the order of things.
 *
 *   at[]        for each step, each warp's last step so far
 *
 * The page's scripts are one function: page.html has its start and end.
 */

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
  if (encoding === 'bits') return '0x' + low.toString(16).padStart(8, '0');
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
  if (encoding === 'char')
    return low >= 32 && low < 127 ? `'${String.fromCharCode(low)}'` : low << 24 >> 24;
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
/* A word of a thread's own memory as it is when its warp comes to `step`; null: not yet set. */
function localWord(warp, lane, word, step) {
  const h = history.get(warp * 65536 + word);
  if (!h || h.steps[0] > step) return null;
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
  const low = localWord(warp, lane, word, step);
  const high = size === 8 ? localWord(warp, lane, word + 1, step) : 0;
  return low === null || high === null ? null : numberOf(encoding, size, low >>> shift, high);
}
