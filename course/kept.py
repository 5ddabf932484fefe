"""kept.py: where a handout goes on to speak of the kit's own product, in a course with another one.

In a term's course excerpts, listings and tables of a handout are that term's: they are made from
its files. What is written by hand is not. This says in which sections such things stand, so that
the handout can say so on top. It judges by the form of the text, and changes nothing.
"""
import re

HEADING = re.compile(r"^(#{2,3}) (?:<a id=\"([^\"]+)\"></a>)?(.*)$")
# What is made from files, and what programs printed, between two comments.
MADE = re.compile(r"<!-- (?:excerpt|listing|points|question) ")
PRINTED = re.compile(r"<!-- transcript (\S+)|^```console$")
END = "<!-- end -->"
FORMULA = re.compile(r"`[^`]*\b[ABC] ?\[[^`]*`|^```math$|\b[ABC] ?\[ ?[a-z0-9?][^]]*\]")
# Sections that are about something else.
ASIDE = ("Goals", "Sources", "How it is graded", "Going further")


def slug(heading):
    """The anchor that a page has for a heading without one."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).strip().replace(" ", "-")


def sections(text):
    """[(heading, anchor, its lines)]; what stands before the first heading is left out."""
    found = []
    for line in text.split("\n"):
        match = HEADING.match(line)
        if match:
            heading = match[3].strip()
            found.append((heading, match[2] or slug(heading), []))
        elif found:
            found[-1][2].append(line)
    return found


def kinds(heading, lines, numbers, left, kits):
    """What of the kit's own stands in a section, in words. `numbers`: those that are others this
    term. `left`: the transcripts that are not made anew. `kits`: the lines of the kit's handout;
    others are this term's own."""
    found, made = set(), False
    for line in lines:
        if MADE.search(line):
            made = True
        elif line == END:
            made = False
        elif made:
            continue
        elif printed := PRINTED.search(line):
            if not printed[1] or printed[1] in left:
                found.add("what programs print")
            made = printed[1] is not None
        elif line.startswith("!["):
            found.add("figures")
        elif line in kits:
            if FORMULA.search(line):
                found.add("formulas")
            if any(re.search(rf"(?<![\d,.]){n}(?![\d,.]*\d)", line) for n in numbers):
                found.add("numbers")
    if heading.startswith("By hand"):
        found.add("the example")
    return sorted(found)


def kept(text, numbers, left, kits):
    """Of each such section a link and, in brackets, what it has of the kit's own."""
    for heading, anchor, lines in sections(text):
        has = kinds(heading, lines, numbers, left, kits) if heading not in ASIDE else []
        if has:
            yield f"[{heading}](#{anchor}) ({', '.join(has)})"
