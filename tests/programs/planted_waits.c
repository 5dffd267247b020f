/* Draws frames that are late because a known function waits: for a lock, for data from
 * a thread or a child process, for a disk, or for a time. The program marks only its
 * frames. Prints a line for each kind of wait:
 *   - the kind
 *   - the function that waits
 *   - the function of the C library that it calls
 *   - the number of waits
 *   - the number of waits of at least 0.2 ms (0 for the disk)
 *   - the total time in ms from the start of a wait to the event that ended it (0 for
 *     the disk)
 *
 *   planted_waits SEED FRAMES MS FILE
 *
 * SEED chooses the function of each kind. Every fourth frame waits in one of them, for
 * MS except for the disk. The program writes to FILE before it waits for the disk. */
#include <dejank/sections.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "planted_code.h"

enum kind { LOCK, THREAD_DATA, CHILD_DATA, DISK, TIME, KINDS };

static const struct {
    const char *name, *call;
} kinds[KINDS] = {
    [LOCK] = {"lock", "pthread_mutex_lock"},
    [THREAD_DATA] = {"thread", "read"},
    [CHILD_DATA] = {"child", "read"},
    [DISK] = {"disk", "fsync"},
    [TIME] = {"time", "usleep"},
};

static useconds_t wait_us;
static const char *file;
static volatile unsigned long sum;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void spend(double ms)
{
    double begun_ms = get_ms(CLOCK_THREAD_CPUTIME_ID);
    while (get_ms(CLOCK_THREAD_CPUTIME_ID) < begun_ms + ms) {
        for (int i = 0; i < 1000; i++) {
            sum = sum * 3 + 1;
        }
    }
}

/* ---- helpers for which the frames wait ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int request[2], replies[KINDS][2]; /* Pipes. */

/* True from the request until the helper thread begins to make the frame wait. The
 * thread polls it with its own timer, so the frame does not wake the thread. */
static atomic_bool is_due[KINDS];

static void await_request(enum kind kind)
{
    while (!atomic_load(&is_due[kind])) {
        usleep(2000);
    }
}

/* The time at which a helper ended the last wait for the lock or for data. */
static double ended_ms;

static void reply(enum kind kind)
{
    double now_ms = get_ms(CLOCK_MONOTONIC);
    if (write(replies[kind][1], &now_ms, sizeof(now_ms)) != sizeof(now_ms)) {
        fail("reply");
    }
}

static void *hold_lock(void *unused)
{
    pthread_setname_np(pthread_self(), "holder");
    for (;;) {
        await_request(LOCK);
        pthread_mutex_lock(&lock);
        atomic_store(&is_due[LOCK], false);
        usleep(wait_us);
        ended_ms = get_ms(CLOCK_MONOTONIC);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *send_data(void *unused)
{
    pthread_setname_np(pthread_self(), "sender");
    for (;;) {
        await_request(THREAD_DATA);
        atomic_store(&is_due[THREAD_DATA], false);
        usleep(wait_us);
        reply(THREAD_DATA);
    }
    return unused;
}

static void run_child(void)
{
    char byte;
    close(request[1]);
    while (read(request[0], &byte, 1) == 1) {
        usleep(wait_us);
        reply(CHILD_DATA);
    }
    _exit(0);
}

static void start_helpers(void)
{
    pthread_t thread;
    if (pipe(request) != 0 || pipe(replies[THREAD_DATA]) != 0 ||
        pipe(replies[CHILD_DATA]) != 0) {
        fail("pipe");
    }
    pid_t child = fork();
    if (child == 0) {
        run_child();
    }
    if (child < 0 || pthread_create(&thread, NULL, hold_lock, NULL) != 0 ||
        pthread_create(&thread, NULL, send_data, NULL) != 0) {
        fail("cannot start a helper");
    }
}

/* ---- waits ---- */

static void write_file(int fd)
{
    static char block[1 << 16];
    block[0]++;
    if (fd < 0 || pwrite(fd, block, sizeof(block), 0) < 0) {
        fail(file);
    }
}

/* Waits once. It is inlined into each function below, so that these functions call the
 * C library directly. */
__attribute__((always_inline)) static inline void wait_for(enum kind kind, int fd)
{
    if (kind == LOCK) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    } else if (kind == DISK) {
        fsync(fd);
    } else if (kind == TIME) {
        usleep(wait_us);
    } else if (read(replies[kind][0], &ended_ms, sizeof(ended_ms)) != sizeof(ended_ms)) {
        fail("read");
    }
}

#define FUNCTION(name)                                                                   \
    PLANTED void name(enum kind kind, int fd)                                            \
    {                                                                                    \
        wait_for(kind, fd);                                                              \
        STAY();                                                                          \
    }

FUNCTION(update_cache)
FUNCTION(fetch_row)
FUNCTION(throttle)
FUNCTION(load_icon)
FUNCTION(save_state)

struct waiting {
    const char *name;
    void (*run)(enum kind kind, int fd);
    int count, long_count;
    double waited_ms;
};

static struct waiting functions[KINDS] = {
    {.name = "update_cache", .run = update_cache},
    {.name = "fetch_row", .run = fetch_row},
    {.name = "throttle", .run = throttle},
    {.name = "load_icon", .run = load_icon},
    {.name = "save_state", .run = save_state},
};

static void shuffle(unsigned seed)
{
    for (size_t i = KINDS - 1; i > 0; i--) {
        size_t other = (size_t)rand_r(&seed) % (i + 1);
        struct waiting one = functions[i];
        functions[i] = functions[other];
        functions[other] = one;
    }
}

/* Before the wait: has the lock taken, requests a reply, or writes to the file. */
static void prepare(enum kind kind, int fd)
{
    if (kind == DISK) {
        write_file(fd);
    } else if (kind == CHILD_DATA && write(request[1], "", 1) != 1) {
        fail("request");
    }
    atomic_store(&is_due[kind], kind == LOCK || kind == THREAD_DATA);
    while (atomic_load(&is_due[kind])) {
    }
}

/* Returns the time from the start of the wait to the event that ended it, or 0 for the
 * disk. */
static double run_waiting(struct waiting *function, enum kind kind, int fd)
{
    double begun_ms = get_ms(CLOCK_MONOTONIC);
    ended_ms = begun_ms;
    function->run(kind, fd);
    return kind == TIME ? wait_us / 1e3 : ended_ms - begun_ms;
}

PLANTED void draw_frame(int number, int fd)
{
    spend(3);
    if (number % 4 == 3) {
        enum kind kind = (enum kind)(number / 4 % KINDS);
        struct waiting *function = &functions[kind];
        prepare(kind, fd);
        double waited_ms = run_waiting(function, kind, fd);
        function->waited_ms += waited_ms > 0 ? waited_ms : 0;
        function->long_count += waited_ms >= 0.2;
        function->count++;
    }
    STAY();
}

int main(int count, char **words)
{
    if (count != 5) {
        fprintf(stderr, "planted_waits SEED FRAMES MS FILE\n");
        return 2;
    }
    double wait_ms = atof(words[3]);
    wait_us = (useconds_t)(wait_ms * 1e3);
    file = words[4];
    shuffle((unsigned)atoi(words[1]));
    start_helpers();
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; i < atoi(words[2]); i++) {
        dejank_section_begin("frame");
        draw_frame(i, fd);
        dejank_section_end();
        usleep(3000);
    }
    for (int i = 0; i < KINDS; i++) {
        printf("%s %s %s %d %d %.3f\n", kinds[i].name, functions[i].name, kinds[i].call,
               functions[i].count, functions[i].long_count, functions[i].waited_ms);
    }
    return 0;
}
