"""Each format's file as its consumer reads it.

Every reader takes a file's bytes and returns a Reading: the grade as a fraction of full marks (None:
the platform gets no grade), and the entries it saw. A reader raises Refused where the platform would
reject the file. The rules are restated from the platforms' public documentation and code; which, and of
what day, is in docs/lms/README.md.
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
    """externalGraderCommon.ts makeGradingResult, externalGrader.ts processGradingResult, and what
    pl-external-grader-results draws; the limit is grader-host's."""
    need(len(data) <= 1024 * 1024, "more than 1 MB")
    o = json.loads(data.replace(b"\0", "\ufffd".encode()))
    need(isinstance(o, dict), "results are no object")
    score = o.get("score")
    need(score is None or (type(score) in (int, float) and score == score), "score is not a number")
    need(o.get("succeeded", True), "the grader says that it failed")
    errors = o.get("format_errors", [])
    need(isinstance(errors, str) or (isinstance(errors, list) and all(isinstance(e, str) for e in errors)),
         "format_errors")
    entries = {}
    for image in o.get("images", []):
        need(isinstance(image, (str, dict)), "images")
    for text in ("message", "output"):
        need(isinstance(o.get(text, ""), str), text)
        no_terminal_codes(o.get(text, ""))  # ansi2html draws them
    if not o.get("gradable", True):
        return Reading(None, entries)
    need(score is not None and 0 <= score <= 1, "score")
    with_points = [(t.get("points") is not None) + (t.get("max_points") is not None) for t in o.get("tests", [])]
    need(set(with_points) in ({0}, {2}, set()), "points on all tests or none")
    for t in o["tests"]:
        need(isinstance(t["name"], str), "name")
        for text in ("message", "output", "description"):
            need(isinstance(t.get(text, ""), str), text)
            no_terminal_codes(t.get(text, ""))
        entries[t["name"].split(",")[0]] = (t["points"], None, t.get("output", ""))
    points, possible = sum(t["points"] for t in o["tests"]), sum(t["max_points"] for t in o["tests"])
    need(not possible or abs(min(points / possible, 1) - score) < 0.0051, "the points shown and the score differ")
    return Reading(score, entries)


def autolab(data, problems=(("cases", 55), ("checks", 45))):
    """assessment_autograde_core.rb saveAutograde and parseAutoresult; assessments_controller.rb
    parseFeedback for the page; _partial_feedback_js.html.erb, which shows what is printed as HTML."""
    text = data.decode()
    no_terminal_codes(text)
    need(not re.search(r"<[A-Za-z/!?]", text), "a tag in the page that shows a running job")
    last = text.rstrip().splitlines()[-1]
    # Autolab quotes bare keys like this, inside strings as well.
    parsed = json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last))
    need("scores" in parsed and parsed["scores"], "empty autoresult")
    full = dict(problems)
    need(set(parsed["scores"]) <= set(full), "a problem that the assessment lacks")
    entries = {}
    presented = text.rstrip().splitlines()[-2:-1]
    for line in presented:  # only the line but one is looked at
        if line.startswith("{"):
            o = json.loads(line)
            need(o["_presentation"] == "semantic", "presentation")
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


def vpl_comment(text):
    """find_proposedcomment."""
    crlf = "\r\n" in text
    start = re.compile(r"^[ \t]*(Comment :=>>([^\r\n]*)|<\|--)[ \t]*\r?$" if crlf
                       else r"^[ \t]*(Comment :=>>(.*)|<\|--)[ \t]*$", re.M)
    end = re.compile(r"^[ \t]*--\|>[ \t]*\r?$" if crlf else r"^[ \t]*--\|>[ \t]*$", re.M)
    comments, at = "", 0
    while m := start.search(text, at):
        if m[1] != "<|--":
            comments += m[2] + "\n"
            at = m.end() + 1
            continue
        e = end.search(text, m.end() + 1)
        need(e, "a block without an end")
        comments += text[m.end() + 1:e.start()].replace("\r\n", "\n")
        at = e.end() + 1
    return comments


def vpl(data, low=0.0, high=100.0):
    """vpl_submission.class.php: find_proposedgrade, find_proposedcomment, result_to_html; through the
    pseudo-terminal of the jail lines end in CR LF, which must make no difference."""
    text = data.decode()
    no_terminal_codes(text)
    readings = []
    for said in (text, text.replace("\n", "\r\n")):
        # The last one counts, wherever it stands, also within a comment.
        grades = [m[1].strip() for m in re.finditer(r"^Grade :=>>(.*)$", said, re.M)]
        need(len(grades) <= 1, "more than one grade")
        outside = re.sub(r"(?ms)^<\|--\r?\n.*?^--\|>\r?\n", "", said)
        need(re.fullmatch(r"(Grade :=>>.*)?\s*", outside), "text outside comments")
        entries, title = {}, None
        for line in vpl_comment(said).split("\n"):
            if len(line) > 1 and line[0] == "-":
                title = line[1:].strip()
                need(not title.endswith(")"), "a title that VPL may take points from")
                title = title.split(",")[0]
                entries[title] = (None, None, "")
            elif line:
                need(line[0] == ">", "student text that is not preformatted")
                entries[title] = (None, None, entries[title][2] + line[1:] + "\n")
        entries.pop("Result", None)
        readings.append(Reading((float(grades[0]) - low) / (high - low) if grades else None, entries))
    need(readings[0] == readings[1], "CR LF makes a difference")
    return readings[0]


def classroom50(data):
    """runner.py run_entrypoint, finalize_result, validate_result; schemas/result-v1.schema.json."""
    o = json.loads(data)
    if "score" not in o:
        return Reading(None, {})  # no result for the runner: it publishes an error, 0 of 0
    members = {"schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release",
               "review", "datetime", "score", "max-score", "tests"}
    need(set(o) == members, f"members {set(o) ^ members}")  # no others: additionalProperties is false
    need(o["schema"] == "classroom50/result/v1", "schema")
    for key in ("classroom", "assignment", "owner", "submission", "commit", "release", "review", "datetime"):
        need(isinstance(o[key], str) and o[key], key)
    need(o["assignment_type"] in ("individual", "group"), "assignment_type")
    need(re.fullmatch(r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", o["datetime"]), "datetime")
    entries = {}
    for t in [o] + o["tests"]:
        need(type(t["score"]) is int and type(t["max-score"]) is int, "integers")
        need(0 <= t["score"] <= t["max-score"], "score out of range")
    for t in o["tests"]:
        need(isinstance(t["test-name"], str) and t["test-name"], "test-name")
        need(isinstance(t["passed"], bool), "passed")
        entries[t["test-name"]] = (t["score"], None, "")
    need(sum(t["score"] for t in o["tests"]) == o["score"], "sum")
    need(sum(t["max-score"] for t in o["tests"]) == o["max-score"], "sum of maxima")
    return Reading(o["score"] / o["max-score"], entries)


# jenkinsci/xunit-plugin, junit-10.xsd: for each element its attributes (* must be there) and children.
JUNIT = {
    "testsuites": ("name time tests failures errors", "testsuite"),
    "testsuite": ("name* tests* failures* errors* group time skipped timestamp hostname id package file log url "
                  "version", "testsuite properties testcase system-out system-err"),
    "testcase": ("name* time classname group", "skipped error failure system-out system-err"),
    "failure": ("type message", ""), "error": ("type message", ""), "skipped": ("type message", ""),
    "system-out": ("", ""), "system-err": ("", ""),
}


def junit_schema(element):
    attributes, children = (words.split() for words in JUNIT[element.tag])
    need({a.rstrip("*") for a in attributes} >= set(element.keys()), f"attributes of {element.tag}")
    need({a[:-1] for a in attributes if a.endswith("*")} <= set(element.keys()), f"{element.tag} lacks attributes")
    for child in element:
        need(child.tag in children, f"{child.tag} in {element.tag}")
        junit_schema(child)
    if element.tag.startswith("testsuite"):
        need(re.fullmatch(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?", element.get("time", "")), "time")


def junit(data):
    need(len(data) < 30_000_000, "30 MB")
    root = ElementTree.fromstring(data)
    need(root.tag == "testsuites" and not list(root.iter("properties")), "shape")  # CodeGrade: no properties
    junit_schema(root)
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
        bonus, got, full = re.search(r"(bonus, )?([\d.]+) of ([\d.]+) points", c.find("system-out").text).groups()
        if not any(e.tag == "skipped" for e in bad):
            points, possible = points + float(got), possible + (0 if bonus else float(full))
        entries[c.get("name")] = (float(got), None, text)
    need(int(suite.get("failures")) == sum(c.find("failure") is not None for c in cases), "failures")
    return Reading(None if error else points / possible, entries)


def tap(data):
    lines = data.decode().split("\n")
    no_terminal_codes(data.decode())
    need(lines[0] == "TAP version 13", "version")
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
                got = float(line.split(":")[1])
            elif line.startswith("  points_possible: "):
                if "SKIP" not in directive:
                    full = float(line.split(":")[1])
                    points, possible = points + got, possible + full
            elif line == "  bonus: true":
                possible -= 0 if "SKIP" in directive else full
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
    if total["points"]:
        full = sum(float(r["points_possible"]) for r in rows[:-1] if r["bonus"] == "no" and r["points"])
        need(abs(full - float(total["points_possible"])) < 1e-6, "the points possible add up")
    return Reading(float(total["points"]) / float(total["points_possible"]) if total["points"] else None, entries)


def plain_json(data):
    o = json.loads(data)
    entries = {c["name"]: (c["points"], None, "") for c in o["cases"] + o["checks"]}
    return Reading(None if o["status"] == "not_graded" else o["points"] / o["points_possible"], entries)


READERS = {
    "json": plain_json, "gradescope": gradescope, "prairielearn": prairielearn, "autolab": autolab,
    "vpl": vpl, "classroom50": classroom50, "junit": junit, "tap": tap, "csv": gradebook_csv,
}
