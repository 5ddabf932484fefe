"""packed.py: results of a GPU in few lines, and back to what ptxrun prints.

ptxrun prints every argument of a call, eight values a line:

    arg 0: b32[96]
    0x00000000 0x00000001 ...

Arguments that are only read are printed as they were given: they follow from the test's `// run:`
lines. Packed are the others: a line `= KERNEL ARGUMENT` begins each, and then come its values, without
0x and leading zeros. What repeats is written once: `3*(1 ff)` is 1 ff 1 ff 1 ff. Lines have at most 100
columns, and may break at every blank.

    = atom_add_u32 1
    12*(0 1) 12*(7 8) ffffffff 0
"""
import re

COLUMNS = 100
LONGEST = 8 # values that repeat together


def calls(test):
    """Kernel and arguments of each call: (kernel, [(type, count, values or None)])."""
    for line in test.splitlines():
        if not line.startswith("// run: "):
            continue
        words = line.split()[2:]
        kernel, args, k = None, [], 0
        while k < len(words):
            if words[k].startswith("--"):
                if words[k] == "--kernel":
                    kernel = words[k + 1]
                k += 2
                continue
            m = re.match(r"([a-z]+\d+)\[(\d+)\](?:=(.*))?$", words[k])
            args.append((m.group(1), int(m.group(2)), m.group(3).split(",") if m.group(3) else None))
            k += 1
        yield kernel, args


def repeats(values):
    """Words for values, what repeats written once."""
    words, i, n = [], 0, len(values)
    while i < n:
        best = (0, 1, 1) # values saved, period, times
        for period in range(1, min(LONGEST, (n - i) // 2) + 1):
            times = 1
            while values[i + times * period:i + (times + 1) * period] == values[i:i + period]:
                times += 1
            saved = (times - 1) * period
            if times > 1 and saved > best[0] + 1:
                best = (saved, period, times)
        _, period, times = best
        group = values[i:i + period]
        words.append(group[0] if times == 1 else "%d*%s" % (times, group[0] if period == 1 else "(" + " ".join(group) + ")"))
        i += period * times
    return words


def lines(words):
    line = ""
    for word in " ".join(words).split(" "):
        if line and len(line) + 1 + len(word) > COLUMNS:
            yield line
            line = word
        else:
            line += (" " if line else "") + word
    if line:
        yield line


def pack(test, printed):
    """Of what ptxrun printed: what does not follow from the test."""
    rows, out = iter(printed.split("\n")[:-1]), []
    for kernel, args in calls(test):
        for k, (kind, count, _) in enumerate(args):
            head, values = next(rows), []
            assert head == "arg %d: %s[%d]" % (k, kind, count), head
            while len(values) < count:
                values += next(rows).split()
            if args[k][2] is None or values != given(args[k]):
                out.append("= %s %d" % (kernel, k))
                short = [format(int(v, 16), "x") if v.startswith("0x") else v for v in values]
                out += lines(repeats(short))
    assert next(rows, None) is None
    return "\n".join(out) + "\n"


def given(arg):
    """The values of an argument as ptxrun prints them."""
    kind, count, values = arg
    if len(values) < count:
        values = values + [values[-1]] * (count - len(values)) # the rest repeats the last
    return [shown(kind, v) for v in values]


def shown(kind, value):
    if kind[0] != "b":
        return value
    return "0x%0*x" % (int(kind[1:]) // 4, int(value, 16) if not value.startswith("0x") else int(value, 0))


def values_of(text):
    values = []
    for times, group, word in re.findall(r"(?:(\d+)\*)?(?:\(([^)]*)\)|([^\s()]+))", text):
        values += int(times or 1) * (group.split() if group else [word])
    return values


def unpack(test, packed):
    """What ptxrun prints, from the test and what pack made."""
    kept = {}
    for part in re.split(r"^= ", packed, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        kernel, k = head.split()
        kept.setdefault((kernel, int(k)), []).append(values_of(body))
    out = []
    for kernel, args in calls(test):
        for k, (kind, count, values) in enumerate(args):
            stored = kept.get((kernel, k))
            if stored:
                shown_values = [shown(kind, "0x" + v) if kind[0] == "b" else v for v in stored.pop(0)]
            else:
                shown_values = given((kind, count, values))
            out.append("arg %d: %s[%d]" % (k, kind, count))
            out += [" ".join(shown_values[i:i + 8]) for i in range(0, len(shown_values), 8)]
    return "\n".join(out) + "\n"
