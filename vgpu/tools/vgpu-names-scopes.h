/*
 * vgpu-names-scopes.h: what stands around a thing's name in C++: the namespaces and structs that it
 * is declared in, as "lab::inner::".
 *
 * Contract: the tree is walked once; an unnamed namespace is nothing to whoever names things in it.
 */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct scope_of {
    Dwarf_Off die;
    const char *around; /* one of the list's */
} scope_of;

typedef struct scope_list {
    scope_of *of; /* by rising offsets */
    size_t count, room;
    char **text;
    size_t texts;
} scope_list;

/* False: out of memory. Either way names_free_scopes frees what there is. */
bool names_find_scopes(Dwarf *dwarf, scope_list *to);
void names_free_scopes(scope_list *list);
/* "" where nothing is around it. What is only defined here is where it was declared. */
const char *names_around(const scope_list *list, Dwarf_Die *die);
/* May its name be followed by "::"? */
bool names_is_scope(Dwarf_Die *die);

typedef bool on_unit(void *self, Dwarf_Die *unit);
/* Until one says false. */
bool names_each_unit(Dwarf *dwarf, on_unit *act, void *self);
