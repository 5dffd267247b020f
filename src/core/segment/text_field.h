/* Writes the text fields of the shared files. */
#ifndef DEJANK_SEGMENT_TEXT_FIELD_H
#define DEJANK_SEGMENT_TEXT_FIELD_H

#include <stddef.h>

/* Copies a string to a field of `size` bytes. Truncates a longer string, and fills the
 * rest of the field with zeros. */
void dj_text_field_copy(char *to, size_t size, const char *from);

#endif
