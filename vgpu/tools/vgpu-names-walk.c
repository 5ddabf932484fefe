/*
 * vgpu-names-walk.c: the tree that libdw reads, as lines of names; see vgpu-names.h, and
 * vgpu/src/inspect/names.h for what each line says.
 */
#include "vgpu/tools/vgpu-names.h"

#include "vgpu/tools/vgpu-names-scopes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TYPE = 256,
    MAX_PATH = 160,
    MAX_DIMS = 6,
    MAX_DEPTH = 8,
    MAX_LEAVES = 64,
    MAX_TYPES = 64
};

/* Structs and arrays that pointers point to: each is told of once. */
typedef struct pointees {
    Dwarf_Die die[MAX_TYPES];
    int count;
} pointees;

typedef struct walk {
    const symbol_list *symbols;
    const scope_list *around; /* what is declared in a namespace or a struct */
    FILE *to;
    int scopes; /* of the function at hand */
    pointees *pointees;
} walk;

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attr;
    return dwarf_attr_integrate(die, DW_AT_type, &attr) != NULL &&
           dwarf_formref_die(&attr, type) != NULL;
}

/* Without const, volatile, and typedef. */
static bool strip(Dwarf_Die *type) {
    for (int depth = 0; depth < 32; depth++) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type: {
            Dwarf_Die next;
            if (!type_of(type, &next))
                return false;
            *type = next;
            break;
        }
        default: return true;
        }
    }
    return false;
}

static void type_name(const walk *w, Dwarf_Die *die, char *buf, size_t len, int depth);

static void type_name_behind(const walk *w, Dwarf_Die *die, const char *before, const char *after,
                             char *buf, size_t len, int depth) {
    Dwarf_Die next;
    char inner[MAX_TYPE] = "void";
    if (type_of(die, &next))
        type_name(w, &next, inner, sizeof inner, depth + 1);
    snprintf(buf, len, "%s%s%s", before, inner, after);
}

static uint64_t elements(Dwarf_Die *range) {
    Dwarf_Attribute attr;
    Dwarf_Word n = 0;
    if (dwarf_attr(range, DW_AT_count, &attr) != NULL && dwarf_formudata(&attr, &n) == 0)
        return n;
    if (dwarf_attr(range, DW_AT_upper_bound, &attr) != NULL && dwarf_formudata(&attr, &n) == 0)
        return n + 1;
    return 0;
}

/* The sides of an array type; their number. */
static int sides(Dwarf_Die *array, uint64_t *side) {
    Dwarf_Die child;
    int n = 0;
    if (dwarf_child(array, &child) != 0)
        return 0;
    do {
        if (dwarf_tag(&child) == DW_TAG_subrange_type && n < MAX_DIMS)
            side[n++] = elements(&child);
    } while (dwarf_siblingof(&child, &child) == 0);
    return n;
}

static void type_name(const walk *w, Dwarf_Die *die, char *buf, size_t len, int depth) {
    const char *name = dwarf_diename(die);
    uint64_t side[MAX_DIMS];
    if (depth > MAX_DEPTH) {
        snprintf(buf, len, "...");
        return;
    }
    switch (dwarf_tag(die)) {
    case DW_TAG_pointer_type: type_name_behind(w, die, "", " *", buf, len, depth); return;
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: type_name_behind(w, die, "", " &", buf, len, depth); return;
    case DW_TAG_const_type: type_name_behind(w, die, "const ", "", buf, len, depth); return;
    case DW_TAG_volatile_type: type_name_behind(w, die, "volatile ", "", buf, len, depth); return;
    case DW_TAG_restrict_type: type_name_behind(w, die, "", "", buf, len, depth); return;
    case DW_TAG_array_type: {
        char all[MAX_TYPE] = " ";
        const int n = sides(die, side);
        for (int i = 0; i < n; i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "[%llu]",
                     (unsigned long long)side[i]);
        type_name_behind(w, die, "", all, buf, len, depth);
        return;
    }
    default:
        snprintf(buf, len, "%s%s", name != NULL ? names_around(w->around, die) : "",
                 name != NULL ? name : "(unnamed)");
    }
}

static uint64_t bytes_of(Dwarf_Die *type, int depth) {
    Dwarf_Word size = 0;
    uint64_t side[MAX_DIMS];
    Dwarf_Die inner;
    if (depth > MAX_DEPTH || !strip(type))
        return 0;
    if (dwarf_tag(type) == DW_TAG_array_type) {
        const int n = sides(type, side);
        if (!type_of(type, &inner))
            return 0;
        size = bytes_of(&inner, depth + 1);
        for (int i = 0; i < n; i++)
            size *= side[i];
        return size;
    }
    if (dwarf_aggregate_size(type, &size) == 0)
        return size;
    return 0;
}

/* ---- leaves: the numbers that a variable is made of ---- */

typedef struct leaf {
    char path[MAX_PATH]; /* ".x", "[][]", ".part[].x" */
    uint64_t offset;
    int dims;
    uint64_t side[MAX_DIMS], stride[MAX_DIMS];
    uint64_t first_bit, bits; /* of a bit field, from its offset; bits 0: all of its bytes */
} leaf;

/* type: the number's own, where its encoding does not tell; or NULL. */
static void write_leaf(const walk *w, const leaf *l, const char *encoding, const char *type,
                       uint64_t size) {
    fprintf(w->to, "leaf\t%s\t%s%s%s\t%llu", l->path, encoding, type != NULL ? ":" : "",
            type != NULL ? type : "", (unsigned long long)size);
    if (l->bits != 0)
        fprintf(w->to, ":%llu:%llu", (unsigned long long)l->first_bit, (unsigned long long)l->bits);
    fprintf(w->to, "\t%llu", (unsigned long long)l->offset);
    for (int i = 0; i < l->dims; i++)
        fprintf(w->to, "\t%llu\t%llu", (unsigned long long)l->side[i],
                (unsigned long long)l->stride[i]);
    fputc('\n', w->to);
}

static const char *encoding_of(Dwarf_Die *type) {
    Dwarf_Attribute attr;
    Dwarf_Word e = DW_ATE_unsigned;
    const char *name = dwarf_diename(type);
    if (dwarf_attr(type, DW_AT_encoding, &attr) != NULL)
        (void)dwarf_formudata(&attr, &e);
    switch (e) {
    case DW_ATE_boolean: return "bool";
    case DW_ATE_float: return "float";
    case DW_ATE_signed: return "signed";
    /* Letters are in char; the other two kinds are small numbers. */
    case DW_ATE_signed_char: return name != NULL && strcmp(name, "char") == 0 ? "char" : "signed";
    case DW_ATE_UTF: return "char";
    default: return "unsigned";
    }
}

static void leaves(const walk *w, Dwarf_Die *of, leaf l, int depth, int *left);

static bool is_struct(Dwarf_Die *type) {
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void note_pointee(const walk *w, Dwarf_Die *pointer) {
    Dwarf_Die to;
    pointees *all = w->pointees;
    if (!type_of(pointer, &to) || !strip(&to))
        return;
    if (dwarf_tag(&to) == DW_TAG_pointer_type) {
        note_pointee(w, &to);
        return;
    }
    const bool is_array = dwarf_tag(&to) == DW_TAG_array_type;
    bool known =
        (!is_array && (!is_struct(&to) || dwarf_diename(&to) == NULL)) || all->count == MAX_TYPES;
    for (int i = 0; i < all->count && !known; i++)
        known = dwarf_dieoffset(&all->die[i]) == dwarf_dieoffset(&to);
    if (!known)
        all->die[all->count++] = to;
}

/* Where a member begins, in bytes. */
static uint64_t place_in_struct(Dwarf_Die *member) {
    Dwarf_Attribute attr;
    Dwarf_Word at = 0;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    if (dwarf_attr(member, DW_AT_data_member_location, &attr) == NULL ||
        dwarf_formudata(&attr, &at) == 0)
        return at;
    return dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 ? ops[0].number : 0;
}

/* A bit field: its place becomes the byte that holds its first bit. False: it is none. Before
 * DWARF 4 bits are counted from the highest of a unit of bytes, since then from the lowest of the
 * struct. */
static bool place_of_bits(Dwarf_Die *member, leaf *m) {
    Dwarf_Attribute attr;
    Dwarf_Word bits = 0, at = 0, unit = 0;
    if (dwarf_attr(member, DW_AT_bit_size, &attr) == NULL || dwarf_formudata(&attr, &bits) != 0)
        return false;
    if (dwarf_attr(member, DW_AT_data_bit_offset, &attr) != NULL)
        (void)dwarf_formudata(&attr, &at);
    else if (dwarf_attr(member, DW_AT_bit_offset, &attr) != NULL &&
             dwarf_formudata(&attr, &at) == 0 &&
             dwarf_attr(member, DW_AT_byte_size, &attr) != NULL &&
             dwarf_formudata(&attr, &unit) == 0)
        at = 8 * unit - at - bits;
    m->offset += at / 8;
    m->first_bit = at % 8;
    m->bits = bits;
    return true;
}

static void leaves_of_members(const walk *w, Dwarf_Die *type, leaf l, int depth, int *left) {
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0)
        return;
    do {
        const int tag = dwarf_tag(&child);
        Dwarf_Attribute attr;
        Dwarf_Die inner;
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
            continue;
        if (dwarf_attr(&child, DW_AT_external, &attr) != NULL) /* a static member is no part */
            continue;
        if (!type_of(&child, &inner))
            continue;
        leaf m = l;
        const char *name = dwarf_diename(&child);
        if (name != NULL && strncmp(name, "vgpu_", 5) == 0) /* our headers' own */
            continue;
        m.offset += place_in_struct(&child);
        if (place_of_bits(&child, &m) && name == NULL) /* room between two others */
            continue;
        if (tag == DW_TAG_member && name != NULL && *name != '\0')
            snprintf(m.path + strlen(m.path), sizeof m.path - strlen(m.path), ".%s", name);
        leaves(w, &inner, m, depth + 1, left);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void leaves_of_array(const walk *w, Dwarf_Die *type, leaf l, int depth, int *left) {
    uint64_t side[MAX_DIMS];
    const int n = sides(type, side);
    Dwarf_Die inner, same;
    if (!type_of(type, &inner) || l.dims + n > MAX_DIMS)
        return;
    same = inner;
    uint64_t stride = bytes_of(&same, depth);
    for (int i = n - 1; i >= 0; i--) {
        l.side[l.dims + i] = side[i];
        l.stride[l.dims + i] = stride;
        stride *= side[i];
    }
    l.dims += n;
    for (int i = 0; i < n; i++)
        snprintf(l.path + strlen(l.path), sizeof l.path - strlen(l.path), "[]");
    leaves(w, &inner, l, depth + 1, left);
}

/* Bits of an enumeration are extended with a sign only where it has negative numbers. */
static const char *encoding_of_enum(Dwarf_Die *type) {
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0)
        return "signed";
    do {
        Dwarf_Attribute attr;
        Dwarf_Sword number = 0;
        if (dwarf_attr(&child, DW_AT_const_value, &attr) != NULL &&
            dwarf_formsdata(&attr, &number) == 0 && number < 0)
            return "signed";
    } while (dwarf_siblingof(&child, &child) == 0);
    return "unsigned";
}

static void leaves(const walk *w, Dwarf_Die *of, leaf l, int depth, int *left) {
    Dwarf_Die type = *of;
    char name_of_type[MAX_TYPE];
    if (depth > MAX_DEPTH || *left == 0 || !strip(&type))
        return;
    switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: {
        const char *name = dwarf_diename(&type);
        /* The two kinds of half are numbers to whoever looks, not structs of bits. */
        if (name != NULL && (strcmp(name, "__half") == 0 || strcmp(name, "__nv_bfloat16") == 0)) {
            write_leaf(w, &l, name[2] == 'h' ? "half" : "bfloat16", NULL, 2);
            --*left;
            return;
        }
        leaves_of_members(w, &type, l, depth, left);
        return;
    }
    case DW_TAG_array_type: leaves_of_array(w, &type, l, depth, left); return;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        note_pointee(w, &type);
        type_name(w, &type, name_of_type, sizeof name_of_type, 0);
        write_leaf(w, &l, "pointer", name_of_type, 8);
        break;
    case DW_TAG_enumeration_type:
        type_name(w, &type, name_of_type, sizeof name_of_type, 0);
        write_leaf(w, &l, l.bits != 0 ? encoding_of_enum(&type) : "signed",
                   dwarf_diename(&type) != NULL ? name_of_type : NULL, bytes_of(&type, depth));
        break;
    case DW_TAG_base_type:
        write_leaf(w, &l, encoding_of(&type), NULL, bytes_of(&type, depth));
        break;
    default: return;
    }
    --*left;
}

/* ---- variables ---- */

#define NOWHERE "." /* the symbol of a parameter that no memory of the thread holds */

static const char *symbol_at(const walk *w, uint64_t address) {
    const uint64_t number = address >> SYMBOL_SHIFT;
    return number >= 1 && number <= w->symbols->count ? w->symbols->name[number - 1] : NULL;
}

/* symbol + offset; false where it lies elsewhere, or nowhere. */
static bool place_of(const walk *w, Dwarf_Die *die, const char **symbol, uint64_t *offset) {
    Dwarf_Attribute attr;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    if (dwarf_attr(die, DW_AT_location, &attr) == NULL || dwarf_getlocation(&attr, &ops, &n) != 0 ||
        n == 0 || ops[0].atom != DW_OP_addr)
        return false;
    *symbol = symbol_at(w, ops[0].number);
    *offset = ops[0].number & ((UINT64_C(1) << SYMBOL_SHIFT) - 1);
    for (size_t i = 1; i < n; i++) {
        if (ops[i].atom != DW_OP_plus_uconst)
            return false;
        *offset += ops[i].number;
    }
    return *symbol != NULL;
}

/* What a pointer points to. */
static void target(const walk *w, Dwarf_Die *pointer) {
    Dwarf_Die type = *pointer, inner, same;
    int left = MAX_LEAVES;
    if (!strip(&type) ||
        (dwarf_tag(&type) != DW_TAG_pointer_type && dwarf_tag(&type) != DW_TAG_reference_type))
        return;
    if (!type_of(&type, &inner))
        return;
    same = inner;
    const uint64_t bytes = bytes_of(&same, 0);
    if (bytes == 0)
        return;
    fprintf(w->to, "points\t%llu\n", (unsigned long long)bytes);
    leaves(w, &inner, (leaf){0}, 0, &left);
}

/* A name that stands for a number and lies nowhere: constexpr int TILE = 16, a template's N. */
static void constant(const walk *w, Dwarf_Die *die) {
    Dwarf_Die type;
    Dwarf_Attribute attr;
    Dwarf_Sword number = 0;
    Dwarf_Word word = 0;
    char name_of_type[MAX_TYPE] = "";
    const char *name = dwarf_diename(die), *encoding = "signed";
    if (name == NULL || !type_of(die, &type) || !strip(&type) ||
        dwarf_attr(die, DW_AT_const_value, &attr) == NULL)
        return;
    const bool is_enum = dwarf_tag(&type) == DW_TAG_enumeration_type;
    if (dwarf_whatform(&attr) == DW_FORM_sdata ? dwarf_formsdata(&attr, &number) != 0
                                               : dwarf_formudata(&attr, &word) != 0)
        return;
    if (is_enum)
        type_name(w, &type, name_of_type, sizeof name_of_type, 0);
    else if (dwarf_tag(&type) == DW_TAG_base_type)
        encoding = encoding_of(&type);
    else
        return;
    fprintf(w->to, "const\t%s%s\t%s%s%s\t%llu\t%lld\n", names_around(w->around, die), name,
            encoding, is_enum ? ":" : "", name_of_type, (unsigned long long)bytes_of(&type, 0),
            (long long)number | (long long)word);
}

static void variable(const walk *w, Dwarf_Die *die, int scope) {
    const char *symbol = NULL, *name = NULL;
    uint64_t offset = 0;
    char type_text[MAX_TYPE];
    Dwarf_Die type, same;
    Dwarf_Attribute attr;
    if (dwarf_attr_integrate(die, DW_AT_name, &attr) != NULL)
        name = dwarf_formstring(&attr);
    if (name == NULL || !type_of(die, &type))
        return;
    const bool placed = place_of(w, die, &symbol, &offset);
    if (!placed && dwarf_tag(die) != DW_TAG_formal_parameter) {
        constant(w, die);
        return;
    }
    symbol = placed ? symbol : NOWHERE; /* a struct that the kernel is given and only reads */
    offset = placed ? offset : 0;
    int line = 0;
    (void)dwarf_decl_line(die, &line);
    type_name(w, &type, type_text, sizeof type_text, 0);
    same = type;
    fprintf(w->to, "var\t%d\t%s%s\t%s\t%s\t%llu\t%llu\t%d\t%d\n", scope,
            names_around(w->around, die), name, type_text, symbol, (unsigned long long)offset,
            (unsigned long long)bytes_of(&same, 0), line,
            dwarf_tag(die) == DW_TAG_formal_parameter);
    int left = MAX_LEAVES;
    leaves(w, &type, (leaf){0}, 0, &left);
    target(w, &type);
}

static void members_of(walk *w, Dwarf_Die *die, int scope);

static void block(walk *w, Dwarf_Die *die, int outer) {
    Dwarf_Addr low = 0, high = 0;
    const char *begin, *end;
    if (dwarf_lowpc(die, &low) != 0 || dwarf_highpc(die, &high) != 0) {
        members_of(w, die, outer); /* in pieces: its variables live as long as the outer ones */
        return;
    }
    begin = symbol_at(w, low);
    end = symbol_at(w, high);
    if (begin == NULL || end == NULL)
        return;
    fprintf(w->to, "scope\t%d\t%s\t%s\n", outer, begin, end);
    members_of(w, die, w->scopes++);
}

static void members_of(walk *w, Dwarf_Die *die, int scope) {
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter: variable(w, &child, scope); break;
        case DW_TAG_template_value_parameter: constant(w, &child); break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine: block(w, &child, scope); break;
        default: break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* ---- functions ---- */

static void function(walk *w, Dwarf_Die *die) {
    Dwarf_Addr low = 0;
    Dwarf_Attribute attr;
    const char *linkage = NULL, *name = NULL;
    if (dwarf_lowpc(die, &low) != 0)
        return;
    if (dwarf_attr_integrate(die, DW_AT_name, &attr) != NULL)
        name = dwarf_formstring(&attr);
    if (dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) != NULL ||
        dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) != NULL)
        linkage = dwarf_formstring(&attr);
    if (name == NULL)
        return;
    int line = 0;
    (void)dwarf_decl_line(die, &line);
    const char *file = dwarf_decl_file(die);
    fprintf(w->to, "func\t%s\t%s%s\t%d\t%s\n", linkage != NULL ? linkage : name,
            names_around(w->around, die), name, line, file != NULL ? file : "");
    w->scopes = 0;
    members_of(w, die, -1);
}

static void functions_in(walk *w, Dwarf_Die *parent) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram: function(w, &child); break;
        case DW_TAG_namespace:
        case DW_TAG_union_type:
        case DW_TAG_structure_type:
        case DW_TAG_class_type: functions_in(w, &child); break;
        default: break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* Names of an enumeration's numbers. */
static void enumerators(const walk *w, Dwarf_Die *type) {
    const char *of = dwarf_diename(type), *around = names_around(w->around, type);
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0)
        return;
    do {
        Dwarf_Attribute attr;
        Dwarf_Sword number = 0;
        if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_diename(&child) != NULL &&
            dwarf_attr(&child, DW_AT_const_value, &attr) != NULL &&
            dwarf_formsdata(&attr, &number) == 0)
            fprintf(w->to, "value\t%s%s\t%s\t%lld\n", around, of != NULL ? of : "",
                    dwarf_diename(&child), (long long)number);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* Of all structs and arrays that pointers point to, those in structs too. */
static void types(const walk *w) {
    for (int i = 0; i < w->pointees->count; i++) {
        Dwarf_Die die = w->pointees->die[i], same = die;
        int left = MAX_LEAVES;
        char name[MAX_TYPE];
        type_name(w, &die, name, sizeof name, 0);
        fprintf(w->to, "type\t%s\t%llu\n", name, (unsigned long long)bytes_of(&same, 0));
        leaves(w, &die, (leaf){0}, 0, &left);
    }
}

/* Those that a function or a block of it declares. */
static void enumerations_in(const walk *w, Dwarf_Die *parent) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return;
    do {
        if (dwarf_tag(&child) == DW_TAG_enumeration_type)
            enumerators(w, &child);
        else if (dwarf_tag(&child) == DW_TAG_lexical_block)
            enumerations_in(w, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* Variables outside functions come first, under no function. */
static void globals_in(walk *w, Dwarf_Die *parent) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return;
    do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable)
            variable(w, &child, -1);
        else if (tag == DW_TAG_member) /* static constexpr int SIDE = 8 */
            constant(w, &child);
        else if (tag == DW_TAG_enumeration_type)
            enumerators(w, &child);
        else if (tag == DW_TAG_subprogram)
            enumerations_in(w, &child);
        else if (names_is_scope(&child))
            globals_in(w, &child);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static bool globals_of(void *walk, Dwarf_Die *unit) {
    globals_in(walk, unit);
    return true;
}

static bool functions_of(void *walk, Dwarf_Die *unit) {
    functions_in(walk, unit);
    return true;
}

bool names_write(uint8_t *elf, size_t size, const symbol_list *symbols, FILE *to) {
    elf_version(EV_CURRENT);
    Elf *e = elf_memory((char *)elf, size);
    Dwarf *dwarf = e != NULL ? dwarf_begin_elf(e, DWARF_C_READ, NULL) : NULL;
    if (dwarf == NULL) {
        fprintf(stderr, "vgpu-names: libdw cannot read the debugging information: %s\n",
                e == NULL ? elf_errmsg(-1) : dwarf_errmsg(-1));
        elf_end(e);
        return false;
    }
    pointees *all = calloc(1, sizeof *all);
    scope_list around = {0};
    walk w = {.symbols = symbols, .around = &around, .to = to, .pointees = all};
    const bool ok = all != NULL && names_find_scopes(dwarf, &around);
    if (ok) {
        (void)names_each_unit(dwarf, globals_of, &w);
        (void)names_each_unit(dwarf, functions_of, &w);
        types(&w);
    }
    free(all);
    names_free_scopes(&around);
    dwarf_end(dwarf);
    elf_end(e);
    return ok;
}
