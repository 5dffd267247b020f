#include "stacks/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "memory/memory.h"
#include "stacks/names/demangle.h"
#include "stacks/names/perf_map.h"

/* A file, or the anonymous memory of a process, that contains functions. */
struct source {
    char *path;
    struct dj_stacks_build_id build_id;
    struct dj_stacks_elf *elf; /* The open file, or NULL if the file cannot be used. */
    bool owns_elf;
    /* The debug file of the file, or NULL if there is none. Owned by this struct. */
    struct dj_stacks_elf *debug;
    pid_t pid; /* For anonymous memory: the process id. Otherwise 0. */
};

struct process_map {
    pid_t pid;
    struct dj_perf_map rows;
};

struct dj_stacks_names {
    struct dj_stacks_maps *maps;
    /* Debug files of the caller, which owns them. May be NULL. */
    struct dj_stacks_debug_files *files;
    /* Sources of names. The struct owns the array and its elements. */
    struct source **sources;
    size_t source_count;
    /* Maps the number of a mapping to the index of its source. */
    struct dj_map of_mappings;
    /* Maps a hash of path and build-id to the index of a source. */
    struct dj_map of_files;
    /* Names. The struct owns the array, its elements and their strings. */
    struct dj_stacks_name **names;
    size_t name_count;
    /* Maps a hash of source, kind and start to the index of a name. */
    struct dj_map index;
    struct process_map *process_maps;
    size_t process_map_count;
};

struct dj_stacks_names *dj_stacks_names_create(struct dj_stacks_maps *maps,
                                               struct dj_stacks_debug_files *files)
{
    struct dj_stacks_names *names = dj_xcalloc(1, sizeof(*names));
    struct source nothing = {.path = dj_xstrdup("")};
    names->maps = maps;
    names->files = files;
    DJ_XPUSH(names->sources, names->source_count, dj_xcalloc(1, sizeof(nothing)));
    *names->sources[0] = nothing;
    return names;
}

static void destroy_name(struct dj_stacks_name *name)
{
    free((void *)name->text);
    free((void *)name->symbol);
    free(name);
}

static void destroy_source(struct source *source)
{
    free(source->path);
    dj_stacks_elf_close(source->debug);
    if (source->owns_elf) {
        dj_stacks_elf_close(source->elf);
    }
    free(source);
}

void dj_stacks_names_destroy(struct dj_stacks_names *names)
{
    if (names == NULL) {
        return;
    }
    for (size_t i = 0; i < names->name_count; i++) {
        destroy_name(names->names[i]);
    }
    for (size_t i = 0; i < names->source_count; i++) {
        destroy_source(names->sources[i]);
    }
    for (size_t i = 0; i < names->process_map_count; i++) {
        dj_perf_map_finish(&names->process_maps[i].rows);
    }
    dj_map_finish(&names->of_mappings);
    dj_map_finish(&names->of_files);
    dj_map_finish(&names->index);
    free(names->sources);
    free(names->names);
    free(names->process_maps);
    free(names);
}

char *dj_stacks_names_demangle(const char *symbol)
{
    return dj_names_demangle(symbol);
}

static const char *get_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Returns the text MODULE!0xSTART, or only 0xSTART if there is no module. */
static char *format_place(const struct source *source, uint64_t start)
{
    const char *base = get_base(source->path);
    return dj_xformat("%s%s0x%" PRIx64, base, base[0] == '\0' ? "" : "!", start);
}

/* Returns the name with this source, kind and start, and adds it if it is new. `symbol`
 * may be NULL. */
static const struct dj_stacks_name *add_name(struct dj_stacks_names *names, size_t index,
                                             enum dj_stacks_name_kind kind,
                                             uint64_t start, const char *symbol)
{
    const struct source *source = names->sources[index];
    uint64_t key = start ^ (uint64_t)index << 40 ^ (uint64_t)kind << 60;
    size_t at;
    for (size_t i = dj_map_first(&names->index, key, &at); i != DJ_MAP_NONE;
         i = dj_map_next(&names->index, key, &at)) {
        const struct dj_stacks_name *name = names->names[i];
        if (name->start == start && name->kind == kind && name->path == source->path &&
            (symbol == NULL || strcmp(name->symbol, symbol) == 0)) {
            return name;
        }
    }
    struct dj_stacks_name *name = dj_xcalloc(1, sizeof(*name));
    char *text = symbol == NULL ? format_place(source, start) : dj_names_demangle(symbol);
    *name = (struct dj_stacks_name){
        .kind = kind,
        .text = text == NULL ? dj_xstrdup(symbol) : text,
        .symbol = dj_xstrdup(symbol),
        .module = get_base(source->path),
        .path = source->path,
        .build_id = source->build_id,
        .start = start,
    };
    dj_xcheck(dj_map_add(&names->index, key, names->name_count));
    DJ_XPUSH(names->names, names->name_count, name);
    return name;
}

/* Adds the name of a symbol. Removes a version such as "@GLIBC_2.2.5" from the symbol. */
static const struct dj_stacks_name *add_symbol(struct dj_stacks_names *names,
                                               size_t index,
                                               const struct dj_stacks_function *function)
{
    size_t length = strcspn(function->symbol, "@");
    char *symbol =
        dj_xcopy(function->symbol, length > 0 ? length : strlen(function->symbol));
    const struct dj_stacks_name *name =
        add_name(names, index, DJ_STACKS_NAME_SYMBOL, function->start, symbol);
    free(symbol);
    return name;
}

static const struct dj_stacks_name *find_in_source(struct dj_stacks_names *names,
                                                   size_t index, uint64_t address)
{
    struct source *source = names->sources[index];
    struct dj_stacks_function function;
    if ((source->debug != NULL &&
         dj_stacks_elf_find_symbol(source->debug, address, &function)) ||
        (source->elf != NULL &&
         dj_stacks_elf_find_symbol(source->elf, address, &function))) {
        return add_symbol(names, index, &function);
    }
    if (source->elf != NULL &&
        dj_stacks_elf_find_range(source->elf, address, &function)) {
        return add_name(names, index, DJ_STACKS_NAME_START, function.start, NULL);
    }
    return add_name(names, index, DJ_STACKS_NAME_MODULE, address, NULL);
}

static size_t add_source(struct dj_stacks_names *names, const struct source *source)
{
    struct source *copy = dj_xcalloc(1, sizeof(*copy));
    *copy = *source;
    copy->debug = dj_stacks_debug_files_open(names->files, &copy->build_id);
    DJ_XPUSH(names->sources, names->source_count, copy);
    return names->source_count - 1;
}

static size_t add_mapping(struct dj_stacks_names *names, uint32_t number)
{
    dj_stacks_maps_open(names->maps, number);
    const struct dj_stacks_mapping *mapping = dj_stacks_maps_get(names->maps, number);
    const struct dj_stacks_module *module =
        dj_stacks_maps_module(names->maps, mapping->module);
    uint64_t key = mapping->module;
    if (module->kind == DJ_STACKS_ANONYMOUS) {
        key |= (uint64_t)(uint32_t)mapping->pid << 32;
    }
    size_t index = dj_map_get(&names->of_mappings, key);
    if (index == DJ_MAP_NONE) {
        bool is_anonymous = module->kind == DJ_STACKS_ANONYMOUS &&
                            !dj_stacks_maps_is_recorded(names->maps);
        index = add_source(names, &(struct source){
                                      .path = dj_xstrdup(module->path),
                                      .build_id = module->build_id,
                                      .elf = module->elf,
                                      .pid = is_anonymous ? mapping->pid : 0,
                                  });
        dj_xcheck(dj_map_add(&names->of_mappings, key, index));
    }
    return index;
}

static const struct dj_perf_map *find_perf_map(struct dj_stacks_names *names, pid_t pid)
{
    for (size_t i = 0; i < names->process_map_count; i++) {
        if (names->process_maps[i].pid == pid) {
            return &names->process_maps[i].rows;
        }
    }
    struct process_map map = {.pid = pid};
    dj_perf_map_read(&map.rows, pid);
    DJ_XPUSH(names->process_maps, names->process_map_count, map);
    return &names->process_maps[names->process_map_count - 1].rows;
}

static const struct dj_stacks_name *find_jit(struct dj_stacks_names *names, size_t index,
                                             uint64_t address)
{
    const struct dj_perf_map *map = find_perf_map(names, names->sources[index]->pid);
    const struct dj_perf_map_row *row = dj_perf_map_find(map, address);
    return row == NULL
               ? NULL
               : add_name(names, index, DJ_STACKS_NAME_JIT, row->start, row->name);
}

const struct dj_stacks_name *dj_stacks_names_find(struct dj_stacks_names *names,
                                                  uint32_t number, uint64_t address)
{
    uint64_t file_address;
    if (number == DJ_STACKS_NO_MAPPING) {
        return add_name(names, 0, DJ_STACKS_NAME_NONE, address, NULL);
    }
    size_t index = add_mapping(names, number);
    if (dj_stacks_maps_file_address(names->maps, number, address, &file_address)) {
        return find_in_source(names, index, file_address);
    }
    const struct dj_stacks_name *name =
        names->sources[index]->pid == 0 ? NULL : find_jit(names, index, address);
    const struct dj_stacks_mapping *mapping = dj_stacks_maps_get(names->maps, number);
    uint64_t offset = address - mapping->start + mapping->file_offset;
    return name != NULL ? name
                        : add_name(names, index, DJ_STACKS_NAME_MODULE, offset, NULL);
}

static size_t add_file(struct dj_stacks_names *names, const char *path,
                       const struct dj_stacks_build_id *id)
{
    struct source source = {.path = dj_xstrdup(path), .build_id = *id, .owns_elf = true};
    if (id->length > 0 && dj_stacks_elf_open(path, &source.elf, NULL) == 0 &&
        !dj_stacks_build_id_equal(id, dj_stacks_elf_build_id(source.elf))) {
        dj_stacks_elf_close(source.elf);
        source.elf = NULL;
    }
    return add_source(names, &source);
}

/* Returns the index of the source with this path and build-id, and adds the source if it
 * is new. */
static size_t find_file(struct dj_stacks_names *names, const char *path,
                        const struct dj_stacks_build_id *id)
{
    uint64_t key =
        dj_hash_bytes(path, strlen(path)) ^ dj_hash_bytes(id->bytes, id->length);
    size_t at;
    for (size_t i = dj_map_first(&names->of_files, key, &at); i != DJ_MAP_NONE;
         i = dj_map_next(&names->of_files, key, &at)) {
        const struct source *source = names->sources[i];
        bool is_same_id = id->length == source->build_id.length &&
                          memcmp(id->bytes, source->build_id.bytes, id->length) == 0;
        if (strcmp(source->path, path) == 0 && is_same_id) {
            return i;
        }
    }
    size_t index = add_file(names, path, id);
    dj_xcheck(dj_map_add(&names->of_files, key, index));
    return index;
}

const struct dj_stacks_name *
dj_stacks_names_find_in_file(struct dj_stacks_names *names, const char *path,
                             const struct dj_stacks_build_id *id, uint64_t file_address)
{
    return find_in_source(names, find_file(names, path, id), file_address);
}

struct dj_stacks_elf *dj_stacks_names_find_debug_file(struct dj_stacks_names *names,
                                                      const char *path,
                                                      const struct dj_stacks_build_id *id)
{
    size_t index = find_file(names, path, id);
    return names->sources[index]->debug;
}
