/* Hashes of bytes. */
#ifndef DEJANK_BASE_HASH_H
#define DEJANK_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The initial hash for dj_hash_fnv(). */
#define DJ_HASH_FNV UINT64_C(0xcbf29ce484222325)

/* FNV-1a with 64 bits, continued from `hash`. The same in every version and on every
 * machine: it may be stored and used for ids. */
uint64_t dj_hash_fnv(uint64_t hash, const void *bytes, size_t length);

/* A faster hash for keys of dj_map. It may differ between machines and versions. */
uint64_t dj_hash_bytes(const void *bytes, size_t length);

#endif
