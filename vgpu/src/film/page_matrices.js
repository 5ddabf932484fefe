/*
 * page_matrices.js: matrix instructions: which lane holds which element in which register.
 */

const SIDES = ['a', 'b', 'c', 'd'];
const matricesAt = new Map(film.matrices.map((m) => [m[0], m]));

/* Elements that a register holds. */
const packed = (operand) => operand.places.length / operand.registers / LANES;
/* An element's value, from a register's bits. */
function matrixValue(type, bits, e, high) {
  if (type === 'half') return numberOf('half', 2, bits >>> 16 * e, 0);
  if (type === 'bfloat16') return numberOf('bfloat16', 2, bits >>> 16 * e, 0);
  if (type === 'double') return numberOf('float', 8, bits, high);
  if (type === 'int') return bits | 0;
  if (type === 'signed char') return bits >>> 8 * e << 24 >> 24;
  if (type === 'unsigned char') return bits >>> 8 * e & 255;
  return numberOf('float', 4, type === 'tf32' ? (bits & ~0x1fff) >>> 0 : bits, 0);
}

/* {lane, register, value} of each element, by row and column. */
function heldBy(operand, rows, registers) {
  const cells = new Map(), p = packed(operand);
  operand.places.forEach(([r, c], i) => {
    const register = Math.floor(i / p / LANES), lane = Math.floor(i / p) % LANES, e = i % p;
    if (!cells.has(r * 64 + c))
      cells.set(r * 64 + c, {
        lane,
        register,
        e,
        value: matrixValue(operand.type, wordOf(registers[register], lane), e, 0)
      });
  });
  return cells;
}

/* One operand: a cell for each element, with the lane that holds it; the chosen thread's stand
 * out. */
function drawOperand(canvas, name, rows, columns, cells, lane) {
  const size = Math.max(14, Math.min(24, Math.floor(canvas.parentElement.clientWidth / 34)));
  const c = pen(canvas, columns * size + 1, rows * size + 1);
  c.font = `${size * 0.5}px ui-monospace, monospace`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  for (let r = 0; r < rows; r++) {
    for (let k = 0; k < columns; k++) {
      const cell = cells.get(r * 64 + k);
      if (!cell) continue;
      const mine = cell.lane === lane;
      c.globalAlpha = mine ? 1 : 0.25 + 0.35 * (cell.register % 2);
      c.fillStyle = mine ? colours.now : colours.value;
      c.fillRect(k * size, r * size, size - 1, size - 1);
      c.globalAlpha = 1;
      c.fillStyle = mine ? colours.paper : colours.ink;
      c.fillText(String(cell.lane), (k + 0.5) * size, (r + 0.5) * size);
    }
  }
  canvas.setAttribute('aria-label', `${name}, ${rows} x ${columns}: which lane holds each element`);
}

function drawMatrices(index) {
  const box = $('matrices'), m = matricesAt.get(index);
  box.hidden = !m;
  if (!m) return;
  const [, number, times, ...registers] = m, shape = film.shapes[number], lane = thread % LANES;
  const sides = [
    ['A', shape.m, shape.k], ['B', shape.k, shape.n], ['C', shape.m, shape.n],
    ['D', shape.m, shape.n]
  ];
  $('matrices-title').textContent = `Matrix instruction, ${shape.m} x ${shape.n} x ${shape.k}` +
      (times > 1 ? `, the first of ${times} in this line` : '');
  const mine = [];
  SIDES.forEach((side, i) => {
    const operand = shape[side], [name, rows, columns] = sides[i];
    const cells = heldBy(operand, rows, registers[i]), list = [];
    if (i < 3) drawOperand($(`matrix-${side}`), name, rows, columns, cells, lane);
    for (const [place, cell] of cells)
      if (cell.lane === lane)
        list.push([cell.register, cell.e, `${side}${cell.register}: ${name}[${
          Math.floor(place / 64)}][${place % 64}] = ${textOf(cell.value)}`]);
    list.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    mine.push(list.map((l) => l[2]).join(', '));
  });
  $('matrices-mine').textContent = '';
  $('matrices-mine').append(
      ...mine.map((text, i) => element('li', `${i === 3 ? 'Afterwards ' : ''}${text}`)));
  $('matrices-lane').textContent = `Numbers are lanes. Lane ${lane} holds, in its registers:`;
}
