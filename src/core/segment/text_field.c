#include "segment/text_field.h"

#include <string.h>

void dj_text_field_copy(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
}
