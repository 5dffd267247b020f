#include "trace/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, FIRST_CAPACITY = 256 };

struct dj_names_block {
    struct dj_names_block *before;
    size_t used, size;
    char bytes[];
};

void dj_names_finish(struct dj_names *names)
{
    while (names->block != NULL) {
        struct dj_names_block *before = names->block->before;
        free(names->block);
        names->block = before;
    }
    free(names->slots);
    *names = (struct dj_names){0};
}

/* FNV-1a of 64 bits. */
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash ^ hash >> 32;
}

/* Where the name is, or would be. */
static const char **slot_of(const struct dj_names *names, const char *bytes,
                            size_t length)
{
    size_t at = (size_t)hash_of(bytes, length) & (names->capacity - 1);
    while (names->slots[at] != NULL && (strncmp(names->slots[at], bytes, length) != 0 ||
                                        names->slots[at][length] != '\0')) {
        at = (at + 1) & (names->capacity - 1);
    }
    return &names->slots[at];
}

static bool grow(struct dj_names *names)
{
    struct dj_names grown = *names;
    grown.capacity = names->capacity == 0 ? FIRST_CAPACITY : 2 * names->capacity;
    grown.slots = calloc(grown.capacity, sizeof(*grown.slots));
    if (grown.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->capacity; i++) {
        const char *name = names->slots[i];
        if (name != NULL) {
            *slot_of(&grown, name, strlen(name)) = name;
        }
    }
    free(names->slots);
    *names = grown;
    return true;
}

static char *room_for(struct dj_names *names, size_t size)
{
    if (names->block == NULL || names->block->size - names->block->used < size) {
        size_t bytes = size > BLOCK ? size : BLOCK;
        struct dj_names_block *block = malloc(sizeof(*block) + bytes);
        if (block == NULL) {
            return NULL;
        }
        *block = (struct dj_names_block){.before = names->block, .size = bytes};
        names->block = block;
    }
    char *room = names->block->bytes + names->block->used;
    names->block->used += size;
    return room;
}

const char *dj_names_keep(struct dj_names *names, struct dj_words words)
{
    size_t length = words.length == 0 ? 0 : strnlen(words.at, words.length);
    const char *bytes = words.length == 0 ? "" : words.at;
    if (2 * names->count >= names->capacity && !grow(names)) {
        return NULL;
    }
    const char **slot = slot_of(names, bytes, length);
    if (*slot == NULL) {
        char *name = room_for(names, length + 1);
        if (name == NULL) {
            return NULL;
        }
        memcpy(name, bytes, length);
        name[length] = '\0';
        *slot = name;
        names->count++;
    }
    return *slot;
}
