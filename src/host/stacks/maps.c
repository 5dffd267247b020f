#include "stacks/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "memory/memory.h"
#include "stacks/maps_private.h"

/* Maximum number of mappings, more than any real program has. Further mappings are
 * ignored. Numbers of mappings are never reused. */
enum { MAPPINGS_MAX = 1 << 20 };

/* Maximum number of parts of all processes together. Without this limit, a damaged
 * recording with many forks could need any amount of memory. */
enum { PARTS_MAX = 1 << 22 };

struct dj_stacks_maps *dj_stacks_maps_create(void)
{
    return dj_xcalloc(1, sizeof(struct dj_stacks_maps));
}

void dj_stacks_maps_set_recorded(struct dj_stacks_maps *maps, int64_t recorded_s)
{
    maps->is_recorded = true;
    maps->recorded_s = recorded_s;
}

bool dj_stacks_maps_is_recorded(const struct dj_stacks_maps *maps)
{
    return maps->is_recorded;
}

void dj_stacks_maps_destroy(struct dj_stacks_maps *maps)
{
    if (maps == NULL) {
        return;
    }
    for (size_t i = 0; i < maps->module_count; i++) {
        dj_stacks_elf_close(maps->modules[i].elf);
        free((void *)maps->modules[i].path);
    }
    for (size_t i = 0; i < maps->process_count; i++) {
        dj_maps_layout_clear(&maps->processes[i].layout);
    }
    dj_map_finish(&maps->module_index);
    dj_map_finish(&maps->process_index);
    free(maps->modules);
    free(maps->mappings);
    free(maps->processes);
    free(maps);
}

/* Returns the length of the path without the suffix " (deleted)" that the kernel adds. */
static size_t measure_path(const char *path)
{
    static const char mark[] = " (deleted)";
    size_t length = strlen(path), marked = sizeof(mark) - 1;
    bool is_deleted = length > marked && strcmp(path + length - marked, mark) == 0;
    return is_deleted ? length - marked : length;
}

static enum dj_stacks_module_kind find_kind(struct dj_str path)
{
    static const char *const anonymous[] = {"//", "/memfd:", "/dev/", "/SYSV"};
    if (dj_str_is(path, "[vdso]")) {
        return DJ_STACKS_VDSO;
    }
    for (size_t i = 0; i < COUNT_OF(anonymous); i++) {
        if (dj_str_begins(path, anonymous[i])) {
            return DJ_STACKS_ANONYMOUS;
        }
    }
    return dj_str_begins(path, "/") ? DJ_STACKS_FILE : DJ_STACKS_ANONYMOUS;
}

static bool is_module(const struct dj_stacks_module *module,
                      const struct dj_stacks_new_mapping *mapping, struct dj_str path)
{
    bool is_other_build = mapping->build_id != NULL &&
                          !dj_stacks_build_id_equal(mapping->build_id, &module->build_id);
    return module->inode == mapping->inode && module->device == mapping->device &&
           dj_str_is(path, module->path) && !is_other_build;
}

static size_t find_module(const struct dj_stacks_maps *maps,
                          const struct dj_stacks_new_mapping *mapping, struct dj_str path,
                          uint64_t key)
{
    size_t at;
    size_t found = dj_map_first(&maps->module_index, key, &at);
    while (found != DJ_MAP_NONE && !is_module(&maps->modules[found], mapping, path)) {
        found = dj_map_next(&maps->module_index, key, &at);
    }
    return found;
}

static uint64_t hash_file(struct dj_str path, const struct dj_stacks_new_mapping *mapping)
{
    const uint64_t key[] = {dj_hash_bytes(path.at, path.length), mapping->device,
                            mapping->inode};
    return dj_hash_bytes(key, sizeof(key));
}

/* Adds the last module to the index. A damaged recording may have any number of build-ids
 * for a path, so each build-id has its own key. Only the first module of a path is also
 * found without a build-id. */
static void index_module(struct dj_stacks_maps *maps, struct dj_str path,
                         const struct dj_stacks_new_mapping *mapping, uint64_t path_key,
                         uint64_t key)
{
    struct dj_stacks_new_mapping any_build = *mapping;
    any_build.build_id = NULL;
    bool is_first = find_module(maps, &any_build, path, path_key) == DJ_MAP_NONE;
    dj_xcheck(dj_map_add(&maps->module_index, key, maps->module_count - 1));
    if (is_first && key != path_key) {
        dj_xcheck(dj_map_add(&maps->module_index, path_key, maps->module_count - 1));
    }
}

static uint32_t add_module(struct dj_stacks_maps *maps,
                           const struct dj_stacks_new_mapping *mapping)
{
    struct dj_str path = {mapping->path, measure_path(mapping->path)};
    uint64_t path_key = hash_file(path, mapping);
    uint64_t key = path_key;
    if (mapping->build_id != NULL) {
        key ^= dj_hash_bytes(mapping->build_id->bytes, mapping->build_id->length);
    }
    size_t found = find_module(maps, mapping, path, key);
    found = found != DJ_MAP_NONE ? found : find_module(maps, mapping, path, path_key);
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    struct dj_stacks_module module = {
        .kind = find_kind(path),
        .path = dj_xcopy(path.at, path.length),
        .device = mapping->device,
        .inode = mapping->inode,
    };
    if (mapping->build_id != NULL) {
        module.build_id = *mapping->build_id;
    }
    DJ_XPUSH(maps->modules, maps->module_count, module);
    index_module(maps, path, mapping, path_key, key);
    return (uint32_t)(maps->module_count - 1);
}

struct dj_maps_process *dj_maps_find_process(const struct dj_stacks_maps *maps, pid_t pid)
{
    size_t index = dj_map_get(&maps->process_index, (uint64_t)pid);
    return index == DJ_MAP_NONE ? NULL : &maps->processes[index];
}

static struct dj_maps_process *add_process(struct dj_stacks_maps *maps, pid_t pid)
{
    struct dj_maps_process *process = dj_maps_find_process(maps, pid);
    if (process == NULL) {
        dj_xcheck(dj_map_add(&maps->process_index, (uint64_t)pid, maps->process_count));
        DJ_XPUSH(maps->processes, maps->process_count,
                 (struct dj_maps_process){.pid = pid});
        process = &maps->processes[maps->process_count - 1];
    }
    return process;
}

uint32_t dj_maps_process_find(struct dj_maps_process *process, uint64_t address)
{
    const struct dj_maps_part *part = dj_maps_layout_find(&process->layout, address);
    return part == NULL ? DJ_STACKS_NO_MAPPING : part->mapping;
}

uint32_t dj_stacks_maps_find(struct dj_stacks_maps *maps, pid_t pid, uint64_t address)
{
    struct dj_maps_process *process = dj_maps_find_process(maps, pid);
    return process == NULL ? DJ_STACKS_NO_MAPPING
                           : dj_maps_process_find(process, address);
}

static bool is_known(const struct dj_stacks_maps *maps, struct dj_maps_process *process,
                     const struct dj_stacks_mapping *mapping)
{
    const struct dj_maps_part *part =
        dj_maps_layout_find(&process->layout, mapping->start);
    if (part == NULL) {
        return false;
    }
    const struct dj_stacks_mapping *other = &maps->mappings[part->mapping];
    return part->start == mapping->start && part->end == mapping->end &&
           other->module == mapping->module &&
           mapping->start - other->start == mapping->file_offset - other->file_offset;
}

void dj_stacks_maps_add(struct dj_stacks_maps *maps,
                        const struct dj_stacks_new_mapping *mapping)
{
    struct dj_stacks_mapping added = {.start = mapping->start,
                                      .file_offset = mapping->file_offset,
                                      .pid = mapping->pid};
    if (mapping->size == 0 || maps->mapping_count >= MAPPINGS_MAX ||
        __builtin_add_overflow(mapping->start, mapping->size, &added.end)) {
        return;
    }
    added.module = add_module(maps, mapping);
    struct dj_maps_process *process = add_process(maps, mapping->pid);
    if (is_known(maps, process, &added)) {
        return;
    }
    DJ_XPUSH(maps->mappings, maps->mapping_count, added);
    maps->part_count -= process->layout.count;
    dj_maps_layout_add(&process->layout,
                       (struct dj_maps_part){added.start, added.end,
                                             (uint32_t)(maps->mapping_count - 1)});
    maps->part_count += process->layout.count;
    process->generation = ++maps->generation;
}

/* Copies a mapping for a child process. A mapping of a file is shared with the parent.
 * Anonymous memory gets a new mapping, because the perf map of a JIT belongs to one
 * process. */
static uint32_t copy_mapping(struct dj_stacks_maps *maps, uint32_t number, pid_t child)
{
    struct dj_stacks_mapping mapping = maps->mappings[number];
    if (maps->modules[mapping.module].kind != DJ_STACKS_ANONYMOUS ||
        maps->mapping_count >= MAPPINGS_MAX) {
        return number;
    }
    mapping.pid = child;
    DJ_XPUSH(maps->mappings, maps->mapping_count, mapping);
    return (uint32_t)(maps->mapping_count - 1);
}

void dj_stacks_maps_fork(struct dj_stacks_maps *maps, pid_t parent, pid_t child)
{
    if (parent == child || dj_maps_find_process(maps, parent) == NULL) {
        return;
    }
    struct dj_maps_process *process = add_process(maps, child);
    const struct dj_maps_process *from = dj_maps_find_process(maps, parent);
    size_t count = from->layout.count;
    if (maps->part_count > PARTS_MAX || count > PARTS_MAX - maps->part_count) {
        return;
    }
    maps->part_count += count - process->layout.count;
    dj_maps_layout_copy(&process->layout, &from->layout);
    for (size_t i = 0; i < process->layout.block_count; i++) {
        const struct dj_maps_block *block = &process->layout.blocks[i];
        for (size_t j = 0; j < block->count; j++) {
            block->parts[j].mapping = copy_mapping(maps, block->parts[j].mapping, child);
        }
    }
    process->generation = ++maps->generation;
}

void dj_stacks_maps_exec(struct dj_stacks_maps *maps, pid_t pid)
{
    struct dj_maps_process *process = dj_maps_find_process(maps, pid);
    if (process != NULL) {
        maps->part_count -= process->layout.count;
        dj_maps_layout_clear(&process->layout);
        process->generation = ++maps->generation;
    }
}

void dj_stacks_maps_exit(struct dj_stacks_maps *maps, pid_t pid)
{
    dj_stacks_maps_exec(maps, pid);
}

size_t dj_stacks_maps_count(const struct dj_stacks_maps *maps)
{
    return maps->mapping_count;
}

const struct dj_stacks_mapping *dj_stacks_maps_get(const struct dj_stacks_maps *maps,
                                                   uint32_t mapping)
{
    return &maps->mappings[mapping];
}

size_t dj_stacks_maps_module_count(const struct dj_stacks_maps *maps)
{
    return maps->module_count;
}

const struct dj_stacks_module *dj_stacks_maps_module(const struct dj_stacks_maps *maps,
                                                     uint32_t module)
{
    return &maps->modules[module];
}
