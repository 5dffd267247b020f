#include "hooks/link_map.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* The tables of one loaded object. */
struct object {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const char *soname;            /* DT_SONAME, or "" if the object has none. */
    const ElfW(Versym) * versions; /* Versions of the symbols, or NULL if they have
                                    * none. */
    const uint32_t *gnu_hash;      /* The DT_GNU_HASH table, or NULL. */
    const uint32_t *hash;          /* The DT_HASH table, or NULL. */
};

enum {
    VERSION_HIDDEN = 0x8000 /* Set for a version that is not the default version of
                             * its name. */
};

/* Compares without strcmp(), because a sanitizer's strcmp() calls dlsym() while it
 * initialises itself, and the hook of dlsym() calls this function. */
static bool are_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static uintptr_t compute_distance(uintptr_t a, uintptr_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns the address of a table. glibc adds the object's base to the addresses in a
 * dynamic section that is writable. The dynamic section of the vDSO is read-only, so the
 * addresses in it are relative to the base. A table is in the same object as the section.
 * So of the two possible addresses, with and without the base, the one nearer to the
 * section is right. The base is a difference of addresses. It may have any value, and the
 * addition may wrap around. */
static const void *get_table(const struct link_map *map, uintptr_t address)
{
    uintptr_t section = (uintptr_t)map->l_ld, with_base = map->l_addr + address;
    return (const void *)(compute_distance(with_base, section) <
                                  compute_distance(address, section)
                              ? with_base
                              : address);
}

static void read_tables(const struct link_map *map, struct object *object)
{
    size_t soname = 0;
    *object = (struct object){.base = map->l_addr, .soname = ""};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *table = get_table(map, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_SYMTAB:
            object->symbols = table;
            break;
        case DT_STRTAB:
            object->strings = table;
            break;
        case DT_VERSYM:
            object->versions = table;
            break;
        case DT_GNU_HASH:
            object->gnu_hash = table;
            break;
        case DT_HASH:
            object->hash = table;
            break;
        case DT_SONAME:
            soname = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (soname != 0 && object->strings != NULL) {
        object->soname = object->strings + soname;
    }
}

static bool is_function(const struct object *object, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
           (type == STT_FUNC || type == STT_NOTYPE) &&
           (object->versions == NULL ||
            (object->versions[index] & VERSION_HIDDEN) == 0) &&
           are_equal(object->strings + symbol->st_name, name);
}

static uint32_t compute_gnu_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name != '\0'; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash;
}

/* Returns the index of the symbol, or 0. The table begins with four numbers: the number
 * of buckets, the index of the first symbol, the number of words of the filter, and the
 * shift of the filter. They are followed by the filter, the buckets, and one hash for
 * each symbol. Bit 0 of a hash is set in the last symbol of a bucket. */
static uint32_t find_by_gnu_hash(const struct object *object, const char *name)
{
    const uint32_t *table = object->gnu_hash;
    const uint32_t bucket_count = table[0], first = table[1];
    const uint32_t *buckets =
        (const uint32_t *)((const ElfW(Addr) *)(table + 4) + table[2]);
    const uint32_t *hashes = buckets + bucket_count;
    uint32_t hash = compute_gnu_hash(name);
    uint32_t index = bucket_count != 0 ? buckets[hash % bucket_count] : 0;
    if (index < first) {
        return 0;
    }
    for (;; index++) {
        uint32_t found = hashes[index - first];
        if ((found | 1) == (hash | 1) && is_function(object, index, name)) {
            return index;
        }
        if ((found & 1) != 0) {
            return 0;
        }
    }
}

static uint32_t compute_hash(const char *name)
{
    uint32_t hash = 0;
    for (; *name != '\0'; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash ^= (hash & 0xf0000000) >> 24;
        hash &= 0x0fffffff;
    }
    return hash;
}

/* Returns the index of the symbol, or 0. The table contains: the number of buckets,
 * the number of symbols, the buckets, and for each symbol the index of the next symbol
 * in its bucket. */
static uint32_t find_by_hash(const struct object *object, const char *name)
{
    const uint32_t *buckets = object->hash + 2;
    const uint32_t *next = buckets + object->hash[0];
    uint32_t index =
        object->hash[0] != 0 ? buckets[compute_hash(name) % object->hash[0]] : 0;
    while (index != 0 && !is_function(object, index, name)) {
        index = next[index];
    }
    return index;
}

static void *find_function(const struct object *object, const char *name)
{
    uint32_t index = 0;
    if (object->symbols == NULL || object->strings == NULL) {
        return NULL;
    }
    if (object->gnu_hash != NULL) {
        index = find_by_gnu_hash(object, name);
    } else if (object->hash != NULL) {
        index = find_by_hash(object, name);
    }
    return index != 0 ? (void *)(object->base + object->symbols[index].st_value) : NULL;
}

void *dj_link_map_next(const char *name)
{
    void *found = NULL;
    bool is_after = false;
    for (const struct link_map *map = _r_debug.r_map; found == NULL && map != NULL;
         map = map->l_next) {
        if (is_after) {
            struct object object;
            read_tables(map, &object);
            found = find_function(&object, name);
        }
        is_after = is_after || map->l_ld == _DYNAMIC;
    }
    return found;
}

void *dj_link_map_find(const char *soname, const char *name)
{
    void *found = NULL;
    for (const struct link_map *map = _r_debug.r_map; found == NULL && map != NULL;
         map = map->l_next) {
        struct object object;
        read_tables(map, &object);
        if (are_equal(object.soname, soname)) {
            found = find_function(&object, name);
        }
    }
    return found;
}

/* Returns the dynamic section of an object, or NULL. */
static ElfW(Dyn) * get_dynamic_section(const struct dl_phdr_info *info)
{
    ElfW(Dyn) *dynamic = NULL;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            dynamic = (ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        }
    }
    return dynamic;
}

static void read_object(const struct dl_phdr_info *info, struct object *object)
{
    const struct link_map map = {.l_addr = info->dlpi_addr,
                                 .l_ld = get_dynamic_section(info)};
    *object = (struct object){.soname = ""};
    if (map.l_ld != NULL) {
        read_tables(&map, object);
    }
}

struct path_search {
    const char *library;
    char *path;
    size_t size;
};

static int compare_path(struct dl_phdr_info *info, size_t size, void *user)
{
    const struct path_search *search = user;
    struct object object;
    (void)size;
    /* The program itself has an empty name. */
    if (info->dlpi_name == NULL || info->dlpi_name[0] == '\0') {
        return 0;
    }
    read_object(info, &object);
    size_t length = strlen(info->dlpi_name);
    if (length >= search->size || (!are_equal(info->dlpi_name, search->library) &&
                                   !are_equal(object.soname, search->library))) {
        return 0;
    }
    memcpy(search->path, info->dlpi_name, length + 1);
    return 1;
}

bool dj_link_map_path(const char *library, char *path, size_t size)
{
    struct path_search search = {library, path, size};
    return dl_iterate_phdr(compare_path, &search) == 1;
}

static int defines_symbol(struct dl_phdr_info *info, size_t size, void *user)
{
    struct object object;
    (void)size;
    if (get_dynamic_section(info) == _DYNAMIC) {
        return 0;
    }
    read_object(info, &object);
    return find_function(&object, user) != NULL;
}

bool dj_link_map_defines(const char *name)
{
    return dl_iterate_phdr(defines_symbol, (void *)name) == 1;
}
