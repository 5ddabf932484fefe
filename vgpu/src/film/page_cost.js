/*
 * page_cost.js: what a line's accesses cost: lanes onto sectors, lanes onto banks, and what the
 * graded build counted at the line.
 */

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
    const text = m.shared ? drawBanks(part.children[1], a, rooms.costs) :
                            drawSectors(part.children[1], a, m, rooms.costs);
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
  c.strokeStyle = a.kind === READ ? colours.read : colours.write;
  c.beginPath();
  for (const l of lanesOf(a.mask)) {
    const place = placeOf(a.at, l), box = where.get(Math.floor(place / 32));
    c.moveTo((l + 0.5) * lane, 12);
    c.lineTo(box.x + ((place % 32 + 32) % 32 + a.size / 2) / 32 * (each - 4), box.y);
  }
  c.stroke();
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
  c.strokeStyle = a.kind === READ ? colours.read : colours.write;
  c.globalAlpha = 0.5;
  c.beginPath();
  for (const l of lanesOf(a.mask)) {
    for (let k = 0; k < words; k++) {
      const word = Math.floor(placeOf(a.at, l) / 4) + k, bank = (word % 32 + 32) % 32;
      if (!banks.has(bank)) banks.set(bank, new Set());
      banks.get(bank).add(word);
      c.moveTo((l + 0.5) * lane, 12);
      c.lineTo((bank + 0.5) * lane, 46);
    }
  }
  c.stroke();
  c.globalAlpha = 1;
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
  if (a.units === 0) return `${lanes} lanes, served together with those above.`;
  const passes = `${a.units} pass${a.units === 1 ? '' : 'es'} over the 32 banks`;
  if (a.conflicts > 0)
    return `${lanes} lanes: ${passes}, ${a.conflicts} more than without bank conflicts.`;
  if (places < lanes)
    return `${lanes} lanes, ${places} different place${places === 1 ? '' : 's'}: ${
        passes}; lanes that want the same word share it for free.`;
  return `${lanes} lanes: ${passes}, no two lanes collide.`;
}

/*
 * Lines whose accesses cost more than they must: sectors beyond those that the bytes would fill, or
 * passes that bank conflicts add. Of global and of shared memory the two that waste most.
 */
function dearLines() {
  const found = new Map();
  for (const a of accesses) {
    const step = steps[a.step], m = memories[a.memory];
    if (a.kind === ASYNC_END || step.warp < 0) continue;
    const key = `${step.file}:${step.line}:${a.memory}:${a.kind}`;
    const used = new Set(lanesOf(a.mask).map((l) => placeOf(a.at, l))).size * a.size;
    const needs = m.shared ? a.units - a.conflicts : Math.max(1, Math.ceil(used / 32));
    const line = found.get(key) || {step: a.step, a, m, line: step.line, units: 0, needs: 0};
    line.units += a.units;
    line.needs += needs;
    found.set(key, line);
  }
  const dear = [...found.values()]
                   .filter((l) => l.units > l.needs && l.units >= 2 * l.needs)
                   .sort((x, y) => y.units - y.needs - (x.units - x.needs));
  return [false, true].flatMap((shared) => dear.filter((l) => l.m.shared === shared).slice(0, 2));
}
const dearSites = [];
function buildDear() {
  const list = dearLines();
  $('dear').hidden = list.length === 0;
  for (const l of list) {
    const box = element('div', undefined, 'dear');
    const what = l.m.shared ? 'passes over the banks' : 'sectors';
    const verb = l.a.kind === READ ? 'Reads' : 'Writes';
    box.append(element(
        'p', `${verb} of ${l.m.name} in line ${l.line} take ${l.units.toLocaleString('en')} ${
                 what} in this film; ${l.needs.toLocaleString('en')} would do.`));
    const words = box.firstChild, first = lanesOf(l.a.mask)[0];
    const site = {step: l.step, thread: sidesOf(steps[l.step].warp * LANES + first)};
    words.id = `dear-${dearSites.length}`;
    dearSites.push(site);
    box.append(stepButton(site, `Step ${l.step + 1}`, words));
    $('dear-list').append(box);
  }
}

/* What was counted at the line, in the graded build. */
const countedAt = new Map();
const labels = {
  /* one of it, and several */
  global_load_requests: ['global load request', 'global load requests'],
  global_load_sectors: ['sector loaded', 'sectors loaded'],
  global_store_requests: ['global store request', 'global store requests'],
  global_store_sectors: ['sector stored', 'sectors stored'],
  shared_load_requests: ['shared load request', 'shared load requests'],
  shared_load_conflicts: ['extra pass of shared loads', 'extra passes of shared loads'],
  shared_store_requests: ['shared store request', 'shared store requests'],
  shared_store_conflicts: ['extra pass of shared stores', 'extra passes of shared stores'],
  barriers: ['barrier passed by warps', 'barriers passed by warps'],
  fma: ['multiply-add', 'multiply-adds']
};
const requests = [
  'global_load_requests', 'global_store_requests', 'shared_load_requests', 'shared_store_requests'
];
if (film.counted) {
  for (const l of film.counted.lines) countedAt.set(l.file + ':' + l.line, l.counts);
  for (const name of Object.keys(film.counted.totals)) {
    row($('totals').tBodies[0], labels[name] ? labels[name][1] : name.replaceAll('_', ' '),
        [element('td', film.counted.totals[name].toLocaleString('en'))]);
  }
} else {
  $('totals-box').hidden = true;
}
function drawCounts(step, current) {
  if (!film.counted || step.warp < 0) {
    say('counts', '');
    return;
  }
  const source = film.sources.find((s) => s.file === step.file),
        counts = countedAt.get((source ? source.name : '') + ':' + step.line) || {};
  const parts = Object.keys(labels)
                    .filter((k) => counts[k])
                    .map((k) => `${counts[k].toLocaleString('en')} ${
                             labels[k][counts[k] === 1 ? 0 : 1]}`);
  const memory = requests.some((k) => counts[k]);
  let text = parts.length ? `Counted at line ${step.line}, whole launch: ${parts.join(', ')}.` :
                            `Counted at line ${step.line}: nothing.`;
  if (current.length > 0 && !memory)
    text +=
        ' The optimised build makes this access at another line, or keeps the value in a register.';
  say('counts', text);
}
