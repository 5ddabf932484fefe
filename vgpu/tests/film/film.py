"""film.py: reads films (docs/film-format.md) as the page does, for tests."""

import base64
import bisect
import json
import re
import struct
import sys

LANES = 32


def load(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if path.endswith(".html"):
        text = re.search(r'id="film">\n(.*?)\n</script>', text, re.S).group(1)
    return Film(json.loads(text))


def words_of(row):
    """The 32 words that a row stands for."""
    if isinstance(row, int):
        return (row,) * LANES
    if isinstance(row, str):
        return struct.unpack("<32I", base64.b64decode(row))
    return tuple((row[0] + row[1] * lane) % 2**32 for lane in range(LANES))


def place_of(at, lane):
    if isinstance(at, int):
        return at
    if len(at) == 1:
        return at[0][lane]
    if len(at) == 2:
        return at[0] + at[1] * lane
    return at[0] + at[1] * (lane % at[3]) + at[2] * (lane // at[3])


class Film:
    def __init__(self, data):
        self.data = data
        self.steps = data["steps"]
        self.block = data["block"]
        self.history = {}
        for step, warp, word, row in data["locals"]:
            steps, rows = self.history.setdefault((warp, word), ([], []))
            steps.append(step)
            rows.append(words_of(row))
        self.accesses = {}
        for a in data["accesses"]:
            self.accesses.setdefault(a[0], []).append(a)

    def say(self, i):
        return self.data["texts"][self.steps[i][5]]

    def local_bytes(self, warp, lane, at, size, step):
        """A thread's own memory when its warp comes to the step."""
        out = bytearray()
        for word in range(at // 4, (at + size + 3) // 4):
            steps, rows = self.history.get((warp, word), ([], []))
            at_step = bisect.bisect_right(steps, step) - 1
            out += struct.pack("<I", rows[at_step][lane] if at_step >= 0 else 0xFFFFFFFF)
        return bytes(out[at % 4:at % 4 + size])

    def depth(self, step):
        """How many functions are being run."""
        depth, frame = 0, self.steps[step][4]
        while frame >= 0:
            depth, frame = depth + 1, self.data["frames"][frame][1]
        return depth

    def variables(self, step):
        """Those of the innermost function, by name."""
        frame = self.data["frames"][self.steps[step][4]]
        return {v["name"]: v for v in (self.data["variables"][i] for i in frame[3])}

    def value(self, step, warp, lane, variable):
        _, encoding, size, offset = variable["leaves"][0][:4]
        return self.number(step, warp, lane, encoding, size, variable["at"] + offset)

    def number(self, step, warp, lane, encoding, size, at):
        raw = self.local_bytes(warp, lane, at, size, step)
        if encoding == "float":
            return struct.unpack("<f" if size == 4 else "<d", raw)[0]
        return int.from_bytes(raw, "little", signed=encoding == "signed")


if __name__ == "__main__":
    film = load(sys.argv[1])
    if "--about" in sys.argv:
        d = film.data
        print(f"{d['title']}; block {d['index']} of {d['grid']}, {d['block']} threads")
        print(", ".join(f"{m['name']} {m['rows']} x {m['columns']}" for m in d["memories"]))
        print(" ".join(d["left_out"]))
        for m in d["mistakes"]:
            for s in m["sites"]:
                said = film.say(s["step"]) if s["step"] >= 0 else "not in this film"
                print(f"{m['kind']}, line {s['line']}, thread {s.get('thread')}: {said}")
        why = d.get("product", {}).get("why")
        if why:
            row, column = divmod(why["element"], d["product"]["n"])
            print(f"C[{row}][{column}]: "
                  f"thread {why['thread']}, step {why['step'] + 1}")
            for note in why["notes"]:
                print(f"  step {note['step'] + 1}, line {note['line']}: {note['text']}")
        sys.exit(0)
    if "--moments" in sys.argv:
        for m in film.data["moments"]:
            print(f"{m['title']}\n{m['text']}")
        sys.exit(0)
    if "--source" in sys.argv:
        print(film.data["sources"][0]["text"].replace("\r\n", "\n"), end="")
        sys.exit(0)
    if "--memories" in sys.argv:
        for m in film.data["memories"]:
            parts = " ".join(f"{p[0]} {p[1]} {8 * p[2]}" for p in m.get("parts", []))
            print(f"{m['name']}: {m['bytes']} bytes, {parts or m['encoding']}, cells of "
                  f"{m['element']} bytes, {m['rows']} x {m['columns']}")
        print(*film.data["left_out"], sep="\n")
        sys.exit(0)
    if "--depth" in sys.argv:
        print(max(film.depth(i) for i in range(len(film.steps))))
        sys.exit(0)
    if "--variables" in sys.argv:
        names = [v["name"] + leaf[0].replace("[]", f"{leaf[4:5]}") for v in film.data["variables"]
                 if v["space"] == "local" for leaf in v["leaves"]]
        print(*dict.fromkeys(names))
        sys.exit(0)
    if "--counted" in sys.argv:
        with open(sys.argv[3], encoding="utf-8") as f:
            launch = json.load(f)["launches"][0]
        same = {k: v for k, v in launch["counters"].items() if v}
        print_wrong = film.data["counted"]["totals"] != same
        if print_wrong:
            print("film:", film.data["counted"]["totals"], "report:", same)
        sys.exit(print_wrong)
    for number, s in enumerate(film.steps):
        print(number + 1, s[0], s[2], film.say(number))
    for m in film.data["mistakes"] if "--mistakes" in sys.argv else []:
        sites = [f"line {s['line']} in step {s['step'] + 1}" for s in m["sites"]]
        print(f"mistake: {m['kind']}: {', '.join(sites)}")
