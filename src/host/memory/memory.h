/* memory: allocations that cannot fail. If memory runs out, the handler ends the program,
 * so callers check nothing. Code that must do something first (restore the settings of a
 * device, end a transaction) uses base, which returns the failure. Any thread may call
 * all functions except dj_memory_on_failure(). */
#ifndef DEJANK_MEMORY_MEMORY_H
#define DEJANK_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* Sets the handler for a lack of memory. It must not allocate, and must not return: the
 * program aborts then. Without a handler the program aborts at once. */
void dj_memory_on_failure(void (*handler)(void));
/* Calls the handler. */
_Noreturn void dj_memory_failed(void);

/* The executable replaces malloc() (cli/allocator.c), and a failure calls the handler.
 * After dj_memory_return_failures(true), malloc() returns NULL until the same call with
 * false. Calls nest. The functions below call the handler also then. */
void dj_memory_return_failures(bool start);
/* Returns whether a failed malloc() calls the handler. False if there is no handler. */
bool dj_memory_failure_ends(void);

/* Calls the handler if an allocation failed. `succeeded`: the result of a function. */
static inline void dj_xcheck(bool succeeded)
{
    if (!succeeded) {
        dj_memory_failed();
    }
}

/* The same for functions that return an error code. Returns any code except
 * DJ_E_NO_MEMORY. */
static inline int dj_xcode(int code)
{
    dj_xcheck(code != DJ_E_NO_MEMORY);
    return code;
}

/* Returns zeroed memory, never NULL. The caller frees it with free(), as the results of
 * the functions below. */
void *dj_xcalloc(size_t count, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));
/* As dj_array_resize(). */
void *dj_xresize(void *array, size_t count, size_t element_bytes)
    __attribute__((returns_nonnull));
/* Returns a copy of a string. NULL for NULL. */
char *dj_xstrdup(const char *string) __attribute__((malloc));
/* As dj_text_copy(). */
char *dj_xcopy(const char *bytes, size_t length) __attribute__((malloc, returns_nonnull));
char *dj_xformat(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* As the macros of base/array.h. */
#define DJ_XROOM(array, count) dj_xcheck(DJ_ARRAY_ROOM(array, count))
#define DJ_XPUSH(array, count, ...) dj_xcheck(DJ_ARRAY_PUSH(array, count, __VA_ARGS__))
#define DJ_XRESERVE(array, capacity, count)                                              \
    dj_xcheck(DJ_ARRAY_RESERVE(array, capacity, count))

/* Makes an array of `count` elements have at least `wanted`; new ones are zeroed. It
 * grows by no more than that: for arrays indexed by CPU and the like. */
#define DJ_XEXTEND(array, count, wanted)                                                 \
    dj_xextend(&(array), &(count), (wanted), sizeof(*(array)))
/* For DJ_XEXTEND only. `array`: the address of the pointer. */
void dj_xextend(void *array, size_t *count, size_t wanted, size_t element_bytes);

/* Returns the text as a C string, as dj_text_get(). A text that reached its maximum is
 * truncated. */
const char *dj_xtext(const struct dj_text *text) __attribute__((returns_nonnull));
/* The same, but the caller owns the string, and the text is empty afterwards. */
char *dj_xtext_detach(struct dj_text *text) __attribute__((returns_nonnull));

#endif
