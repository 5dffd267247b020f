/* Writes and reads bytes in hexadecimal, such as ids and hashes. */
#ifndef DEJANK_BASE_HEX_H
#define DEJANK_BASE_HEX_H

#include "base/str.h"

/* Writes two lower-case digits for each byte, and a NUL. `digits` must have space for
 * 2 * length + 1 bytes. */
void dj_hex_write(char *digits, const void *bytes, size_t length);

/* Reads exactly `length` bytes. Accepts digits of both cases. Returns false, and may have
 * changed `bytes`, if the text does not consist of 2 * length hexadecimal digits. */
bool dj_hex_read(struct dj_str digits, void *bytes, size_t length);

#endif
