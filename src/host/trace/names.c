#include "trace/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "memory/memory.h"

enum { BLOCK = 1 << 16 };

struct name {
    uint32_t length;
    char text[];
};

struct dj_names_block {
    struct dj_names_block *before;
    size_t used, size;
    _Alignas(struct name) char bytes[];
};

void dj_names_finish(struct dj_names *names)
{
    while (names->block != NULL) {
        struct dj_names_block *before = names->block->before;
        free(names->block);
        names->block = before;
    }
    dj_map_finish(&names->map);
    *names = (struct dj_names){0};
}

static void *room_for(struct dj_names *names, size_t size)
{
    size = (size + _Alignof(struct name) - 1) & ~(_Alignof(struct name) - 1);
    if (names->block == NULL || names->block->size - names->block->used < size) {
        size_t bytes = size > BLOCK ? size : BLOCK;
        struct dj_names_block *block = dj_xresize(NULL, sizeof(*block) + bytes, 1);
        *block = (struct dj_names_block){.before = names->block, .size = bytes};
        names->block = block;
    }
    char *room = names->block->bytes + names->block->used;
    names->block->used += size;
    return room;
}

static const char *add(struct dj_names *names, uint64_t hash, const char *bytes,
                       size_t length)
{
    dj_xcheck(length <= UINT32_MAX);
    struct name *name = room_for(names, sizeof(struct name) + length + 1);
    dj_xcheck(dj_map_add(&names->map, hash, (uintptr_t)name));
    name->length = (uint32_t)length;
    memcpy(name->text, bytes, length);
    name->text[length] = '\0';
    return name->text;
}

const char *dj_names_keep(struct dj_names *names, struct dj_str text)
{
    static const char nameless[] = ""; /* half of all sections' edges: their ends */
    size_t length = text.length == 0 ? 0 : strnlen(text.at, text.length);
    if (length == 0) {
        return nameless;
    }
    uint64_t hash = dj_hash_bytes(text.at, length);
    size_t at, found = dj_map_first(&names->map, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(&names->map, hash, &at)) {
        const struct name *name = (const struct name *)found;
        if (name->length == length && memcmp(name->text, text.at, length) == 0) {
            return name->text;
        }
    }
    return add(names, hash, text.at, length);
}
