/* Computes hashes of bytes. */
#ifndef DEJANK_BASE_HASH_H
#define DEJANK_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The initial hash for dj_hash_fnv(). */
#define DJ_HASH_FNV UINT64_C(0xcbf29ce484222325)

/* The 64-bit FNV-1a hash of the bytes. `hash` is DJ_HASH_FNV, or the hash of the bytes
 * before these. The result is equal in every version and on every machine, so it may be
 * stored or used as an id. */
uint64_t dj_hash_fnv(uint64_t hash, const void *bytes, size_t length);

/* A faster hash, for keys of dj_map. The result may differ between machines and versions,
 * so it must not be stored. */
uint64_t dj_hash_bytes(const void *bytes, size_t length);

#endif
