/* A preloaded object that makes one allocation fail. Environment variables:
 *   FAIL_ALLOCATION    number of the allocation that fails, counted from 1
 *   COUNT_ALLOCATIONS  file to which a process that ends normally writes its number of
 *                      allocations
 *   FIRST_OF_STACKS    if set, the file contains a list instead: the number of each
 *                      allocation that is the first with its call stack, one per line
 * Call stacks are compared only by their functions in the executable. Forked child
 * processes neither fail an allocation nor write the file. */
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

#define EXPORTED __attribute__((visibility("default")))

enum { STACKS = 1 << 16, DEPTH = 64 };

static long failing, count;
static const char *report;
static bool lists_stacks;
static uintptr_t first_address, end_address; /* Address range of the executable. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t stacks[STACKS]; /* A hash table. */
static long firsts[STACKS], first_count;

static void start_child(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* Another thread may hold the
                                                        * lock during the fork. */
    failing = 0;
    report = NULL;
}

/* The first object is the executable. */
static int find_executable(struct dl_phdr_info *object, size_t size, void *user)
{
    (void)size;
    (void)user;
    first_address = object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD) {
            end_address = object->dlpi_addr + part->p_vaddr + part->p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    failing = number != NULL ? atol(number) : 0;
    report = getenv("COUNT_ALLOCATIONS");
    pthread_atfork(NULL, NULL, start_child);
    lists_stacks = getenv("FIRST_OF_STACKS") != NULL;
    if (lists_stacks) {
        void *frames[DEPTH];
        backtrace(frames, DEPTH); /* The first call of backtrace() loads a library. */
        dl_iterate_phdr(find_executable, NULL);
    }
    count = 0;
    first_count = 0;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void finish(void)
{
    long total = count;
    FILE *file = report != NULL ? fopen(report, "w") : NULL;
    if (file != NULL) {
        for (long i = 0; i < first_count; i++) {
            fprintf(file, "%ld\n", firsts[i]);
        }
        if (!lists_stacks) {
            fprintf(file, "%ld\n", total);
        }
        fclose(file);
    }
}

static bool is_first_of_stack(void)
{
    void *frames[DEPTH];
    int depth = backtrace(frames, DEPTH);
    uint64_t hash = 0;
    for (int i = 0; i < depth; i++) {
        uintptr_t address = (uintptr_t)frames[i];
        if (address >= first_address && address < end_address) {
            hash = (hash ^ address) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
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
    if (lists_stacks && is_first_of_stack()) {
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
