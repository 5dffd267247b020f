/* SHA-256 (FIPS 180-4). It names pieces of evidence. */
#ifndef DEJANK_STORE_SHA256_H
#define DEJANK_STORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DJ_SHA256_HEX_BYTES = 65 }; /* hexadecimal digits and a NUL */

struct dj_sha256 {
    uint32_t state[8];
    uint64_t length; /* in bytes, so far */
    uint8_t block[64];
};

void dj_store_sha256_init(struct dj_sha256 *hash);
void dj_store_sha256_add(struct dj_sha256 *hash, const void *bytes, size_t length);
/* Adds the text with its NUL, so that no two lists of texts give the same bytes. NULL
 * counts as "". */
void dj_store_sha256_add_text(struct dj_sha256 *hash, const char *text);
/* Writes the hash as lower-case digits and ends it. */
void dj_store_sha256_end(struct dj_sha256 *hash, char hex[DJ_SHA256_HEX_BYTES]);

/* dj_store_sha256_of_texts() hashes several texts like dj_store_sha256_add_text().
 * dj_store_sha256_of_bytes() hashes one block of bytes. */
void dj_store_sha256_of_texts(const char *const *texts, size_t count,
                              char hex[DJ_SHA256_HEX_BYTES]);
void dj_store_sha256_of_bytes(const void *bytes, size_t length,
                              char hex[DJ_SHA256_HEX_BYTES]);

#endif
