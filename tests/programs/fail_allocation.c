/*
 * Preloaded: the allocation with the number FAIL_ALLOCATION fails. A process that ends
 * normally writes its allocations to the file COUNT_ALLOCATIONS: the number of each that
 * is the first of its call stack, one on a line, and at last how many there are.
 */
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

#define EXPORTED __attribute__((visibility("default")))

enum { STACKS = 1 << 16, DEPTH = 64, IGNORED = 2 };

static long failing, count;
static const char *report;
static pid_t process;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t stacks[STACKS]; /* a hash table */
static long firsts[STACKS], first_count;

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    failing = number != NULL ? atol(number) : 0;
    report = getenv("COUNT_ALLOCATIONS");
    process = getpid();
    void *frames[DEPTH];
    backtrace(frames, DEPTH); /* the first time, it loads a library */
    count = 0;
    first_count = 0;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void finish(void)
{
    long total = count;
    FILE *file = report != NULL && getpid() == process ? fopen(report, "w") : NULL;
    if (file != NULL) {
        for (long i = 0; i < first_count; i++) {
            fprintf(file, "%ld\n", firsts[i]);
        }
        fprintf(file, "%ld\n", total);
        fclose(file);
    }
}

static bool is_first_of_stack(void)
{
    void *frames[DEPTH];
    int depth = backtrace(frames, DEPTH);
    uint64_t hash = 0;
    for (int i = IGNORED; i < depth; i++) {
        hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    size_t place = hash % STACKS;
    while (stacks[place] != 0 && stacks[place] != hash) {
        place = (place + 1) % STACKS;
    }
    bool first = stacks[place] == 0;
    stacks[place] = hash;
    return first;
}

static bool fails(void)
{
    static __thread bool busy;
    if (busy) {
        return false;
    }
    busy = true;
    pthread_mutex_lock(&lock);
    bool result = ++count == failing;
    if (report != NULL && is_first_of_stack()) {
        firsts[first_count++] = count;
    }
    pthread_mutex_unlock(&lock);
    busy = false;
    if (result) {
        errno = ENOMEM;
    }
    return result;
}

EXPORTED void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

EXPORTED void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
