#include "calls/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "memory/memory.h"

void dj_calls_tree_finish(struct dj_calls_tree *tree)
{
    free(tree->functions);
    free(tree->nodes);
    dj_map_finish(&tree->function_places);
    dj_map_finish(&tree->node_places);
    dj_map_finish(&tree->string_places);
    dj_memory_strings_finish(&tree->strings);
    *tree = (struct dj_calls_tree){0};
}

/* Returns the stored copy of a text. Equal texts have the same copy. */
static const char *add_string(struct dj_calls_tree *tree, struct dj_str text)
{
    if (text.length == 0) {
        return "";
    }
    uint64_t hash = dj_hash_bytes(text.at, text.length);
    size_t at, found = dj_map_first(&tree->string_places, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(&tree->string_places, hash, &at)) {
        if (dj_str_is(text, tree->strings.all[found])) {
            return tree->strings.all[found];
        }
    }
    char *copy = dj_xcopy(text.at, text.length);
    dj_xcheck(dj_map_add(&tree->string_places, hash, tree->strings.count));
    const char *stored = dj_memory_strings_add(&tree->strings, copy);
    free(copy);
    return stored;
}

/* Returns true if the name is an offset in a file ("libx.so!0x1a2b"). */
static bool parse_offset(struct dj_str name, uint64_t *offset)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = name.length;
    uint64_t value = 0;
    while (at > 0 && memchr(digits, name.at[at - 1], 16) != NULL) {
        at--;
    }
    size_t count = name.length - at;
    if (at < 3 || count == 0 || count > 16 || memcmp(name.at + at - 3, "!0x", 3) != 0) {
        return false;
    }
    for (; at < name.length; at++) {
        const char *digit = memchr(digits, name.at[at], 16);
        value = value << 4 | (uint64_t)(digit - digits);
    }
    *offset = value;
    return true;
}

bool dj_calls_is_offset(struct dj_str name)
{
    uint64_t offset;
    return parse_offset(name, &offset);
}

static struct dj_str get_file_name(struct dj_str path)
{
    size_t from = path.length;
    while (from > 0 && path.at[from - 1] != '/') {
        from--;
    }
    return dj_str_from(path, from);
}

/* Returns true for the name of a module such as "[kernel.kallsyms]" or "[i915]", but not
 * for memory of a program that is in no file, such as "[vdso]". */
static bool is_in_kernel_brackets(struct dj_str module)
{
    static const char *const memory[] = {"[vdso",  "[vsyscall", "[vvar",    "[vectors",
                                         "[heap",  "[stack",    "[anon",    "[sigpage",
                                         "[email", "[uprobes",  "[unknown", "[JIT"};
    for (size_t i = 0; i < COUNT_OF(memory); i++) {
        if (dj_str_begins(module, memory[i])) {
            return false;
        }
    }
    return dj_str_begins(module, "[kernel") || dj_str_begins(module, "[guest.kernel") ||
           (dj_str_begins(module, "[") && dj_str_ends(module, "]"));
}

/* perf, simpleperf and Perfetto have different names for the kernel and its modules. */
static bool is_kernel_module(struct dj_str module)
{
    static const char *const suffixes[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst"};
    static const char *const paths[] = {"/kernel", "/proc/kcore", "/proc/kallsyms"};
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        if (dj_str_ends(module, suffixes[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        if (dj_str_is(module, paths[i])) {
            return true;
        }
    }
    return is_in_kernel_brackets(module) ||
           dj_str_begins(get_file_name(module), "vmlinux");
}

/* Without a module, the offset is an address in memory. The kernel has the upper half. */
static bool is_kernel_address(const struct dj_calls_address *address)
{
    return address->module.length == 0 &&
           (dj_str_is(address->name, "[kernel]") || address->offset >> 63 != 0);
}

static struct dj_calls_function describe(struct dj_calls_tree *tree,
                                         const struct dj_calls_address *address)
{
    struct dj_calls_function function = {.module = add_string(tree, address->module),
                                         .build_id = add_string(tree, address->build_id),
                                         .offset = address->offset,
                                         .in_kernel = address->in_kernel ||
                                                      is_kernel_address(address)};
    if (address->name.length > 0 && !parse_offset(address->name, &function.offset)) {
        function.named = true;
        function.offset = 0;
        function.name = add_string(tree, address->name);
        return function;
    }
    struct dj_str file = get_file_name(address->module);
    char *name = file.length == 0
                     ? dj_xformat("0x%" PRIx64, function.offset)
                     : dj_xformat("%.*s!0x%" PRIx64, (int)(file.length & INT32_MAX),
                                  file.at, function.offset);
    function.name = add_string(tree, dj_str_of(name));
    free(name);
    return function;
}

/* A function of the program and a function of the kernel may have the same name. */
static bool is_same(const struct dj_calls_function *a, const struct dj_calls_function *b)
{
    bool has_module = a->module[0] != '\0';
    return a->name == b->name && a->module == b->module && a->build_id == b->build_id &&
           a->offset == b->offset && a->named == b->named &&
           (has_module || a->in_kernel == b->in_kernel);
}

uint32_t dj_calls_tree_add_function(struct dj_calls_tree *tree,
                                    const struct dj_calls_address *address)
{
    struct dj_calls_function function = describe(tree, address);
    uint64_t hash = ((uintptr_t)function.name * 31 + (uintptr_t)function.module) * 31 +
                    (uintptr_t)function.build_id;
    size_t at, found = dj_map_first(&tree->function_places, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(&tree->function_places, hash, &at)) {
        if (is_same(&tree->functions[found], &function)) {
            return (uint32_t)found;
        }
    }
    function.in_kernel = function.in_kernel || is_kernel_module(address->module);
    dj_xcheck(dj_map_add(&tree->function_places, hash, tree->function_count));
    DJ_XPUSH(tree->functions, tree->function_count, function);
    return (uint32_t)(tree->function_count - 1);
}

uint32_t dj_calls_tree_add_node(struct dj_calls_tree *tree, uint32_t parent,
                                uint32_t function)
{
    if (tree->node_count == 0) {
        DJ_XPUSH(tree->nodes, tree->node_count, (struct dj_calls_node){0});
    }
    const struct dj_calls_node *caller = &tree->nodes[parent];
    uint16_t depth = parent == DJ_CALLS_ROOT ? 0 : (uint16_t)(caller->depth + 1);
    uint64_t key = (uint64_t)parent << 32 | function;
    size_t found = dj_map_get(&tree->node_places, key);
    if (found != DJ_MAP_NONE) {
        return (uint32_t)found;
    }
    if (depth >= DJ_CALLS_DEPTH_MAX) {
        return parent;
    }
    dj_xcheck(dj_map_set(&tree->node_places, key, tree->node_count));
    DJ_XPUSH(tree->nodes, tree->node_count,
             (struct dj_calls_node){parent, function, depth});
    return (uint32_t)(tree->node_count - 1);
}

uint32_t dj_calls_tree_find_kernel_caller(const struct dj_calls_tree *tree, uint32_t node)
{
    uint32_t at = node;
    while (at != DJ_CALLS_ROOT && tree->functions[tree->nodes[at].function].in_kernel) {
        at = tree->nodes[at].parent;
    }
    return at != DJ_CALLS_ROOT ? at : node;
}

static uint32_t copy_function(struct dj_calls_copy *copy, uint32_t function)
{
    if (copy->function_count < copy->from->function_count) {
        DJ_XEXTEND(copy->functions, copy->function_count, 2 * copy->from->function_count);
    }
    if (copy->functions[function] == 0) {
        const struct dj_calls_function *source = &copy->from->functions[function];
        const struct dj_calls_address address = {
            .name = dj_str_of(source->named ? source->name : ""),
            .module = dj_str_of(source->module),
            .build_id = dj_str_of(source->build_id),
            .offset = source->offset,
            .in_kernel = source->in_kernel};
        copy->functions[function] = dj_calls_tree_add_function(copy->to, &address) + 1;
    }
    return copy->functions[function] - 1;
}

uint32_t dj_calls_copy_node(struct dj_calls_copy *copy, uint32_t node)
{
    uint32_t path[DJ_CALLS_DEPTH_MAX];
    size_t count = 0;
    if (node == DJ_CALLS_ROOT) {
        return DJ_CALLS_ROOT;
    }
    if (copy->node_count < copy->from->node_count) {
        DJ_XEXTEND(copy->nodes, copy->node_count, 2 * copy->from->node_count);
    }
    uint32_t at = node;
    for (; at != DJ_CALLS_ROOT && copy->nodes[at] == 0;
         at = copy->from->nodes[at].parent) {
        path[count++] = at;
    }
    uint32_t copied = at == DJ_CALLS_ROOT ? DJ_CALLS_ROOT : copy->nodes[at] - 1;
    while (count > 0) {
        uint32_t next = path[--count];
        copied = dj_calls_tree_add_node(
            copy->to, copied, copy_function(copy, copy->from->nodes[next].function));
        copy->nodes[next] = copied + 1;
    }
    return copied;
}

void dj_calls_copy_finish(struct dj_calls_copy *copy)
{
    free(copy->nodes);
    free(copy->functions);
    *copy = (struct dj_calls_copy){0};
}
