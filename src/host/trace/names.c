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

static uint64_t load(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Fewer than eight bytes, above which is nothing; those in the middle may be there twice,
 * one over the other. */
static uint64_t load_few(const char *bytes, size_t length)
{
    uint32_t first, last;
    if (length >= sizeof(first)) {
        memcpy(&first, bytes, sizeof(first));
        memcpy(&last, bytes + length - sizeof(last), sizeof(last));
        return first | (uint64_t)last << 8 * (length - sizeof(last));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        word |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    }
    return word;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Eight bytes at a time: each event has a name to be looked up. The last ones of more
 * than eight are taken from the end, some of them twice. */
static uint32_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = length;
    if (length < sizeof(hash)) {
        return (uint32_t)mix(hash, load_few(bytes, length));
    }
    for (size_t i = 0; i + sizeof(hash) < length; i += sizeof(hash)) {
        hash = mix(hash, load(bytes + i));
    }
    return (uint32_t)mix(hash, load(bytes + length - sizeof(hash)));
}

static bool is_at(const struct dj_names_slot *slot, const char *bytes, size_t length,
                  uint32_t hash)
{
    return slot->hash == hash && slot->length == length &&
           memcmp(slot->name, bytes, length) == 0;
}

/* Where the name is, or would be. */
static struct dj_names_slot *slot_of(const struct dj_names *names, const char *bytes,
                                     size_t length, uint32_t hash)
{
    size_t at = hash & (names->capacity - 1);
    while (names->slots[at].name != NULL &&
           !is_at(&names->slots[at], bytes, length, hash)) {
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
        const struct dj_names_slot *slot = &names->slots[i];
        if (slot->name != NULL) {
            *slot_of(&grown, slot->name, slot->length, slot->hash) = *slot;
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
    static const char nameless[] = ""; /* half of all sections' edges: their ends */
    size_t length = words.length == 0 ? 0 : strnlen(words.at, words.length);
    const char *bytes = words.at;
    if (length == 0) {
        return nameless;
    }
    uint32_t hash = hash_of(bytes, length);
    if (length > UINT32_MAX ||
        (3 * names->count >= 2 * names->capacity && !grow(names))) {
        return NULL;
    }
    struct dj_names_slot *slot = slot_of(names, bytes, length, hash);
    if (slot->name == NULL) {
        char *name = room_for(names, length + 1);
        if (name == NULL) {
            return NULL;
        }
        memcpy(name, bytes, length);
        name[length] = '\0';
        *slot = (struct dj_names_slot){name, hash, (uint32_t)length};
        names->count++;
    }
    return slot->name;
}
