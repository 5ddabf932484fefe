/* vgpu-names-scopes.c: see vgpu-names-scopes.h. */
#include "vgpu/tools/vgpu-names-scopes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool names_is_scope(Dwarf_Die *die) {
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: return true;
    default: return false;
    }
}

bool names_each_unit(Dwarf *dwarf, on_unit *act, void *self) {
    Dwarf_Off at = 0, next = 0;
    size_t header = 0;
    while (dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + header, &unit) != NULL && !act(self, &unit))
            return false;
        at = next;
    }
    return true;
}

static bool note(scope_list *list, Dwarf_Die *die, const char *around) {
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        scope_of *more = realloc(list->of, room * sizeof *more);
        if (more == NULL)
            return false;
        list->of = more;
        list->room = room;
    }
    list->of[list->count++] = (scope_of){dwarf_dieoffset(die), around};
    return true;
}

/* "lab::" and "inner" are "lab::inner::". */
static const char *deeper(scope_list *list, const char *around, const char *name) {
    char **more = realloc(list->text, (list->texts + 1) * sizeof *more), *text = NULL;
    if (more == NULL)
        return NULL;
    list->text = more;
    if (asprintf(&text, "%s%s::", around, name) < 0)
        return NULL;
    list->text[list->texts++] = text;
    return text;
}

static bool all_in(scope_list *list, Dwarf_Die *parent, const char *around) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0)
        return true;
    do {
        const char *name = dwarf_diename(&child), *within = around;
        if (*around != '\0' && !note(list, &child, around))
            return false;
        if (!names_is_scope(&child) || !dwarf_haschildren(&child))
            continue;
        if (name != NULL)
            within = deeper(list, around, name);
        if (within == NULL || !all_in(list, &child, within))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

static bool all_of_unit(void *self, Dwarf_Die *unit) {
    return all_in(self, unit, "");
}

bool names_find_scopes(Dwarf *dwarf, scope_list *to) {
    return names_each_unit(dwarf, all_of_unit, to);
}

void names_free_scopes(scope_list *list) {
    for (size_t i = 0; i < list->texts; i++)
        free(list->text[i]);
    free(list->text);
    free(list->of);
}

static int by_offset(const void *a, const void *b) {
    const Dwarf_Off x = *(const Dwarf_Off *)a, y = ((const scope_of *)b)->die;
    return (x > y) - (x < y);
}

const char *names_around(const scope_list *list, Dwarf_Die *die) {
    Dwarf_Die declared = *die, before;
    Dwarf_Attribute attr;
    while ((dwarf_attr(&declared, DW_AT_specification, &attr) != NULL ||
            dwarf_attr(&declared, DW_AT_abstract_origin, &attr) != NULL) &&
           dwarf_formref_die(&attr, &before) != NULL)
        declared = before;
    const Dwarf_Off at = dwarf_dieoffset(&declared);
    const scope_of *found =
        list->count > 0 ? bsearch(&at, list->of, list->count, sizeof *list->of, by_offset) : NULL;
    return found != NULL ? found->around : "";
}
