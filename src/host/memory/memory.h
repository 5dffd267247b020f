/*
 * Memory of the host: functions that end the program where an allocation fails, so that
 * their callers need not check. Where the program must go on, as while a device's
 * settings are to be restored or a transaction is open, use malloc() or base/array.h,
 * which report the failure.
 */
#ifndef DEJANK_MEMORY_MEMORY_H
#define DEJANK_MEMORY_MEMORY_H

#include <stddef.h>

#include "base/text.h"

/* Does not return. */
typedef void (*dj_memory_handler)(void) __attribute__((noreturn));

/* Sets what is called when memory runs out. Call it before threads start. Without it the
 * program prints a line and ends with exit code 5. */
void dj_memory_set_handler(dj_memory_handler handler);

/* calloc(), of at least one element. */
void *dj_xzeroed(size_t count, size_t element_bytes);

/* dj_array_resize(), of at least one element. */
void *dj_xresize(void *array, size_t count, size_t element_bytes);

/* dj_array_room(). */
void *dj_xroom(void *array, size_t count, size_t element_bytes);

/* dj_text_copy(). */
char *dj_xcopy(const char *bytes, size_t length);

/* The text as dj_text_get() gives it, if every append had memory. */
const char *dj_xtext(const struct dj_text *text);

#endif
