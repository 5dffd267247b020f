#include "segment/sections_names.h"

#include <stdlib.h>
#include <string.h>

/* A hash table of offsets + 1, 0 where free; at most half full. */

static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Where the name stands or would stand. */
static uint32_t *find(const struct dj_sections *sections, const char *name, size_t length)
{
    size_t mask = sections->index_size - 1;
    for (size_t at = hash_of(name, length) & mask;; at = (at + 1) & mask) {
        uint32_t offset = sections->index[at];
        if (offset == 0) {
            return &sections->index[at];
        }
        const char *text = sections->names.data + offset - 1;
        if (strncmp(text, name, length) == 0 && text[length] == '\0') {
            return &sections->index[at];
        }
    }
}

static int grow(struct dj_sections *sections, struct dj_error *err)
{
    uint32_t *old = sections->index;
    size_t old_size = sections->index_size;
    size_t size = old_size == 0 ? 1024 : 2 * old_size;
    uint32_t *index = calloc(size, sizeof(*index));
    if (index == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for names");
    }
    sections->index = index;
    sections->index_size = size;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i] != 0) {
            const char *name = sections->names.data + old[i] - 1;
            *find(sections, name, strlen(name)) = old[i];
        }
    }
    free(old);
    return 0;
}

int dj_sections_intern(struct dj_sections *sections, const char *name, size_t length,
                       uint32_t *offset, struct dj_error *err)
{
    length = strnlen(name, length);
    if (2 * sections->index_used >= sections->index_size) {
        int code = grow(sections, err);
        if (code != 0) {
            return code;
        }
    }
    uint32_t *place = find(sections, name, length);
    if (*place == 0) {
        size_t at = sections->names.length;
        if (at > UINT32_MAX - 1024) {
            return dj_error_set(err, DJ_E_LIMIT, "more than 4 GiB of names");
        }
        dj_text_append(&sections->names, name, length);
        dj_text_append(&sections->names, "", 1);
        if (sections->names.failed) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for names");
        }
        *place = (uint32_t)at + 1;
        sections->index_used++;
    }
    *offset = *place - 1;
    return 0;
}
