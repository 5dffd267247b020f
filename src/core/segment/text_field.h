/* Text fields of the shared files. */
#ifndef DEJANK_SEGMENT_TEXT_FIELD_H
#define DEJANK_SEGMENT_TEXT_FIELD_H

#include <stddef.h>

/* Fills a text field: truncates a long text and fills the rest with zeros. */
void dj_text_field_copy(char *to, size_t size, const char *from);

#endif
