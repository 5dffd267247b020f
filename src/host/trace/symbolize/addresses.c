#include "trace/symbolize/addresses.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "calls/tree.h"
#include "memory/memory.h"
#include "trace/model/build_id.h"

/* Returns true if the mapping is of a file. Code in anonymous memory and code of the
 * kernel is in no file. */
static bool is_file(const struct dj_event_mapping *mapping)
{
    return mapping != NULL && dj_str_begins(mapping->path, "/") &&
           !dj_str_begins(mapping->path, "//");
}

static bool is_module(const struct dj_sampled_module *module,
                      const struct dj_event_mapping *mapping)
{
    struct dj_str id = {module->stored_id, module->stored_id_length};
    return dj_str_is(mapping->path, module->path) && dj_str_equal(id, mapping->build_id);
}

static struct dj_sampled_module *add_module(struct dj_sampled_addresses *sampled,
                                            const struct dj_event_mapping *mapping)
{
    uint64_t key = dj_hash_bytes(mapping->path.at, mapping->path.length) ^
                   dj_hash_bytes(mapping->build_id.at, mapping->build_id.length);
    size_t at;
    for (size_t i = dj_map_first(&sampled->places, key, &at); i != DJ_MAP_NONE;
         i = dj_map_next(&sampled->places, key, &at)) {
        if (is_module(&sampled->modules[i], mapping)) {
            return &sampled->modules[i];
        }
    }
    struct dj_sampled_module module = {
        .path = dj_xcopy(mapping->path.at, mapping->path.length),
        .stored_id = dj_xcopy(mapping->build_id.at, mapping->build_id.length),
        .stored_id_length = mapping->build_id.length,
        .build_id = dj_trace_read_build_id(mapping->build_id)};
    dj_xcheck(dj_map_add(&sampled->places, key, sampled->module_count));
    DJ_XPUSH(sampled->modules, sampled->module_count, module);
    return &sampled->modules[sampled->module_count - 1];
}

/* Adds the function to the module if it is new, and returns its index. All addresses with
 * the same generated name belong to one function. An address without any name is a
 * function of its own. */
static uint32_t add_function(struct dj_sampled_module *module, struct dj_str given)
{
    uint64_t key = dj_hash_bytes(given.at, given.length);
    size_t at, found = DJ_MAP_NONE;
    if (given.length > 0) {
        found = dj_map_first(&module->function_places, key, &at);
        while (found != DJ_MAP_NONE &&
               !dj_str_is(given, module->functions[found].given)) {
            found = dj_map_next(&module->function_places, key, &at);
        }
    }
    if (found == DJ_MAP_NONE) {
        struct dj_unnamed_function function = {.given = dj_xcopy(given.at, given.length)};
        found = module->function_count;
        if (given.length > 0) {
            dj_xcheck(dj_map_add(&module->function_places, key, found));
        }
        DJ_XPUSH(module->functions, module->function_count, function);
    }
    return (uint32_t)found;
}

static void add_call(struct dj_sampled_addresses *sampled,
                     const struct dj_event_call *call)
{
    bool is_named = call->function.length > 0 && !dj_calls_is_offset(call->function);
    if (call->is_symbolized || !is_file(call->mapping)) {
        return;
    }
    struct dj_sampled_module *module = add_module(sampled, call->mapping);
    if (dj_map_get(&module->address_places, call->address) == DJ_MAP_NONE) {
        uint32_t function = is_named ? DJ_HAS_NAME : add_function(module, call->function);
        struct dj_sampled_address address = {call->address, function};
        dj_xcheck(
            dj_map_set(&module->address_places, call->address, module->address_count));
        DJ_XPUSH(module->addresses, module->address_count, address);
    }
}

int dj_sampled_addresses_add(void *user, const struct dj_event *event)
{
    struct dj_sampled_addresses *sampled = user;
    if (event->kind == DJ_EVENT_STACK && event->stack != NULL) {
        sampled->stacks += event->stack->lost == 0;
        for (size_t i = 0; i < event->stack->count; i++) {
            add_call(sampled, &event->stack->frames[i]);
        }
    }
    return 0;
}

static void finish_module(struct dj_sampled_module *module)
{
    for (size_t i = 0; i < module->function_count; i++) {
        free(module->functions[i].given);
    }
    dj_map_finish(&module->address_places);
    dj_map_finish(&module->function_places);
    free(module->path);
    free(module->stored_id);
    free(module->addresses);
    free(module->functions);
}

void dj_sampled_addresses_finish(struct dj_sampled_addresses *sampled)
{
    for (size_t i = 0; i < sampled->module_count; i++) {
        finish_module(&sampled->modules[i]);
    }
    dj_map_finish(&sampled->places);
    free(sampled->modules);
}
