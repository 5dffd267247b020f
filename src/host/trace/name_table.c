#include "trace/name_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "memory/memory.h"

enum { BLOCK = 1 << 16 };

struct dj_trace_names_block {
    struct dj_trace_names_block *before;
    size_t used, size;
    char bytes[];
};

void dj_trace_names_finish(struct dj_trace_names *names)
{
    while (names->block != NULL) {
        struct dj_trace_names_block *before = names->block->before;
        free(names->block);
        names->block = before;
    }
    dj_map_finish(&names->map);
    *names = (struct dj_trace_names){0};
}

static const char *add(struct dj_trace_names *names, uint64_t hash, struct dj_str text)
{
    size_t size = text.length + 1;
    if (names->block == NULL || names->block->size - names->block->used < size) {
        size_t bytes = size > BLOCK ? size : BLOCK;
        struct dj_trace_names_block *block = dj_xresize(NULL, sizeof(*block) + bytes, 1);
        *block = (struct dj_trace_names_block){.before = names->block, .size = bytes};
        names->block = block;
    }
    char *name = names->block->bytes + names->block->used;
    names->block->used += size;
    dj_xcheck(dj_map_add(&names->map, hash, (uintptr_t)name));
    memcpy(name, text.at, text.length);
    name[text.length] = '\0';
    return name;
}

const char *dj_trace_names_add(struct dj_trace_names *names, struct dj_str text)
{
    /* Half of all edges are ends of sections, which have no name. For them the table is
     * not searched. */
    static const char nameless[] = "";
    text.length = text.length == 0 ? 0 : strnlen(text.at, text.length);
    if (text.length == 0) {
        return nameless;
    }
    uint64_t hash = dj_hash_bytes(text.at, text.length);
    size_t at, found = dj_map_first(&names->map, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(&names->map, hash, &at)) {
        const char *name = (const char *)found;
        if (strncmp(name, text.at, text.length) == 0 && name[text.length] == '\0') {
            return name;
        }
    }
    return add(names, hash, text);
}
