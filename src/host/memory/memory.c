#include "memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"

enum { EXIT_INTERNAL = 5 };

__attribute__((noreturn)) static void end_program(void)
{
    fputs("dejank: out of memory\n", stderr);
    _exit(EXIT_INTERNAL);
}

static dj_memory_handler handler = end_program;

void dj_memory_set_handler(dj_memory_handler new_handler)
{
    handler = new_handler;
}

static void *check(void *memory)
{
    if (memory == NULL) {
        handler();
    }
    return memory;
}

void *dj_xzeroed(size_t count, size_t element_bytes)
{
    return check(calloc(count + (count == 0), element_bytes));
}

void *dj_xresize(void *array, size_t count, size_t element_bytes)
{
    return check(dj_array_resize(array, count + (count == 0), element_bytes));
}

void *dj_xroom(void *array, size_t count, size_t element_bytes)
{
    return check(dj_array_room(array, count, element_bytes));
}

char *dj_xcopy(const char *bytes, size_t length)
{
    return check(dj_text_copy(bytes, length));
}

const char *dj_xtext(const struct dj_text *text)
{
    if (text->failed && !text->full) {
        handler();
    }
    return dj_text_get(text);
}
