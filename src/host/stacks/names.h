/* Names the function of an address. The name is the symbol that contains the address.
 * Without such a symbol, the name is MODULE!0xSTART, where START is the start of the
 * function in its file. This name and the build-id identify the function in every run,
 * and a debug file can replace it by a symbol later. The nearest symbol is never used,
 * because it is wrong for most functions of stripped files. */
#ifndef DEJANK_STACKS_NAMES_H
#define DEJANK_STACKS_NAMES_H

#include "stacks/debug_files.h"
#include "stacks/maps.h"

enum dj_stacks_name_kind {
    DJ_STACKS_NAME_SYMBOL, /* A symbol of the file or of its debug file. */
    DJ_STACKS_NAME_JIT,    /* A row of the perf map that the JIT wrote. */
    DJ_STACKS_NAME_START,  /* Only the start of the function is known. */
    DJ_STACKS_NAME_MODULE, /* Only the file is known; `start` is the address itself. */
    DJ_STACKS_NAME_NONE,   /* The address is in no known mapping. */
};

/* A name of a function. The strings are valid until dj_stacks_names_destroy(). Escape
 * them before printing. */
struct dj_stacks_name {
    enum dj_stacks_name_kind kind;
    /* Name for users: "Scene::draw" for a C++ function (scopes and name without
     * parameters and template arguments), the symbol for other functions, or
     * MODULE!0xSTART. */
    const char *text;
    const char *symbol; /* The symbol before demangling, or NULL if no symbol is known. */
    const char *module; /* File name of the module without its folder, or "". */
    const char *path;   /* Path of the module, or "". */
    struct dj_stacks_build_id build_id;
    /* Start of the function as an address in its file. For the kinds JIT and NONE, an
     * address in the process. */
    uint64_t start;
};

/* Converts a mangled C++ symbol to the name that `text` has ("Scene::draw"). Returns NULL
 * for other symbols. The caller frees the name. */
char *dj_stacks_names_demangle(const char *symbol);

struct dj_stacks_names;

/* Creates an object that names functions. If `files` is NULL, only /usr/lib/debug is
 * searched for debug files. `maps` may be NULL if only dj_stacks_names_find_in_file() is
 * used. Both arguments must exist as long as the result. */
struct dj_stacks_names *dj_stacks_names_create(struct dj_stacks_maps *maps,
                                               struct dj_stacks_debug_files *files);
void dj_stacks_names_destroy(struct dj_stacks_names *names);

/* Names the function that contains an address of a process. `mapping` is the mapping of
 * the address or DJ_STACKS_NO_MAPPING. For a caller, pass dj_stacks_frame_code_address().
 * All addresses of a function give the same pointer, so the pointer identifies the
 * function. Never returns NULL. */
const struct dj_stacks_name *dj_stacks_names_find(struct dj_stacks_names *names,
                                                  uint32_t mapping, uint64_t address);

/* Names a function of a recorded trace, from the path and build-id of its module and an
 * address in the file (rel_pc of Perfetto). Uses the debug file with this build-id, or
 * the file at this path if it has the same build-id. If the length of `id` is 0, the file
 * at this path is not used, because it may be another file. */
const struct dj_stacks_name *
dj_stacks_names_find_in_file(struct dj_stacks_names *names, const char *path,
                             const struct dj_stacks_build_id *id, uint64_t file_address);

/* Returns the debug file that names the functions of this module, or NULL if there is
 * none. The pointer is valid until dj_stacks_names_destroy(). */
struct dj_stacks_elf *
dj_stacks_names_find_debug_file(struct dj_stacks_names *names, const char *path,
                                const struct dj_stacks_build_id *id);

#endif
