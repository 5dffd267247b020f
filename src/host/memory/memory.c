#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*on_failure)(void);
/* Number of calls of dj_memory_return_failures(true) without a matching call with
 * false. */
static atomic_int return_depth;

void dj_memory_on_failure(void (*handler)(void))
{
    on_failure = handler;
}

/* Position at which the thread continues after a failed allocation: in its innermost
 * dj_memory_try(). NULL outside of dj_memory_try(). */
static _Thread_local jmp_buf *escape;

bool dj_memory_try(void (*work)(void *user), void *user)
{
    jmp_buf here;
    jmp_buf *volatile outer = escape;
    if (setjmp(here) != 0) {
        escape = outer;
        return false;
    }
    escape = &here;
    work(user);
    escape = outer;
    return true;
}

void dj_memory_failed(void)
{
    if (escape != NULL) {
        longjmp(*escape, 1);
    }
    if (on_failure != NULL) {
        on_failure();
    }
    abort();
}

void dj_memory_return_failures(bool start)
{
    atomic_fetch_add(&return_depth, start ? 1 : -1);
}

bool dj_memory_failure_ends(void)
{
    return on_failure != NULL && atomic_load(&return_depth) == 0 && escape == NULL;
}

static void *check_memory(void *memory)
{
    dj_xcheck(memory != NULL);
    return memory;
}

static size_t at_least_one(size_t count)
{
    return count == 0 ? 1 : count;
}

void *dj_xcalloc(size_t count, size_t element_bytes)
{
    return check_memory(calloc(at_least_one(count), element_bytes));
}

void *dj_xresize(void *array, size_t count, size_t element_bytes)
{
    return check_memory(dj_array_resize(array, at_least_one(count), element_bytes));
}

char *dj_xstrdup(const char *string)
{
    return string == NULL ? NULL : check_memory(strdup(string));
}

char *dj_xcopy(const char *bytes, size_t length)
{
    return check_memory(dj_text_copy(bytes, length));
}

char *dj_xformat(const char *format, ...)
{
    char *formatted;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&formatted, format, arguments);
    va_end(arguments);
    dj_xcheck(length >= 0);
    return formatted;
}

void dj_xextend(void *array, size_t *count, size_t wanted, size_t element_bytes)
{
    char *grown;
    if (wanted > *count) {
        memcpy(&grown, array, sizeof(grown));
        grown = dj_xresize(grown, wanted, element_bytes);
        memset(grown + *count * element_bytes, 0, (wanted - *count) * element_bytes);
        memcpy(array, &grown, sizeof(grown));
        *count = wanted;
    }
}

const char *dj_xtext(const struct dj_text *text)
{
    dj_xcheck(!text->failed || text->full);
    return dj_text_get(text);
}

char *dj_xtext_detach(struct dj_text *text)
{
    dj_xtext(text);
    char *data = text->data != NULL ? text->data : dj_xstrdup("");
    *text = (struct dj_text){0};
    return data;
}
