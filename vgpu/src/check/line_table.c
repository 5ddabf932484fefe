/*
 * line_table.c: looks an address up in a DWARF line table. Such a table is a program that builds
 * rows (address, file, line) in rising order of addresses; the row that holds an address is the
 * last one not above it. See DWARF 5, section 6.2.
 */
#include "vgpu/src/check/caller.h"

#include <stdio.h>
#include <string.h>

/* What is left to read. Reading past the end gives zeros and marks the reader broken. */
typedef struct reader {
    const uint8_t *at, *end;
    bool broken;
} reader;

static uint64_t fixed(reader *r, unsigned bytes) {
    uint64_t v = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->broken = true;
        r->at = r->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes && i < 8; i++)
        v |= (uint64_t)r->at[i] << 8 * i;
    r->at += bytes;
    return v;
}

static uint64_t unsigned_leb(reader *r) {
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint64_t byte = fixed(r, 1);
        v |= shift < 64 ? (byte & 127) << shift : 0;
        if ((byte & 128) == 0)
            return v;
    }
}

static int64_t signed_leb(reader *r) {
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
        const uint64_t byte = fixed(r, 1);
        v |= shift < 64 ? (byte & 127) << shift : 0;
        shift += 7;
        if ((byte & 128) == 0)
            return (int64_t)(shift < 64 && (byte & 64) != 0 ? v | ~UINT64_C(0) << shift : v);
    }
}

static void skip(reader *r, uint64_t bytes) {
    if ((uint64_t)(r->end - r->at) < bytes) {
        r->broken = true;
        r->at = r->end;
    } else {
        r->at += bytes;
    }
}

static const char *text(reader *r) {
    const uint8_t *start = r->at;
    const uint8_t *zero = start < r->end ? memchr(start, 0, (size_t)(r->end - start)) : NULL;
    if (zero == NULL) {
        r->broken = true;
        r->at = r->end;
        return "";
    }
    r->at = zero + 1;
    return (const char *)start;
}

static const char *text_at(const uint8_t *section, size_t size, uint64_t offset) {
    if (section == NULL || offset >= size || memchr(section + offset, 0, size - offset) == NULL)
        return "";
    return (const char *)section + offset;
}

/* ---- the header ---- */

enum { MAX_FORMATS = 16 };

typedef struct entry_format {
    uint64_t content[MAX_FORMATS], form[MAX_FORMATS];
    unsigned count;
} entry_format;

/* One unit's part of the table. */
typedef struct unit {
    const vg_line_table *table;
    unsigned version, offset_size, min_length, line_range, opcode_base;
    int line_base;
    const uint8_t *opcode_lengths;
    reader folders, files, program;
    entry_format folder_format, file_format;
    uint64_t num_folders, num_files;
} unit;

static entry_format read_format(reader *r) {
    entry_format f = {.count = (unsigned)fixed(r, 1)};
    for (unsigned i = 0; i < f.count; i++) {
        const uint64_t content = unsigned_leb(r), form = unsigned_leb(r);
        if (i < MAX_FORMATS) {
            f.content[i] = content;
            f.form[i] = form;
        }
    }
    r->broken |= f.count > MAX_FORMATS;
    return f;
}

/* A name and a number of DWARF 5's tables of folders and files. */
static void read_entry(const unit *u, reader *r, const entry_format *f, const char **path,
                       uint64_t *folder) {
    enum {
        STRING = 0x08,
        STRP = 0x0e,
        LINE_STRP = 0x1f,
        UDATA = 0x0f,
        DATA1 = 0x0b,
        DATA2 = 0x05,
        DATA4 = 0x06,
        DATA8 = 0x07,
        DATA16 = 0x1e,
        BLOCK = 0x09
    };
    enum { PATH = 1, FOLDER = 2 };
    const vg_line_table *t = u->table;
    *path = "";
    *folder = 0;
    for (unsigned i = 0; i < f->count && !r->broken; i++) {
        const char *name = "";
        uint64_t number = 0;
        switch (f->form[i]) {
        case STRING: name = text(r); break;
        case STRP: name = text_at(t->strings, t->strings_size, fixed(r, u->offset_size)); break;
        case LINE_STRP:
            name = text_at(t->line_strings, t->line_strings_size, fixed(r, u->offset_size));
            break;
        case UDATA: number = unsigned_leb(r); break;
        case DATA1: number = fixed(r, 1); break;
        case DATA2: number = fixed(r, 2); break;
        case DATA4: number = fixed(r, 4); break;
        case DATA8: number = fixed(r, 8); break;
        case DATA16: skip(r, 16); break;
        case BLOCK: skip(r, unsigned_leb(r)); break;
        default: r->broken = true;
        }
        if (f->content[i] == PATH)
            *path = name;
        else if (f->content[i] == FOLDER)
            *folder = number;
    }
}

static void read_tables(unit *u, reader *r) {
    const char *path = NULL;
    uint64_t folder = 0;
    if (u->version >= 5) {
        u->folder_format = read_format(r);
        u->num_folders = unsigned_leb(r);
        u->folders = *r;
        for (uint64_t i = 0; i < u->num_folders && !r->broken; i++)
            read_entry(u, r, &u->folder_format, &path, &folder);
        u->file_format = read_format(r);
        u->num_files = unsigned_leb(r);
        u->files = *r;
        return;
    }
    u->folders = *r;
    while (!r->broken && *text(r) != '\0') {
    }
    u->files = *r;
}

/* Reads the unit at r and moves r behind it. False: nothing usable there. */
static bool read_unit(unit *u, reader *r) {
    u->offset_size = 4;
    uint64_t length = fixed(r, 4);
    if (length == 0xFFFFFFFFu) {
        u->offset_size = 8;
        length = fixed(r, 8);
    }
    if (r->broken || length > (uint64_t)(r->end - r->at)) {
        r->broken = true;
        return false;
    }
    reader here = {r->at, r->at + length, false};
    r->at += length;
    u->version = (unsigned)fixed(&here, 2);
    if (u->version < 2 || u->version > 5)
        return false;
    if (u->version >= 5)
        skip(&here, 2); /* sizes of addresses and of segment selectors */
    const uint64_t header = fixed(&here, u->offset_size);
    u->program = here;
    skip(&u->program, header);
    u->min_length = (unsigned)fixed(&here, 1);
    if (u->version >= 4)
        skip(&here, 1); /* operations an instruction: of VLIW processors */
    skip(&here, 1);     /* where statements begin */
    const int base = (int)fixed(&here, 1);
    u->line_base = base < 128 ? base : base - 256;
    u->line_range = (unsigned)fixed(&here, 1);
    u->opcode_base = (unsigned)fixed(&here, 1);
    u->opcode_lengths = here.at;
    skip(&here, u->opcode_base > 0 ? u->opcode_base - 1 : 0);
    if (here.broken || u->program.broken || u->line_range == 0 || u->opcode_base == 0)
        return false;
    read_tables(u, &here);
    return !here.broken;
}

/* ---- the program ---- */

typedef struct row {
    uint64_t address, file;
    int64_t line;
    bool valid; /* a row of the sequence at hand */
} row;

/* The new row ends the range of the one before it. */
static bool row_holds(const row *before, uint64_t next, uint64_t address) {
    return before->valid && before->address <= address && address < next;
}

static bool run_extended(reader *r, row *now, bool *end_of_sequence) {
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
    const uint64_t length = unsigned_leb(r);
    if (length == 0 || length > (uint64_t)(r->end - r->at))
        return false;
    reader body = {r->at, r->at + length, false};
    skip(r, length);
    const uint64_t opcode = fixed(&body, 1);
    if (opcode == SET_ADDRESS)
        now->address = fixed(&body, length - 1 <= 8 ? (unsigned)(length - 1) : 8);
    *end_of_sequence = opcode == END_SEQUENCE;
    return true;
}

/* One standard opcode; true when it makes a row. */
static bool run_standard(const unit *u, reader *r, unsigned opcode, row *now) {
    enum {
        COPY = 1,
        ADVANCE_PC,
        ADVANCE_LINE,
        SET_FILE,
        SET_COLUMN,
        NEGATE,
        BASIC_BLOCK,
        CONST_ADD_PC,
        FIXED_ADVANCE_PC
    };
    switch (opcode) {
    case COPY: return true;
    case ADVANCE_PC: now->address += unsigned_leb(r) * u->min_length; return false;
    case ADVANCE_LINE: now->line += signed_leb(r); return false;
    case SET_FILE: now->file = unsigned_leb(r); return false;
    case CONST_ADD_PC:
        now->address += (uint64_t)((255 - u->opcode_base) / u->line_range) * u->min_length;
        return false;
    case FIXED_ADVANCE_PC: now->address += fixed(r, 2); return false;
    default:
        for (unsigned i = 0; i < u->opcode_lengths[opcode - 1]; i++)
            unsigned_leb(r);
        return false;
    }
}

/* The row of the unit that holds address. */
static bool find_row(const unit *u, uint64_t address, row *found) {
    static const row start = {.file = 1, .line = 1};
    reader r = u->program;
    row now = start, before = {0};
    while (r.at < r.end && !r.broken) {
        const unsigned opcode = (unsigned)fixed(&r, 1);
        bool makes_row = true, ends = false;
        if (opcode >= u->opcode_base) {
            const unsigned special = opcode - u->opcode_base;
            now.address += (uint64_t)(special / u->line_range) * u->min_length;
            now.line += u->line_base + (int)(special % u->line_range);
        } else if (opcode != 0) {
            makes_row = run_standard(u, &r, opcode, &now);
        } else if (!run_extended(&r, &now, &ends)) {
            return false;
        } else {
            makes_row = ends;
        }
        if (!makes_row)
            continue;
        if (row_holds(&before, now.address, address)) {
            *found = before;
            return true;
        }
        before = now;
        before.valid = !ends;
        if (ends)
            now = start;
    }
    return false;
}

/* ---- names ---- */

static const char *folder_name(const unit *u, uint64_t index) {
    reader r = u->folders;
    const char *name = "";
    uint64_t unused = 0;
    if (u->version >= 5) {
        for (uint64_t i = 0; i <= index && i < u->num_folders && !r.broken; i++)
            read_entry(u, &r, &u->folder_format, &name, &unused);
        return index < u->num_folders ? name : "";
    }
    for (uint64_t i = 0; i < index && !r.broken; i++) { /* 0: where the compiler ran, not listed */
        name = text(&r);
        if (*name == '\0')
            break;
    }
    return name;
}

static void file_name(const unit *u, uint64_t index, char *buf, size_t len) {
    reader r = u->files;
    const char *name = "";
    uint64_t folder = 0;
    if (u->version >= 5) {
        for (uint64_t i = 0; i <= index && i < u->num_files && !r.broken; i++)
            read_entry(u, &r, &u->file_format, &name, &folder);
    } else {
        for (uint64_t i = 1; i <= index && !r.broken; i++) {
            name = text(&r);
            folder = unsigned_leb(&r);
            unsigned_leb(&r);
            unsigned_leb(&r);
            if (*name == '\0')
                break;
        }
    }
    const char *base = name[0] == '/' ? "" : folder_name(u, folder);
    snprintf(buf, len, "%s%s%s", base, *base != '\0' ? "/" : "", name);
}

bool vg_line_find(const vg_line_table *table, uint64_t address, char *file, size_t len, int *line) {
    reader r = {table->lines, table->lines + table->size, false};
    while (r.at < r.end && !r.broken) {
        unit u = {.table = table};
        row found = {0};
        if (read_unit(&u, &r) && find_row(&u, address, &found)) {
            file_name(&u, found.file, file, len);
            *line = (int)found.line;
            return found.line > 0 && *file != '\0';
        }
    }
    return false;
}
