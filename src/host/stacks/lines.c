#include "stacks/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/library.h"
#include "memory/memory.h"
#include "memory/strings.h"
#include "stacks/names/demangle.h"

#define DJ_LIBDW_FUNCTIONS(ROW)                                                          \
    ROW(dwarf_begin)                                                                     \
    ROW(dwarf_end)                                                                       \
    ROW(dwarf_addrdie)                                                                   \
    ROW(dwarf_nextcu)                                                                    \
    ROW(dwarf_offdie)                                                                    \
    ROW(dwarf_haspc)                                                                     \
    ROW(dwarf_getscopes)                                                                 \
    ROW(dwarf_getscopes_die)                                                             \
    ROW(dwarf_tag)                                                                       \
    ROW(dwarf_diename)                                                                   \
    ROW(dwarf_attr_integrate)                                                            \
    ROW(dwarf_formstring)                                                                \
    ROW(dwarf_formudata)                                                                 \
    ROW(dwarf_getsrc_die)                                                                \
    ROW(dwarf_linesrc)                                                                   \
    ROW(dwarf_lineno)                                                                    \
    ROW(dwarf_getsrcfiles)                                                               \
    ROW(dwarf_filesrc)

DJ_LIBRARY_DECLARE(dj_libdw, DJ_LIBDW_FUNCTIONS);
DJ_LIBRARY_DEFINE(dj_libdw, DJ_LIBDW_FUNCTIONS, "libdw.so.1", "libdw1",
                  "source lines and inlined functions");

struct dj_stacks_lines {
    int fd;
    Dwarf *dwarf;
    struct dj_strings names;
};

int dj_stacks_lines_load(struct dj_error *err)
{
    return dj_device_library_load(&dj_libdw_library, err);
}

struct dj_stacks_lines *dj_stacks_lines_open(const char *path)
{
    int fd = dj_stacks_lines_load(NULL) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    Dwarf *dwarf = fd < 0 ? NULL : dj_libdw->dwarf_begin(fd, DWARF_C_READ);
    if (dwarf == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    struct dj_stacks_lines *lines = dj_xcalloc(1, sizeof(*lines));
    lines->fd = fd;
    lines->dwarf = dwarf;
    return lines;
}

void dj_stacks_lines_close(struct dj_stacks_lines *lines)
{
    if (lines != NULL) {
        dj_libdw->dwarf_end(lines->dwarf);
        close(lines->fd);
        dj_memory_strings_finish(&lines->names);
        free(lines);
    }
}

/* Finds the compilation unit that contains the address. If the file's table of addresses
 * does not contain the address, searches all units, because clang writes no such
 * table. */
static bool find_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *unit)
{
    Dwarf_Off offset = 0, next;
    size_t header;
    if (dj_libdw->dwarf_addrdie(dwarf, address, unit) != NULL) {
        return true;
    }
    while (dj_libdw->dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
        if (dj_libdw->dwarf_offdie(dwarf, offset + header, unit) != NULL &&
            dj_libdw->dwarf_haspc(unit, address) == 1) {
            return true;
        }
        offset = next;
    }
    return false;
}

/* Returns the name in the form that symbols use. For a C++ function, this is its scopes
 * and its name. */
static const char *get_name(struct dj_stacks_lines *lines, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *linkage = NULL;
    if (dj_libdw->dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) !=
        NULL) {
        linkage = dj_libdw->dwarf_formstring(&attribute);
    }
    char *name = linkage == NULL ? NULL : dj_names_demangle(linkage);
    if (name == NULL) {
        return dj_libdw->dwarf_diename(function);
    }
    const char *stored = dj_memory_strings_add(&lines->names, name);
    free(name);
    return stored;
}

static bool get_number(Dwarf_Die *die, unsigned attribute_name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dj_libdw->dwarf_attr_integrate(die, attribute_name, &attribute) != NULL &&
           dj_libdw->dwarf_formudata(&attribute, number) == 0;
}

/* Sets the file and line of *line to the place from which the inlined function is
 * called. */
static void set_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct dj_stacks_line *line)
{
    Dwarf_Word file, number;
    Dwarf_Files *files;
    size_t count;
    if (get_number(inlined, DW_AT_call_line, &number) && number <= INT32_MAX) {
        line->line = (uint32_t)number;
    }
    if (get_number(inlined, DW_AT_call_file, &file) &&
        dj_libdw->dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count) {
        line->file = dj_libdw->dwarf_filesrc(files, file, NULL, NULL);
    }
}

/* Sets the file and line of *line to the source of the address. */
static void set_place(Dwarf_Die *unit, uint64_t address, struct dj_stacks_line *line)
{
    int number = 0;
    Dwarf_Line *found = dj_libdw->dwarf_getsrc_die(unit, address);
    if (found != NULL) {
        line->file = dj_libdw->dwarf_linesrc(found, NULL, NULL);
        if (dj_libdw->dwarf_lineno(found, &number) == 0 && number > 0) {
            line->line = (uint32_t)number;
        }
    }
}

/* Collects the functions among the scopes, innermost first. Returns their number. */
static size_t collect(struct dj_stacks_lines *lines, Dwarf_Die *unit, Dwarf_Die *scopes,
                      size_t scope_count,
                      struct dj_stacks_line found[DJ_STACKS_LINES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < scope_count && count < DJ_STACKS_LINES_MAX; i++) {
        int tag = dj_libdw->dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
            found[count++].function = get_name(lines, &scopes[i]);
        }
        if (tag == DW_TAG_subprogram) {
            return count;
        }
        if (tag == DW_TAG_inlined_subroutine && count < DJ_STACKS_LINES_MAX) {
            found[count] = (struct dj_stacks_line){.line = 0};
            set_call(unit, &scopes[i], &found[count]);
        }
    }
    return 0; /* The outermost function, which contains the others, is unknown. */
}

size_t dj_stacks_lines_find(struct dj_stacks_lines *lines, uint64_t address,
                            struct dj_stacks_line found[DJ_STACKS_LINES_MAX])
{
    Dwarf_Die unit, *innermost = NULL, *scopes = NULL;
    size_t count = 0;
    if (!find_unit(lines->dwarf, address, &unit)) {
        return 0;
    }
    found[0] = (struct dj_stacks_line){.line = 0};
    set_place(&unit, address, &found[0]);
    /* The first call also returns scopes around the definition of an inlined function.
     * The second call returns the scopes into which this function is inlined. */
    if (dj_libdw->dwarf_getscopes(&unit, address, &innermost) > 0) {
        int scope_count = dj_libdw->dwarf_getscopes_die(&innermost[0], &scopes);
        if (scope_count > 0) {
            count = collect(lines, &unit, scopes, (size_t)scope_count, found);
        }
    }
    free(innermost);
    free(scopes);
    return count;
}
