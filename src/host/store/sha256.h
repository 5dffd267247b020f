/* SHA-256 (FIPS 180-4). The hash is the name of evidence in the store. */
#ifndef DEJANK_STORE_SHA256_H
#define DEJANK_STORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DJ_SHA256_HEX_BYTES = 65 }; /* 64 hexadecimal digits and a NUL. */

struct dj_sha256 {
    uint32_t state[8];
    uint64_t length; /* Number of bytes so far. */
    uint8_t block[64];
};

void dj_store_sha256_init(struct dj_sha256 *hash);
void dj_store_sha256_add(struct dj_sha256 *hash, const void *bytes, size_t length);
/* Adds a text and its NUL. Because of the NUL, lists such as ("ab", "c") and ("a", "bc")
 * give different hashes. NULL is treated as "". */
void dj_store_sha256_add_text(struct dj_sha256 *hash, const char *text);
/* Finishes the hash and writes it as lower-case hexadecimal digits. */
void dj_store_sha256_end(struct dj_sha256 *hash, char hex[DJ_SHA256_HEX_BYTES]);

/* dj_store_sha256_of_texts() hashes several texts like dj_store_sha256_add_text().
 * dj_store_sha256_of_bytes() hashes a block of bytes. */
void dj_store_sha256_of_texts(const char *const *texts, size_t count,
                              char hex[DJ_SHA256_HEX_BYTES]);
void dj_store_sha256_of_bytes(const void *bytes, size_t length,
                              char hex[DJ_SHA256_HEX_BYTES]);

#endif
