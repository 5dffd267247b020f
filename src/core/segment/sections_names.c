#include "segment/sections_names.h"

#include <string.h>

#include "base/hash.h"

static int add_name(struct dj_text *names, struct dj_map *index, uint64_t hash,
                    const char *name, size_t length, struct dj_error *err)
{
    size_t at = names->length;
    if (at > UINT32_MAX - 1024) {
        return dj_error_set(err, DJ_E_LIMIT, "more than 4 GiB of names");
    }
    dj_text_append(names, name, length);
    dj_text_append(names, "", 1);
    return !names->failed && dj_map_add(index, hash, at)
               ? 0
               : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for names");
}

int dj_sections_names_intern(struct dj_text *names, struct dj_map *index,
                             const char *name, size_t length, uint32_t *offset,
                             struct dj_error *err)
{
    length = strnlen(name, length);
    uint64_t hash = dj_hash_bytes(name, length);
    size_t at, found = dj_map_first(index, hash, &at);
    for (; found != DJ_MAP_NONE; found = dj_map_next(index, hash, &at)) {
        const char *text = names->data + found;
        if (strncmp(text, name, length) == 0 && text[length] == '\0') {
            *offset = (uint32_t)found;
            return 0;
        }
    }
    *offset = (uint32_t)names->length;
    return add_name(names, index, hash, name, length, err);
}
