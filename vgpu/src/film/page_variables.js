/*
 * page_variables.js: the chosen thread's variables, by name, before and after this line.
 */

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
/* A variable's value before the line, where it changes, and after it. */
function fillValue(td, before, after) {
  const old = textOf(before), now = textOf(after), key = old === now ? now : `${old} ${now}`;
  if (td.shows === key) return;
  td.shows = key;
  if (old === now) {
    td.textContent = now;
    return;
  }
  td.replaceChildren( /* the words are for those who hear the page */
      element('span', 'was ', 'unseen'), element('s', old), element('span', ', becomes', 'unseen'),
      document.createTextNode(' '), element('span', now, 'new'));
}
/* The functions that are being run, innermost first. */
function callsAt(step) {
  const chain = [];
  for (let f = steps[step].frame, line = steps[step].line; f >= 0;) {
    const [func, up, upline, vars] = film.frames[f];
    chain.push({name: func >= 0 ? film.functions[func].name : '?', line, vars});
    line = upline;
    f = up;
  }
  return chain;
}
/* The table stays as it is while the functions are the same; `slots` are its values. */
let tabled = null, slots = [];
function buildVariables(chain) {
  const table = $('variables').tBodies[0];
  table.textContent = '';
  slots = [];
  chain.forEach((f, depth) => {
    if (depth > 0) row(table, `in ${f.name}`, [], 'outer');
    for (const v of f.vars.map((i) => film.variables[i])) {
      if (v.space !== 'local') continue;
      v.parts.slice(0, 64).forEach((p) => {
        const td = element('td');
        slots.push({td, p, place: v.at + p.offset});
        row(table, v.name + p.path, [td, element('td', p.path === '' ? v.type : '', 'type')]);
      });
      if (v.parts.length > 64)
        row(table, v.name, [element('td', `and ${v.parts.length - 64} more`)]);
    }
  });
}
function drawVariables() {
  const warp = Math.floor(thread / LANES), lane = thread % LANES,
        step = at[position * warps + warp], frame = step < 0 ? -1 : steps[step].frame;
  say('thread-title', `Thread ${threadName(thread)}, lane ${lane} of warp ${warp}`);
  const chain = step < 0 ? [] : callsAt(step);
  say('stack', step < 0 ? 'has not begun' :
                          chain.map((f) => `${f.name}, line ${f.line}`).join(' called by '));
  if (frame !== tabled) buildVariables(chain);
  tabled = frame;
  if (step < 0) return;
  const after = has(steps[step].mask, lane) && nextOf[step] >= 0 ? nextOf[step] : step;
  for (const {td, p, place} of slots)
    fillValue(
        td, localNumber(warp, lane, p.encoding, p.size, place, step),
        localNumber(warp, lane, p.encoding, p.size, place, after));
}
