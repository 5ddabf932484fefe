"""Each format's file as its consumer reads it.

Every reader takes a file's bytes and returns a Reading: the grade as a fraction of full marks (None:
the platform gets no grade), and the entries it saw. A reader raises Refused where the platform would
reject the file. The rules are restated from the platforms' public documentation and code.
"""
import collections
import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree

Reading = collections.namedtuple("Reading", "grade entries")


class Refused(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Refused(what)


def no_terminal_codes(text):
    need(not re.search("[\x00-\x08\x0b-\x1f\x7f]", text.replace("\r\n", "\n")), "control characters")


def gradescope(data):
    o = json.loads(data)
    visibilities = {"hidden", "after_due_date", "after_published", "visible"}
    formats = {"text", "html", "simple_format", "md", "ansi"}
    need(set(o) <= {"score", "execution_time", "output", "output_format", "test_output_format",
                    "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests",
                    "leaderboard"}, "unknown member")
    need(o.get("stdout_visibility") == "hidden", "a student sees standard output")
    need(o["visibility"] in visibilities and o["output_format"] == "text", "formats")
    entries = {}
    for t in o["tests"]:
        need(set(t) <= {"score", "max_score", "status", "name", "name_format", "number", "output",
                        "output_format", "tags", "visibility", "extra_data"}, "unknown member")
        need(t["visibility"] in visibilities, "visibility")
        need(t.get("output_format", "text") == "text" and "text" in formats, "rendered text")
        need(("score" in t) == ("max_score" in t), "score without max_score")
        need(t.get("status", "passed") in {"passed", "failed"}, "status")
        no_terminal_codes(t.get("output", ""))
        entries[t["name"].split(":")[0]] = (t.get("score"), t["visibility"], t.get("output", ""))
    if "score" not in o:
        need(not o["tests"], "tests without scores")
        return Reading(None, entries)
    need(isinstance(o["score"], (int, float)), "score")
    return Reading(o["score"] / 100, entries)


def prairielearn(data):
    need(len(data) <= 1_000_000, "more than 1 MB")
    o = json.loads(data)
    entries = {}
    if o.get("gradable", True) is False:
        need(isinstance(o.get("format_errors", []), (list, str)), "format_errors")
        return Reading(None, entries)
    need(isinstance(o.get("score"), (int, float)) and 0 <= o["score"] <= 1, "score")
    with_points = [("points" in t) + ("max_points" in t) for t in o.get("tests", [])]
    need(set(with_points) in ({0}, {2}, set()), "points on all tests or none")
    for t in o["tests"]:
        need(isinstance(t["name"], str), "name")
        no_terminal_codes(t.get("output", ""))
        entries[t["name"].split(",")[0]] = (t["points"], None, t.get("output", ""))
    return Reading(o["score"], entries)


def autolab(data, problems=(("cases", 55), ("checks", 45))):
    text = data.decode()
    no_terminal_codes(text)
    last = text.rstrip().splitlines()[-1]
    # Autolab quotes bare keys like this, inside strings as well.
    parsed = json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last))
    need("scores" in parsed and parsed["scores"], "empty autoresult")
    full = dict(problems)
    need(set(parsed["scores"]) <= set(full), "a problem that the assessment lacks")
    entries = {}
    for line in text.splitlines()[:-1]:
        if line.startswith('{"_presentation"'):
            o = json.loads(line)
            need(json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', line)) == o, "words before ':'")
            for stage in o["stages"]:
                for name, test in o[stage].items():
                    need(isinstance(test["passed"], bool), "passed")
                    entries[name] = (test["passed"], None, test.get("hint", ""))
    scores = parsed["scores"].values()
    if all(s is None for s in scores):
        return Reading(None, entries)
    return Reading(sum(s for s in scores if s is not None) /
                   sum(full[p] for p, s in parsed["scores"].items() if s is not None), entries)


def vpl(data, low=0.0, high=100.0):
    text = data.decode()
    no_terminal_codes(text)
    grade = None
    comment, inside = [], False
    for line in text.split("\n"):
        if line.startswith("Grade :=>>"):
            grade = line[len("Grade :=>>"):].strip()
        stripped = line.rstrip()
        if inside:
            if stripped.strip() == "--|>":
                inside = False
            else:
                comment.append(stripped)
        elif stripped.startswith("Comment :=>>"):
            comment.append(stripped[len("Comment :=>>"):])
        elif stripped.strip() == "<|--":
            inside = True
        else:
            need(stripped == "" or stripped.startswith("Grade :=>>"), "text outside of comments")
    need(not inside, "a block without an end")
    entries, title = {}, None
    for line in comment:
        if line.startswith("-"):
            title = line[1:].split(",")[0]
            entries[title] = (None, None, "")
            need(not re.search(r"\([ \t]*-[0-9]*\.?[0-9]+[ \t]*\)[ \t]*$", line), "a title takes points")
        else:
            need(line.startswith(">"), "student text that is not preformatted")
            entries[title] = (None, None, entries[title][2] + line[1:] + "\n")
    entries.pop("Result", None)
    return Reading(None if grade is None else (float(grade) - low) / (high - low), entries)


def classroom50(data):
    o = json.loads(data)
    need(o["schema"] == "classroom50/result/v1", "schema")
    for key in ("classroom", "assignment", "owner", "submission", "commit", "release", "review"):
        need(isinstance(o[key], str) and o[key], key)
    need(o["assignment_type"] in ("individual", "group"), "assignment_type")
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", o["datetime"]), "datetime")
    if "score" not in o:
        return Reading(None, {})  # the runner refuses it: the grade that was there stays
    need(type(o["score"]) is int and type(o["max-score"]) is int, "integers")
    entries = {}
    for t in o["tests"]:
        need(set(t) == {"test-name", "passed", "score", "max-score"}, "members of a test")
        need(isinstance(t["passed"], bool) and type(t["score"]) is int, "types")
        entries[t["test-name"]] = (t["score"], None, "")
    need(sum(t["score"] for t in o["tests"]) == o["score"], "sum")
    need(sum(t["max-score"] for t in o["tests"]) == o["max-score"], "sum of maxima")
    return Reading(o["score"] / o["max-score"], entries)


def junit(data):
    need(len(data) < 30_000_000, "30 MB")
    root = ElementTree.fromstring(data)
    need(root.tag == "testsuites" and not list(root.iter("properties")), "shape")
    suite, = root.findall("testsuite")
    float(root.get("time")), float(suite.get("time"))
    entries, points, possible, error = {}, 0, 0, False
    cases = suite.findall("testcase")
    need(len(cases) == int(suite.get("tests")), "number of tests")
    need(len({c.get("name") for c in cases}) == len(cases), "duplicate names are dropped")
    for c in cases:
        need(c.get("classname") and c.get("name"), "names")
        bad = [e for e in c if e.tag in ("failure", "error", "skipped")]
        need(len(bad) <= 1, "more than one outcome")
        error = error or any(e.tag == "error" for e in bad)
        text = "".join(e.text or "" for e in bad)
        no_terminal_codes(text)
        if c.get("name") == "grade":
            continue
        got, full = re.search(r"(\d+) of (\d+) points", c.find("system-out").text).groups()
        if not any(e.tag == "skipped" for e in bad):
            points, possible = points + int(got), possible + int(full)
        entries[c.get("name")] = (int(got), None, text)
    need(int(suite.get("failures")) == sum(c.find("failure") is not None for c in cases), "failures")
    return Reading(None if error else points / possible, entries)


def tap(data):
    lines = data.decode().split("\n")
    no_terminal_codes(data.decode())
    need(lines[0] == "TAP version 14", "version")
    plan = [l for l in lines if re.fullmatch(r"1\.\.\d+", l)]
    need(len(plan) == 1, "one plan")
    entries, points, possible, bail, current = {}, 0, 0, False, None
    yaml, block, number = False, False, 0
    for line in lines[1:]:
        if yaml:
            # A block scalar lasts as long as its lines are indented deeper than its key.
            if block and (line.startswith("    ") or line == ""):
                entries[current] = entries[current][:2] + (entries[current][2] + line[4:] + "\n",)
                continue
            block = False
            need(line.startswith("  "), "a YAML block without an end")
            if line == "  ...":
                yaml = False
            elif line.startswith("  points: "):
                got = int(line.split(":")[1])
            elif line.startswith("  points_possible: "):
                if "SKIP" not in directive:
                    points, possible = points + got, possible + int(line.split(":")[1])
            block = line.endswith(": |")
        elif line == "  ---":
            yaml = True
        elif m := re.fullmatch(r"(not )?ok (\d+) - (.*?)(?<!\\)( #.*)?", line):
            number += 1
            need(int(m[2]) == number, "numbers in order")
            current, directive = m[3].split(",")[0], m[4] or ""
            entries[current] = (None, None, "")
        elif line.startswith("Bail out!"):
            bail = True
        else:
            need(line == "" or line.startswith("#") or line in plan, "a line of no kind: " + line)
    need(bail or number == int(plan[0][3:]), "as many tests as planned")
    return Reading(None if bail else points / possible, entries)


def gradebook_csv(data):
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    entries, total = {}, None
    for r in rows:
        need(None not in r and None not in r.values(), "a row with other columns")
        for value in r.values():
            need(not value or value[0] not in "=+-@\t\r", "a formula")
        if r["kind"] == "total":
            need(total is None, "two totals")
            total = r
        else:
            entries[r["entry"]] = (r["points"], r["hidden"], r["message"])
    need(rows[-1] is total, "the total comes last")
    return Reading(int(total["points"]) / int(total["points_possible"]) if total["points"] else None,
                   entries)


def plain_json(data):
    o = json.loads(data)
    entries = {c["name"]: (c["points"], None, "") for c in o["cases"] + o["checks"]}
    return Reading(None if o["status"] == "not_graded" else o["points"] / o["points_possible"], entries)


READERS = {
    "json": plain_json, "gradescope": gradescope, "prairielearn": prairielearn, "autolab": autolab,
    "vpl": vpl, "classroom50": classroom50, "junit": junit, "tap": tap, "csv": gradebook_csv,
}
