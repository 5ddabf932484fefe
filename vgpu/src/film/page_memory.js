/*
 * page_memory.js: the bytes of an array or allocation, moved forward and back; and which of them
 * the block touches.
 */

/* ---- memory, as it is at a position ---- */

const PAGE = 1024;                                 /* cells */
const NOTHING = new Uint8Array(8 * PAGE).fill(255); /* a page that nobody has written */

class Memory {
  constructor(described) {
    Object.assign(this, described);
    this.count = Math.floor(this.bytes / this.element);
    if (!this.columns || (this.rows < 2 && this.columns > LANES)) { /* rows of one's choice */
      this.flat = true;
      this.columns = Math.max(1, Math.min(LANES, this.count));
      this.rows = Math.ceil(this.count / this.columns);
      this.pitch = this.columns * this.element;
    }
    this.pages = new Map(); /* of what is known: an allocation may be larger than a browser */
    this.version = 0; /* another one whenever a cell changes */
    this.changed = null; /* cells that changed since they were drawn; null: any may have */
    this.known = this.before !== null;
    if (!this.known) return;
    const bytes = bytesOf(this.before), room = PAGE * this.element;
    for (let at = 0; at < bytes.length; at += room)
      this.page(at / this.element).holds.set(bytes.subarray(at, at + room));
  }
  /* The page of a cell, to be written. Those of checkpoints are copied first. */
  page(e) {
    const number = Math.floor(e / PAGE), old = this.pages.get(number);
    if (old && !old.frozen) return old;
    const none = () => new Int32Array(PAGE).fill(-1);
    const page = old ? {
      holds: old.holds.slice(),
      writer: old.writer.slice(),
      wrote: old.wrote.slice(),
      coming: old.coming.slice()
    } :
                       {
                         holds: new Uint8Array(PAGE * this.element).fill(255),
                         writer: none(),
                         wrote: none(),
                         coming: none() /* a copy on its way: its step */
                       };
    this.pages.set(number, page);
    return page;
  }
  save() {
    for (const page of this.pages.values()) page.frozen = true;
    return new Map(this.pages);
  }
  load(pages) {
    this.version++;
    this.changed = null;
    this.pages = new Map(pages);
  }
  /* What a cell has of `writer`, `wrote` or `coming`; -1: nothing. */
  of(e, what) {
    const page = this.pages.get(Math.floor(e / PAGE));
    return page ? page[what][e % PAGE] : -1;
  }
  writerOf(e) {
    return this.of(e, 'writer');
  }
  byteAt(place) {
    const room = PAGE * this.element, page = this.pages.get(Math.floor(place / room));
    return page ? page.holds[place % room] : 255;
  }
  /* A cell is not what was drawn. One of a struct may be a piece of a larger number. */
  change(e) {
    if (this.record) this.changed = null;
    if (this.changed) this.changed.add(e);
  }
  /* A copy to these elements begins, or has come (step -1). */
  expect(a, step) {
    this.version++;
    for (const lane of lanesOf(a.mask)) {
      const place = placeOf(a.at, lane);
      for (let e = Math.floor(place / this.element); e < (place + a.size) / this.element; e++)
        if (e >= 0 && e < this.count) {
          this.page(e).coming[e % PAGE] = step;
          this.change(e);
        }
    }
  }
  write(a, step) {
    this.version++;
    for (const lane of lanesOf(a.mask)) {
      const place = placeOf(a.at, lane);
      for (let e = Math.floor(place / this.element); e < (place + a.size) / this.element; e++) {
        if (e < 0 || e >= this.count) continue;
        const page = this.page(e), begin = e * this.element, at = e % PAGE * this.element;
        for (let b = 0; b < this.element; b++) {
          const i = begin + b - place;
          if (i >= 0 && i < a.size && a.values.length > i >> 2)
            page.holds[at + b] = wordOf(a.values[i >> 2], lane) >>> (i % 4 * 8);
        }
        page.writer[e % PAGE] = steps[step].warp * LANES + lane;
        page.wrote[e % PAGE] = step;
        this.change(e);
      }
    }
  }
  /* The number of a struct that a cell is, or is a piece of; undefined: padding. */
  partAt(element) {
    const within = element * this.element % this.record;
    return this.parts.find(([, , size, offset]) => within >= offset && within < offset + size);
  }
  /* null: nobody has set it. */
  valueAt(element) {
    if (!this.known && this.writerOf(element) < 0) return null;
    let low = 0, high = 0;
    if (!this.record) { /* drawn by the thousand */
      const page = this.pages.get(Math.floor(element / PAGE)), size = this.element;
      const at = element % PAGE * size, holds = page ? page.holds : NOTHING;
      for (let i = 0; i < Math.min(4, size); i++) low |= holds[at + i] << 8 * i;
      for (let i = 4; i < size; i++) high |= holds[at + i] << 8 * (i - 4);
      return numberOf(this.encoding, size, low >>> 0, high >>> 0);
    }
    const part = this.partAt(element);
    if (!part) return null;
    const [, encoding, bytes, offset] = part, begin = element * this.element;
    const place = begin - begin % this.record + offset;
    for (let i = 0; i < Math.min(4, bytes); i++) low |= this.byteAt(place + i) << 8 * i;
    for (let i = 4; i < bytes; i++) high |= this.byteAt(place + i) << 8 * (i - 4);
    return numberOf(encoding, bytes, low >>> 0, high >>> 0);
  }
  /* The sides of all but the last dimension. */
  outerSides() {
    return this.sides || (this.flat || this.rows < 2 ? [] : [this.rows]);
  }
  rowName(row) {
    let planes = this.rows, text = '';
    for (const side of this.outerSides()) {
      planes /= side;
      text += `[${Math.floor(row / planes)}]`;
      row %= planes;
    }
    return text;
  }
  nameOf(element) {
    const across = this.record ? this.record / this.element : 1;
    const path = this.record ? (this.partAt(element) || [' (padding)'])[0] : '';
    if (this.flat || this.rows < 2) return `${this.name}[${Math.floor(element / across)}]${path}`;
    const column = Math.floor(element % this.columns / across);
    return `${this.name}${this.rowName(Math.floor(element / this.columns))}[${column}]${path}`;
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
    if (kind === ASYNC_BEGIN || kind === ASYNC_END)
      memories[accesses[a].memory].expect(accesses[a], kind === ASYNC_BEGIN ? step : -1);
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
