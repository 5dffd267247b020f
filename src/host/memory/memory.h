/*
 * memory: allocations that cannot fail. Where no memory is left, the handler ends the
 * program; callers check nothing. What must do something before it ends (restore a
 * device's settings, end a transaction) uses base, which reports the failure. Safe in any
 * thread, apart from dj_memory_on_failure().
 */
#ifndef DEJANK_MEMORY_MEMORY_H
#define DEJANK_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* Called where memory runs out. It must not allocate, and must not return: the program
 * aborts then. Without a handler it aborts at once. */
void dj_memory_on_failure(void (*handler)(void));
/* Calls the handler. */
_Noreturn void dj_memory_failed(void);

/* The executable replaces malloc() (cli/allocator.c): a failure calls the handler. After
 * dj_memory_return_failures(true), malloc() returns NULL until the same call with false;
 * calls nest. The functions below call the handler also then. */
void dj_memory_return_failures(bool start);
/* Whether a failed malloc() is to call the handler. False if there is none. */
bool dj_memory_failure_ends(void);

/* Calls the handler if an allocation failed. `succeeded`: the result of a function. */
static inline void dj_xcheck(bool succeeded)
{
    if (!succeeded) {
        dj_memory_failed();
    }
}

/* The same for functions that return an error code. Returns it if it is another one than
 * DJ_E_NO_MEMORY. */
static inline int dj_xcode(int code)
{
    dj_xcheck(code != DJ_E_NO_MEMORY);
    return code;
}

/* Zeroed memory, never NULL. free() frees it, and what the functions below return. */
void *dj_xcalloc(size_t count, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));
/* As dj_array_resize(). */
void *dj_xresize(void *array, size_t count, size_t element_bytes)
    __attribute__((returns_nonnull));
/* A copy of a string. NULL of NULL. */
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
/* For this macro. `array`: the address of the pointer. */
void dj_xextend(void *array, size_t *count, size_t wanted, size_t element_bytes);

/* The finished text as a C string, as dj_text_get(). A text whose maximum was reached is
 * returned as far as it goes. */
const char *dj_xtext(const struct dj_text *text) __attribute__((returns_nonnull));
/* The same, owned by the caller; the text is empty then. */
char *dj_xtext_take(struct dj_text *text) __attribute__((returns_nonnull));

#endif
