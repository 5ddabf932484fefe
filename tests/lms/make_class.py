"""make_class: a class as learning platforms give it: nine layouts, their rosters, and odd ones.

    make_class.make(folder, entries, draw) -> [Layout]

makes folder/NAME and its roster for each layout, with about so many entries in all, and tells what
the gradebook must say of each. Most submissions are lab 1's solution; every odd thing that has been
seen in a download, or could make a student vanish, is there once.
"""
import io
import os
import pathlib
import random
import tarfile
import unicodedata
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = (ROOT / "solutions/lab1-cpu-baseline/lab1.cu").read_bytes()
OTHER = (ROOT / "solutions/lab2-global-memory/lab2.cu").read_bytes()
EMPTY = (ROOT / "labs/lab1-cpu-baseline/lab1.cu").read_bytes()
BROKEN = b"#error not yet\n"

FIRST = ("Ada Alan Grace Mary Zo\u00eb Jos\u00e9 Li Edsger Barbara Donald Frances Ken Radia "
         "Tony").split()
LAST = "Lovelace Turing Hopper Jackson O'Neil Mart\u00ednez Wei Dijkstra Liskov Knuth Allen".split()


class Student:
    """One of the class; numbers make everybody unlike."""

    def __init__(self, number):
        self.number = number
        self.first = FIRST[number % len(FIRST)]
        self.last = f"{LAST[number % len(LAST)]}{number}"
        self.name = f"{self.first} {self.last}"
        self.user = f"u_{number}x"
        self.id = str(20000 + number)
        self.email = f"u{number}@example.edu"


class Layout:
    """A folder as one platform gives it, its roster, and what must come of it."""

    def __init__(self, folder, name):
        self.name, self.folder = name, folder / name
        self.folder.mkdir(parents=True)
        self.students = []      # on the roster, in order
        self.rows = {}          # student as the gradebook calls them: (status, points, note)
        self.points = {}        # student's number: points in the import, None: as it was
        self.fates = {}         # entry: what became of it
        self.odd = 0
        self.others = 0         # rows below the students: the platform's own
        self.roster = None
        self.column = "Lab 1"

    def put(self, path, content=RIGHT):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def expect(self, called, status="graded", points=100, note="", student=None, odd=True):
        self.rows[called] = (status, points if status in ("graded", "refused") else None, note)
        if student:
            self.points[student.number] = points if status in ("graded", "refused") else None
        self.odd += odd

    def enrol(self, *students):
        self.students += students
        for s in students:
            self.points.setdefault(s.number, None)

    def missing(self, student, called):
        """On the roster, and nothing is there."""
        self.enrol(student)
        self.expect(called, "missing", None, "on the roster, but handed in nothing")


def zipped(*files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in files:
            z.writestr(name, content)
    return out.getvalue()


def tarred(*files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as t:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            t.addfile(info, io.BytesIO(content))
    return out.getvalue()


def csv_text(rows, separator=",", end="\r\n"):
    def cell(s):
        return '"' + s.replace('"', '""') + '"' if any(c in s for c in separator + '"\r\n') else s
    return "".join(separator.join(map(cell, r)) + end for r in rows)


def squeeze(s):
    return "".join(c for c in (s.last + s.first).lower() if c.isalnum() or ord(c) > 127)


# ---- The layouts ----


def canvas(at, students, take):
    at.column = "Lab 1 (777)"

    def called(s):
        return f"{s.last}, {s.first}"

    for s in students:
        at.put(f"{squeeze(s)}_{s.id}_{900000 + s.number}_lab1.cu")
        at.expect(called(s), student=s, odd=False)
    late, again, text, broken = take(4)
    under, link, wide, other = take(4)
    at.enrol(*students, late, again, text, broken, under, link, wide, other)
    at.put(f"{squeeze(late)}_LATE_{late.id}_900001_lab1.cu.txt")
    at.expect(called(late), student=late, note="is taken as a .cu file")
    at.put(f"{squeeze(again)}_{again.id}_900002_lab1.cu", BROKEN)
    at.put(f"{squeeze(again)}_{again.id}_900010_lab1-1.cu")
    at.expect(called(again), student=again, note="handed in 2 times: the last one counts")
    at.fates[f"{squeeze(again)}_{again.id}_900002_lab1.cu"] = "an earlier attempt: does not count"
    at.put(f"{squeeze(text)}_{text.id}_text.html", b"<p>See my mail</p>")
    at.expect(called(text), "something else handed in", note="no .cu file, but text.html")
    at.put(f"{squeeze(broken)}_{broken.id}_900004_lab1.cu", BROKEN)
    at.expect(called(broken), "refused", 0, "lab1.cu does not compile", student=broken)
    at.put(f"x2_y3_{under.id}_900005_my_lab_1_2.cu")
    at.expect(called(under), student=under)
    name = f"{squeeze(link)}_{link.id}_900006_lab1.cu"
    (at.folder / name).symlink_to("/etc/passwd")
    at.expect(called(link), "something else handed in", note="links are not followed")
    at.fates[name] = "cannot be graded"
    at.put(f"{squeeze(wide)}_{wide.id}_900007_lab1.cu",
           b"\xff\xfe" + RIGHT.decode().encode("utf-16-le"))
    at.expect(called(wide), "refused", 0, "UTF-16 text: save it as UTF-8", student=wide)
    at.put(f"{squeeze(other)}_{other.id}_900008_lab2.cu", OTHER)
    at.expect(called(other), "refused", 0, student=other,
              note="it defines matmul_host and matmul_device: this is another lab's file")
    (gone,) = take(1)
    at.missing(gone, called(gone))
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", at.column, "Final Score"]
    rows = [head, ["    Points Possible", "", "", "", "", "100.00", "(read only)"]]
    rows += [[called(s), s.id, f"S{s.number}", s.user, "A", "", ""] for s in at.students]
    rows += [["Student, Test", "9", "", "5d1c", "A", "", ""]]
    at.others = 1
    at.roster = at.folder.parent / "canvas.csv"
    at.roster.write_bytes(csv_text(rows, end="\n").encode())


def moodle_worksheet(at, column="Grade"):
    at.column = column
    rows = [["Identifier", "Full name", "ID number", "Email address", "Status", "Grade",
             "Maximum Grade", "Last modified (submission)", "Feedback comments"]]
    rows += [[f"Participant {s.id}", s.name, "", s.email, "Submitted for grading - ", "",
              "100.00", "Monday, 2 November 2026, 1:00 PM", ""] for s in at.students]
    at.roster = at.folder.parent / f"{at.name}.csv"
    at.roster.write_bytes(b"\xef\xbb\xbf" + csv_text(rows).encode())


def moodle_flat(at, students, take):
    for s in students:
        at.put(f"{s.name}_{s.id}_assignsubmission_file_lab1.cu")
        at.expect(s.name, student=s, odd=False)
    text, two, empty, packed, forger = take(5)
    at.enrol(*students, text, two, empty, packed, forger)
    at.put(f"{text.name}_{text.id}_assignsubmission_file_lab1.cu (1).txt")
    at.expect(text.name, student=text, note="is taken as a .cu file")
    at.put(f"{two.name}_{two.id}_assignsubmission_file_a.cu")
    at.put(f"{two.name}_{two.id}_assignsubmission_file_b.cu")
    at.expect(two.name, "not graded", note="several .cu files, and nothing says which")
    at.put(f"{empty.name}_{empty.id}_assignsubmission_file_lab1.cu", b"")
    at.expect(empty.name, "refused", 0, student=empty)
    at.put(f"{packed.name}_{packed.id}_assignsubmission_file_work.zip",
           zipped(("work/lab1.cu", RIGHT), ("work/notes.txt", b"x")))
    at.expect(packed.name, student=packed, note="work/lab1.cu is taken out of")
    victim = students[0]  # the end of a file's name is the student's to choose
    at.put(f"{forger.name}_{forger.id}_assignsubmission_file_"
           f"{victim.name}_{victim.id}_assignsubmission_file_lab1.cu", EMPTY)
    at.expect(forger.name, points=0, student=forger)
    moodle_worksheet(at)


def moodle_folders(at, students, take):
    for s in students:
        at.put(f"{s.name}_{s.id}_assignsubmission_file_/lab1.cu")
        at.expect(s.name, student=s, odd=False)
    words, pdf, stranger, deep = take(4)
    at.enrol(*students, words, pdf, deep)
    at.put(f"{deep.name}_{deep.id}_assignsubmission_file_/1/2/3/4/5/6/7/lab1.cu")
    at.expect(deep.name, "something else handed in", note="(more than 6 folders down)")
    at.put(f"{words.name}_{words.id}_assignsubmission_file_/lab1.cu")
    at.put(f"{words.name}_{words.id}_assignsubmission_onlinetext_/onlinetext.html", b"<p>x</p>")
    at.expect(words.name, student=words)
    at.fates[f"{words.name}_{words.id}_assignsubmission_onlinetext_"] = (
        "lies beside the file that counts")
    at.put(f"{pdf.name}_{pdf.id}_assignsubmission_file_/lab1.pdf", b"%PDF-1.4")
    at.expect(pdf.name, "something else handed in", note="no .cu file, but lab1.pdf")
    at.put(f"{stranger.name}_{stranger.id}_assignsubmission_file_/lab1.cu")
    at.expect(stranger.name, note="not on the roster")
    moodle_worksheet(at)


def blackboard(at, students, take):
    def stem(s, time="2026-11-01-10-00-00"):
        return f"Lab 1_{s.user}_attempt_{time}"

    def receipt(s, time="2026-11-01-10-00-00"):
        text = f"Name: {s.name} ({s.user})\r\nAssignment: Lab 1\r\n"
        at.put(f"{stem(s, time)}.txt", text.encode())
        at.fates[f"{stem(s, time)}.txt"] = "the platform's receipt"

    at.column = "Lab 1 [Total Pts: 100 Score] |664617"
    for s in students:
        at.put(f"{stem(s)}_lab1.cu")
        receipt(s)
        at.expect(s.name, student=s, odd=False)
    again, worse, words, bare = take(4)
    at.enrol(*students, again, worse, words, bare)
    at.put(f"{stem(again, '2026-11-01-09-00-00')}_lab1.cu", BROKEN)
    at.put(f"{stem(again, '2026-11-01-11-00-00')}_lab1.cu")
    receipt(again, "2026-11-01-11-00-00")
    at.expect(again.name, student=again,
              note="handed in 2 times: the last one counts (2026-11-01-11")
    at.put(f"{stem(worse, '2026-11-01-09-00-00')}_lab1.cu")
    at.put(f"{stem(worse, '2026-11-01-12-00-00')}_lab1.docx", b"PK")
    receipt(worse, "2026-11-01-12-00-00")
    at.expect(worse.name, student=worse,
              note="the attempt of 2026-11-01-12-00-00 holds no .cu file")
    receipt(words)
    at.expect(words.name, "nothing handed in", note="there is only a receipt")
    at.put(f"{stem(bare)}_lab1.cu")  # no receipt: the user's name ends like nobody else's
    at.expect(bare.name, student=bare)
    rows = [["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability",
             at.column]]
    rows += [[s.last, s.first, s.user, s.id, "", "Yes", ""] for s in at.students]
    at.roster = at.folder.parent / "blackboard.xls"
    quoted = "".join("\t".join(f'"{c}"' for c in r) + "\n" for r in rows)
    at.roster.write_bytes(b"\xff\xfe" + quoted.encode("utf-16-le"))


def gradescope(at, students, take):
    meta = "---\n"
    pair = take(2)
    (plain,) = take(1)
    at.enrol(*students, *pair, plain)

    def submission(number, members, content=RIGHT, name="lab1.cu"):
        nonlocal meta
        at.put(f"submission_{number}/{name}", content)
        meta += f"submission_{number}:\n  :submitters:\n"
        for s in members:
            quoted = s.name.replace("'", "''")
            meta += f"  - :name: '{quoted}'\n    :sid: '{s.id}'\n    :email: {s.email}\n"
        meta += "  :created_at: 2026-11-01 10:00:00\n  :results:\n    :output: |\n      :sid: '1'\n"

    for s in students:
        submission(5000 + s.number, [s])
        at.expect(s.name, student=s, odd=False)
    submission(4001, pair)
    at.expect(f"{pair[0].name} and {pair[1].name}", student=pair[0])
    at.points[pair[1].number] = 100
    submission(4002, [plain], zipped(("a/b/lab1.cu", RIGHT), ("a/old.cu", EMPTY)), "repo.zip")
    at.expect(plain.name, student=plain, note="a/b/lab1.cu is taken out of repo.zip")
    at.put("submission_metadata.yml", meta.encode())
    at.fates["submission_metadata.yml"] = "the platform's own"
    (gone,) = take(1)
    at.missing(gone, gone.name)
    rows = [["First Name", "Last Name", "SID", "Email", "Sections"]]
    rows += [[s.first, s.last, s.id, s.email, ""] for s in at.students]
    at.roster = at.folder.parent / "gradescope.csv"
    at.column = "lab1"
    at.roster.write_bytes(csv_text(rows, end="\n").encode())


def github(at, students, take):
    for s in students:
        at.put(f"lab1-{s.user}/labs/lab1-cpu-baseline/lab1.cu")
        at.put(f"lab1-{s.user}/old/lab1.cu", EMPTY)
        at.put(f"lab1-{s.user}/.git/config", b"")
        at.expect(s.name, student=s, odd=False)
    empty, link = take(2)
    at.enrol(*students, empty, link)
    (at.folder / f"lab1-{empty.user}").mkdir()
    at.expect(empty.name, "nothing handed in", note="an empty folder")
    (at.folder / f"lab1-{link.user}").mkdir()
    (at.folder / f"lab1-{link.user}/lab1.cu").symlink_to("/etc/passwd")
    at.expect(link.name, "something else handed in", note="lab1.cu (a link)")
    rows = [["identifier", "github_username", "github_id", "name"]]
    rows += [[s.email, s.user, s.id, s.name] for s in at.students]
    at.roster = at.folder.parent / "github.csv"
    at.column = "lab1"
    at.roster.write_bytes(
        "".join(",".join(f'"{c}"' for c in r) + "\n" for r in rows).encode())


def brightspace(at, students, take):
    at.column = "Lab 1 Points Grade <Numeric MaxPoints:100>"
    for s in students:
        at.put(f"{s.number}-777 - {s.name} - Nov 1, 2026 1020 AM/lab1.cu")
        at.expect(s.name, student=s, odd=False)
    again, other, mac = take(3)
    mac.first, mac.name = "Zo\u00eb", f"Zo\u00eb {mac.last}"
    at.enrol(*students, again, other, mac)
    spelt = unicodedata.normalize("NFD", mac.name.upper())
    at.put(f"{mac.number}-777 - {spelt} - Nov 1, 2026 1020 AM/lab1.cu")
    at.expect(mac.name, student=mac)
    at.put(f"{again.number}-777 - {again.name} - Nov 1, 2026 1159 AM/lab1.cu", BROKEN)
    at.put(f"{again.number}-777 - {again.name} - Nov 1, 2026 1201 PM/lab1.cu")
    at.expect(again.name, student=again, note="handed in 2 times")
    at.put(f"{other.number}-777 - {other.id} {other.last} - 02 November 2026 612 PM/lab1.cu")
    at.expect(other.name, student=other)
    at.put("index.html", b"<html></html>")
    at.fates["index.html"] = "the platform's own"
    rows = [["OrgDefinedId", "Username", "Last Name", "First Name", at.column,
             "End-of-Line Indicator"]]
    rows += [[f"#{s.id}", f"#{s.user}", s.last, s.first, "", "#"] for s in at.students]
    at.roster = at.folder.parent / "brightspace.csv"
    at.roster.write_bytes(csv_text(rows).encode())


def sakai(at, students, take):
    for s in students:
        at.put(f"Lab 1/{s.last}, {s.first}({s.user})/Submission attachment(s)/lab1.cu")
        at.put(f"Lab 1/{s.last}, {s.first}({s.user})/timestamp.txt", b"20261101100000000")
        at.expect(s.name, student=s, odd=False)
    nothing, feedback = take(2)
    at.enrol(*students, nothing, feedback)
    (at.folder / f"Lab 1/{nothing.last}, {nothing.first}({nothing.user})/Submission attachment(s)"
     ).mkdir(parents=True)
    at.expect(nothing.name, "nothing handed in", note="an empty folder")
    who = f"Lab 1/{feedback.last}, {feedback.first}({feedback.user})"
    at.put(f"{who}/Submission attachment(s)/lab1.cu")
    at.put(f"{who}/Feedback Attachment(s)/lab1.cu", EMPTY)
    at.expect(feedback.name, student=feedback)
    rows = [["Lab 1", "SCORE_GRADE_TYPE", "", "", ""], ["", "", "", "", ""],
            ["Display ID", "ID", "Last Name", "First Name", "grade"]]
    rows += [[s.user, s.user, s.last, s.first, ""] for s in at.students]
    at.put("Lab 1/grades.csv", csv_text(rows, end="\n").encode())
    at.fates["grades.csv"] = "the platform's own"
    at.roster = at.folder / "Lab 1/grades.csv"
    at.column = "grade"
    at.fates["grades.csv"] = "the batch's own"


def plain(at, students, take):
    for s in students[::2]:
        at.put(f"{s.name}/lab1.cu")
        at.expect(s.name, student=s, odd=False)
    for s in students[1::2]:
        at.put(f"{s.name}.cu")
        at.expect(s.name, student=s, odd=False)
    two, tar, bomb, outside = take(4)
    at.enrol(*students, two, tar, bomb, outside)
    at.put(f"{two.name}.cu")
    at.put(f"{two.user}/lab1.cu")
    at.expect(two.name, "not graded", note="handed in twice, as")
    at.put(f"{tar.name}.tar.gz", tarred(("./lab1.cu", RIGHT)))
    at.expect(tar.name, student=tar, note="./lab1.cu is taken out of")
    at.put(f"{bomb.name}.zip", zipped(("lab1.cu", b" " * (20 << 20))))
    at.expect(bomb.name, "something else handed in", note="a bomb")
    at.put(f"{outside.name}.zip", zipped(("../lab1.cu", RIGHT)))
    at.expect(outside.name, "something else handed in", note="leads outside")
    for name in "lab1.cpp", "lab1.c", "common.cuh", ".lab1.cu", "notes.pdf", ".ssh":
        at.put(name)
        at.expect(name, "not recognised", note=f"not recognised: {name}")
    (at.folder / "link.cu").symlink_to("/etc/passwd")
    at.expect("link.cu", "not recognised", note="links are not followed")
    os.mkfifo(at.folder / "pipe.cu")
    at.expect("pipe.cu", "not recognised", note="neither a file nor a folder")
    at.put("program.cu", b"\x7fELF\x02\x01")
    at.expect("program", "refused", 0, "program.cu is not CUDA source text but a compiled program")
    at.put("=1+1.cu")
    at.expect("'=1+1")
    at.put(".DS_Store", b"x")
    at.fates[".DS_Store"] = "a file of an operating system"
    at.put("__MACOSX/._lab1.cu", b"x")
    at.fates["__MACOSX"] = "a file of an operating system"
    rows = [["id", "name", "Lab 1", "Lab 11"]]
    rows += [[s.user, s.name, "12", ""] for s in at.students]
    at.roster = at.folder.parent / "plain.csv"
    at.roster.write_bytes(csv_text(rows, ";").encode("latin-1"))


LAYOUTS = (canvas, moodle_flat, moodle_folders, blackboard, gradescope, github, brightspace, sakai,
           plain)


def entries(layout):
    """What lies in the folder that the batch looks at."""
    inner = layout.folder / "Lab 1" if layout.name == "sakai" else layout.folder
    return sorted(os.listdir(inner))


def make(folder, count, draw=None):
    numbers = list(range(1, 2000))
    (draw or random.Random(1)).shuffle(numbers)

    def take(n):
        return [Student(numbers.pop()) for _ in range(n)]

    layouts = []
    each = max(2, (count - 42) // (len(LAYOUTS) + 1))  # Blackboard has two for each
    for fill in LAYOUTS:
        layout = Layout(pathlib.Path(folder), fill.__name__)
        fill(layout, take(each), take)
        layouts.append(layout)
    return layouts
