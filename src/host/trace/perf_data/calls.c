#include "trace/perf_data/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { CALLS_MOST = 1 << 18 };

struct dj_perf_call {
    uint64_t address;
    uint32_t mapping;
    struct dj_event_call call;
};

static void forget_calls(struct dj_perf_calls *calls)
{
    for (size_t i = 0; i < calls->mapping_count; i++) {
        free(calls->mappings[i]);
    }
    dj_memory_strings_finish(&calls->strings);
    dj_map_clear(&calls->call_places);
    calls->mapping_count = calls->call_count = 0;
}

void dj_perf_data_calls_limit(struct dj_perf_calls *calls)
{
    if (calls->call_count > CALLS_MOST) {
        forget_calls(calls);
    }
}

void dj_perf_data_calls_finish(struct dj_perf_calls *calls)
{
    forget_calls(calls);
    free(calls->calls);
    free(calls->mappings);
    dj_map_finish(&calls->call_places);
    *calls = (struct dj_perf_calls){.maps = NULL};
}

/* Copies the path of the kernel without the symbol name that perf appends. */
static void cut_kernel_path(const char *path, char *cut, size_t size)
{
    size_t length = strcspn(path, "]");
    length += path[length] == ']';
    snprintf(cut, size, "%.*s", (int)(length < size ? length : size - 1), path);
}

void dj_perf_data_calls_add_mapping(struct dj_perf_calls *calls,
                                    const struct dj_stacks_new_mapping *mapping)
{
    struct dj_stacks_new_mapping added = *mapping;
    char path[64];
    if (added.build_id == NULL) {
        added.build_id = dj_perf_data_find_build_id(calls->file, added.path);
    }
    if (added.pid == DJ_PERF_KERNEL && added.path[0] == '[') {
        cut_kernel_path(mapping->path, path, sizeof(path));
        added.path = path;
        if (added.build_id == NULL) {
            added.build_id = dj_perf_data_find_build_id(calls->file, path);
        }
    }
    dj_stacks_maps_add(calls->maps, &added);
}

static struct dj_event_mapping *create_mapping(const struct dj_perf_calls *calls,
                                               uint32_t number)
{
    struct dj_event_mapping *created =
        dj_xcalloc(1, sizeof(*created) + DJ_STACKS_BUILD_ID_MAX);
    const struct dj_stacks_mapping *mapping = dj_stacks_maps_get(calls->maps, number);
    const struct dj_stacks_module *module =
        dj_stacks_maps_module(calls->maps, mapping->module);
    /* The array of modules may move when a module is added, but the strings of paths do
     * not. */
    char *build_id = (char *)(created + 1);
    memcpy(build_id, module->build_id.bytes, module->build_id.length);
    *created = (struct dj_event_mapping){.path = dj_str_of(module->path),
                                         .build_id = {build_id, module->build_id.length},
                                         .start = mapping->start,
                                         .end = mapping->end,
                                         .offset = mapping->file_offset};
    return created;
}

/* Returns the description of a mapping. A module that can be opened must be opened
 * before, because that may change the module's data. */
static struct dj_event_mapping *get_mapping(struct dj_perf_calls *calls, uint32_t number)
{
    if (number >= calls->mapping_count) {
        size_t count = (size_t)number + 1;
        calls->mappings =
            dj_xresize(calls->mappings, count, sizeof(struct dj_event_mapping *));
        while (calls->mapping_count < count) {
            calls->mappings[calls->mapping_count++] = NULL;
        }
    }
    if (calls->mappings[number] == NULL) {
        calls->mappings[number] = create_mapping(calls, number);
    }
    return calls->mappings[number];
}

static struct dj_str copy_name(struct dj_perf_calls *calls, struct dj_str name)
{
    char *symbol = dj_xcopy(name.at, strnlen(name.at, name.length));
    char *demangled = dj_stacks_names_demangle(symbol);
    const char *copy =
        dj_memory_strings_add(&calls->strings, demangled != NULL ? demangled : symbol);
    free(symbol);
    free(demangled);
    return dj_str_of(copy);
}

/* Finds the symbol that the file itself stores for an address. Changes the address of the
 * call to the numbering of these symbols, if the relation is known. */
static bool find_recorded_symbol(struct dj_perf_calls *calls,
                                 const struct dj_event_mapping *mapping, uint64_t offset,
                                 struct dj_event_call *call)
{
    char *path = dj_xcopy(mapping->path.at, mapping->path.length);
    const struct dj_perf_symbol_file *file =
        dj_perf_data_symbols_find_file(calls->symbols, path);
    free(path);
    if (file == NULL || file->addresses == DJ_PERF_SYMBOL_PROCESS ||
        (file->addresses == DJ_PERF_SYMBOL_ELF && !file->has_offset)) {
        return false;
    }
    call->address = file->addresses == DJ_PERF_SYMBOL_ELF
                        ? offset - file->code_offset + file->code_address
                        : offset;
    const struct dj_perf_symbol *symbol = dj_perf_data_symbols_find(file, call->address);
    if (symbol != NULL) {
        call->function = copy_name(calls, symbol->name);
    }
    return symbol != NULL;
}

static void find_local_name(struct dj_perf_calls *calls, uint32_t number,
                            uint64_t address, struct dj_event_call *call)
{
    uint64_t file_address;
    if (!dj_stacks_maps_file_address(calls->maps, number, address, &file_address)) {
        return;
    }
    const struct dj_stacks_name *name =
        dj_stacks_names_find(calls->names, number, address);
    call->address = file_address;
    if (name->kind == DJ_STACKS_NAME_SYMBOL || name->kind == DJ_STACKS_NAME_START) {
        call->function = dj_str_of(name->text);
    }
}

/* Describes a kernel function. All kernel functions without a symbol are treated as a
 * single function without an address. */
static struct dj_event_call describe_kernel(struct dj_perf_calls *calls,
                                            const struct dj_event_mapping *mapping,
                                            uint64_t address)
{
    struct dj_event_call call = {.mapping = mapping, .function = dj_str_of("[kernel]")};
    char *path = dj_xcopy(mapping->path.at, mapping->path.length);
    const struct dj_perf_symbol_file *file =
        dj_perf_data_symbols_find_file(calls->symbols, path);
    const struct dj_perf_symbol *symbol =
        file != NULL && file->addresses == DJ_PERF_SYMBOL_PROCESS
            ? dj_perf_data_symbols_find(file, address)
            : NULL;
    free(path);
    if (symbol != NULL) {
        call.function = copy_name(calls, symbol->name);
        call.address = address;
    }
    return call;
}

static struct dj_event_call describe(struct dj_perf_calls *calls, uint32_t number,
                                     uint64_t address)
{
    bool is_kernel = dj_stacks_maps_get(calls->maps, number)->pid == DJ_PERF_KERNEL;
    if (!is_kernel) {
        dj_stacks_maps_open(calls->maps, number);
    }
    struct dj_event_mapping *mapping = get_mapping(calls, number);
    if (is_kernel) {
        return describe_kernel(calls, mapping, address);
    }
    uint64_t offset = address - mapping->start + mapping->offset;
    struct dj_event_call call = {.mapping = mapping, .address = offset};
    if (!find_recorded_symbol(calls, mapping, offset, &call)) {
        find_local_name(calls, number, address, &call);
    }
    mapping->load_bias = call.address - offset;
    return call;
}

struct dj_event_call dj_perf_data_calls_describe(struct dj_perf_calls *calls,
                                                 uint32_t mapping, uint64_t address)
{
    uint64_t key = address * 31 + mapping;
    size_t at;
    if (mapping == DJ_STACKS_NO_MAPPING) {
        return (struct dj_event_call){.address = address};
    }
    for (size_t i = dj_map_first(&calls->call_places, key, &at); i != DJ_MAP_NONE;
         i = dj_map_next(&calls->call_places, key, &at)) {
        if (calls->calls[i].address == address && calls->calls[i].mapping == mapping) {
            return calls->calls[i].call;
        }
    }
    struct dj_perf_call added = {address, mapping, describe(calls, mapping, address)};
    DJ_XRESERVE(calls->calls, calls->call_capacity, calls->call_count + 1);
    dj_xcheck(dj_map_add(&calls->call_places, key, calls->call_count));
    calls->calls[calls->call_count++] = added;
    return added.call;
}

struct dj_event_call dj_perf_data_calls_describe_kernel(struct dj_perf_calls *calls,
                                                        uint64_t address)
{
    uint32_t number = dj_stacks_maps_find(calls->maps, DJ_PERF_KERNEL, address);
    return number == DJ_STACKS_NO_MAPPING
               ? (struct dj_event_call){.function = dj_str_of("[kernel]")}
               : dj_perf_data_calls_describe(calls, number, address);
}
