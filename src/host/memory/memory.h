/* memory: allocations that do not fail. If there is no memory, a handler ends the
 * program, so callers need not check for errors. Code that must first restore the
 * settings of a device or end a transaction uses the functions of base, which return an
 * error. All functions except dj_memory_on_failure() may be called in any thread. */
#ifndef DEJANK_MEMORY_MEMORY_H
#define DEJANK_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* Sets the handler that ends the program if there is no memory. The handler must not
 * allocate memory. If there is no handler or if the handler returns, the program
 * aborts. */
void dj_memory_on_failure(void (*handler)(void));
/* Calls the handler, and aborts if it returns. */
_Noreturn void dj_memory_failed(void);

/* The executable replaces malloc() with a version that calls the handler on failure
 * (cli/allocator.c). dj_memory_return_failures(true) makes that malloc() return NULL
 * instead, until dj_memory_return_failures(false). Calls may be nested. The functions
 * below call the handler in any case. */
void dj_memory_return_failures(bool start);
/* Returns whether a failed malloc() of the executable calls the handler. */
bool dj_memory_failure_ends(void);

/* Calls work(user). If one of the functions below cannot allocate memory, ends `work` at
 * once and returns false, instead of calling the handler. Memory that `work` had not
 * stored yet is then lost, and data that it changed may only be read or freed. Use it in
 * threads that must not end the program, because settings must be restored. `work` must
 * not hold a lock. Calls may be nested. */
bool dj_memory_try(void (*work)(void *user), void *user);

/* Calls the handler if `succeeded` is false. */
static inline void dj_xcheck(bool succeeded)
{
    if (!succeeded) {
        dj_memory_failed();
    }
}

/* Calls the handler if `code` is DJ_E_NO_MEMORY. Returns any other code. */
static inline int dj_xcode(int code)
{
    dj_xcheck(code != DJ_E_NO_MEMORY);
    return code;
}

/* Returns zeroed memory, never NULL. The caller frees the results of this function and of
 * those below with free(). */
void *dj_xcalloc(size_t count, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));
/* Like dj_array_resize(), but never returns NULL. */
void *dj_xresize(void *array, size_t count, size_t element_bytes)
    __attribute__((returns_nonnull));
/* Returns a copy of a string, or NULL if `string` is NULL. */
char *dj_xstrdup(const char *string) __attribute__((malloc));
/* Like dj_text_copy(), but never returns NULL. */
char *dj_xcopy(const char *bytes, size_t length) __attribute__((malloc, returns_nonnull));
char *dj_xformat(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Like the macros of base/array.h, but call the handler on failure. */
#define DJ_XROOM(array, count) dj_xcheck(DJ_ARRAY_ROOM(array, count))
#define DJ_XPUSH(array, count, ...) dj_xcheck(DJ_ARRAY_PUSH(array, count, __VA_ARGS__))
#define DJ_XRESERVE(array, capacity, count)                                              \
    dj_xcheck(DJ_ARRAY_RESERVE(array, capacity, count))

/* Makes an array have at least `wanted` elements. New elements are zero. If `count` was
 * smaller than `wanted`, `count` becomes `wanted`. The macro adds no extra capacity, so
 * it suits small arrays, such as arrays indexed by CPU. */
#define DJ_XEXTEND(array, count, wanted)                                                 \
    dj_xextend(&(array), &(count), (wanted), sizeof(*(array)))
/* Implements DJ_XEXTEND(). Do not call it directly. `array` is the address of the pointer
 * to the elements. */
void dj_xextend(void *array, size_t *count, size_t wanted, size_t element_bytes);

/* Returns the text as a C string, like dj_text_get(). A text that reached its maximum is
 * returned truncated. For other failures, calls the handler. */
const char *dj_xtext(const struct dj_text *text) __attribute__((returns_nonnull));
/* Like dj_xtext(), but the caller owns the string, and the text becomes empty. */
char *dj_xtext_detach(struct dj_text *text) __attribute__((returns_nonnull));

#endif
