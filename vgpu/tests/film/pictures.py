"""pictures.py PAGE...: are a page's pictures without scripts true? Each is held against what the
page's film says of the same step, worked out anew: the state of every thread, what every cell is,
the lanes, sectors and banks of every access. Names in captions are text."""

import html
import re
import sys

import film as films

LANES = 32
CELLS = ["poison", "tile", "value", "coming", "read", "write", "bad"]


def rectangles(svg, skip=()):
    """x, y and class of every unit square of a grid."""
    squares = {}
    for name, path in re.findall(r'<path class="([a-z ]+)" d="([^"]*)"/>', svg):
        if name in skip or name.endswith("line"):
            continue
        for x, y, width, height in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", path):
            for row in range(int(y), int(y) + int(height)):
                for column in range(int(x), int(x) + int(width)):
                    assert (column, row) not in squares, "two rectangles at one place"
                    squares[column, row] = name
    return squares


def figures(item):
    """Caption and picture of each figure of a moment."""
    for svg, caption in re.findall(r"<figure><svg(.*?)</svg><figcaption>(.*?)</figcaption>", item):
        yield html.unescape(re.sub(r"<svg.*?</svg>", "", caption)), svg


def states(film, step):
    """What each thread does, once the step has been carried out."""
    x, y, z = film.block
    phases, phase = [], 0
    for s in film.steps[:step + 1]:
        phase += s[0] < 0
        phases.append(phase)
    last, out = {}, []
    for i in range(step + 1):
        if film.steps[i][0] >= 0:
            last[film.steps[i][0]] = i
    for t in range(x * y * z):
        warp, lane = divmod(t, LANES)
        if warp not in last:
            out.append("none")
            continue
        at = last[warp]
        stops = [(p[3], phases[p[0]]) for p in film.data["pauses"]
                 if p[1] == warp and p[0] <= at and p[2] >> lane & 1]
        if any(p[0] == at and p[3] == "fault" and p[1] == warp and p[2] >> lane & 1
               for p in film.data["pauses"]):
            out.append("bad")
        elif any(why == "end" for why, _ in stops):
            out.append("end")
        elif phases[at] == phases[step] and any(
                why == "barrier" and p == phases[step] for why, p in stops):
            out.append("wait")
        elif not film.steps[at][3] >> lane & 1:
            out.append("part")
        else:
            out.append("now" if at == step else "run")
    return out


def places(access):
    """Lane and place of each lane that has a part in it."""
    return [(lane, films.place_of(access[5], lane)) for lane in range(LANES)
            if access[4] >> lane & 1]


def elements(memory, access):
    for _, at in places(access):
        if at >= 0 and at + access[3] <= memory["bytes"]:
            for e in range(at // memory["element"],
                           (at + access[3] - 1) // memory["element"] + 1):
                if e < memory["bytes"] // memory["element"]:
                    yield e


def cells(film, which, step):
    """What each cell is in the step; None: the memory has no part in it."""
    memory = film.data["memories"][which]
    count = memory["bytes"] // memory["element"]
    begin = max([i for i in range(step + 1) if film.steps[i][0] < 0], default=0)
    end = min([i for i in range(step + 1, len(film.steps)) if film.steps[i][0] < 0],
              default=len(film.steps))
    out, used = ["poison"] * count, False
    for a in film.data["accesses"]:
        if a[2] == which and begin <= a[0] < end:
            used = True
            for e in elements(memory, a) if not memory["shared"] else ():
                out[e] = "tile"
    if not used and not memory["shared"]:
        return None
    for a in film.data["accesses"]:
        if a[2] != which or a[0] > step:
            continue
        for e in list(elements(memory, a)):
            now = a[0] == step
            if a[1] == 0 and now:
                unset = memory["shared"] and out[e] in ("poison", "coming", "bad")
                out[e] = "bad" if unset else "read"
            elif a[1] == 3:
                out[e] = "coming"
            elif a[1] != 0:
                out[e] = "write" if now else "value"
    return out


def check_cost(film, access, caption, svg):
    memory = film.data["memories"][access[2]]
    used = {at + b for _, at in places(access) for b in range(access[3])}
    lanes = {int(x) // 10: name for name, path in
             re.findall(r'<path class="([a-z]+)" d="([^"]*)"/>', svg)
             for x, y in re.findall(r"M(\d+) (\d+)h", path) if y == "0"}
    mine = "read" if access[1] == 0 else "write"
    outside = [i for i, at in places(access) if not 0 <= at <= memory["bytes"] - access[3]]
    want = {i: ("bad" if i in outside else mine) if access[4] >> i & 1 else "none"
            for i in range(LANES)}
    assert lanes == want, "lanes"
    told = re.search(r" (\d+) of them outside ", caption)
    assert int(told.group(1) if told else 0) == len(outside), caption
    assert memory["name"] in caption, caption
    if not memory["shared"]:
        sectors = {b // 32 for b in used}
        assert f"{access[6]} sector" in caption and len(sectors) == access[6], caption
        assert f"{len(used)} bytes used, {32 * len(sectors) - len(used)} moved" in caption, caption
        boxes = {}
        for name, path in re.findall(r'<path class="([a-z]+)" d="([^"]*)"/>', svg):
            for y in re.findall(r"M\d+ (\d+)h", path):
                boxes[name] = boxes.get(name, 0) + (int(y) > 0)
        assert boxes.get(mine) == len({b // 4 for b in used}), (boxes, caption)
        return
    banks = {}
    for b in used:
        banks.setdefault(b // 4 % LANES, set()).add(b // 4)
    numbers = {int(x) // 10: int(n) for x, n in
               re.findall(r'<text x="(\d+)" y="\d+">(\d+)</text>', svg)}
    assert numbers == {b: len(w) for b, w in banks.items() if len(w) > 1}, (numbers, caption)
    assert access[6] == 0 or f"{access[6]} pass" in caption, caption


def check_moment(film, step, item):
    shown = list(figures(item))
    assert shown[0][0].startswith("Threads: "), shown[0][0]
    x, y, z = film.block
    columns = LANES if y * z == 1 and x > LANES else x
    want = {(t % columns, t // columns): name for t, name in enumerate(states(film, step))}
    assert rectangles(shown[0][1], ("grid",)) == want, f"threads at step {step + 1}"
    accesses = film.accesses.get(step, [])[:2]
    for access, (caption, svg) in zip(accesses, shown[1:]):
        check_cost(film, access, caption, svg)
    rest, checked = shown[1 + len(accesses):], 0
    for which, memory in enumerate(film.data["memories"]):
        now = cells(film, which, step)
        if now is None or not now or checked == len(rest):
            continue
        caption, svg = rest[checked]
        checked += 1
        assert caption.startswith(memory["name"]), (caption, memory["name"])
        if ", rows " in caption:
            continue
        columns = memory["columns"]
        if not columns or (memory["rows"] < 2 and columns > LANES):
            columns = min(LANES, len(now))
        want = {(e % columns, e // columns): name for e, name in enumerate(now)}
        assert rectangles(svg, ("grid",)) == want, f"{memory['name']} at step {step + 1}"
    assert checked == len(rest), "more pictures than memories"
    return len(shown)


def main():
    drawn = 0
    for path in sys.argv[1:]:
        film = films.load(path)
        with open(path, encoding="utf-8") as f:
            strip = re.search(r"<ol>\n(.*?)\n</ol>|<ol>\n(.*?)</ol>", f.read(), re.S).group(0)
        items = re.findall(r"<li>(.*?)</li>", strip, re.S)
        moments = film.data["moments"]
        assert len(items) == len(moments) > 0, f"{len(items)} moments of {len(moments)}"
        for moment, item in zip(moments, items):
            try:
                drawn += check_moment(film, moment["step"], item)
            except AssertionError as wrong:
                sys.exit(f"{path}: {moment['title']}: {wrong}")
    print(f"{drawn} pictures")


main()
