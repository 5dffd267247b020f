/* Records sections from every kind of thread and process, with libdejank.
 *
 *   sectioner nested N            N times "outer" with an "inner" of 1 ms in it
 *   sectioner threads T N         T threads, N sections "work" each, starting together
 *   sectioner churn T             T threads one after another, one section each
 *   sectioner fork N M            N sections "parent", a child with M sections "child",
 *                                 N more sections "parent"
 *   sectioner exec N M            N sections "first", then becomes `sectioner plain M`
 *   sectioner plain N             N sections "plain" and a frame
 *   sectioner hang                begins "outer" and "stuck in here", prints a line,
 *                                 and waits
 *   sectioner flood N             N sections "flood", even if the ring is smaller
 *   sectioner signals N           N sections "main", interrupted by sections of a
 *                                 handler
 *   sectioner closed-fds N FILE   closes the descriptors from 3, opens FILE on them,
 *                                 then N sections
 *   sectioner toggle              sections enabled, disabled and enabled, one section
 *                                 each */
#include <dejank/frames.h>
#include <dejank/sections.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *self;
static pthread_barrier_t barrier;

static void burn(int64_t ns)
{
    int64_t until_ns = dejank_now_ns() + ns;
    while (dejank_now_ns() < until_ns) {
    }
}

static void repeat(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        dejank_section_begin(name);
        dejank_section_end();
    }
}

static int nested(int count, char **more)
{
    (void)more;
    for (int i = 0; i < count; i++) {
        dejank_section_begin("outer");
        dejank_section_begin("inner");
        burn(1000000);
        dejank_section_end();
        dejank_section_end();
    }
    return 0;
}

static void *run_thread(void *count)
{
    /* Recorded before the barrier, so that no file is created after the barrier. */
    dejank_section_begin("ready");
    dejank_section_end();
    pthread_barrier_wait(&barrier);
    repeat("work", *(int *)count);
    return NULL;
}

static int threads(int count, char **more)
{
    static pthread_t ids[128];
    int sections = atoi(more[0]);
    repeat("first", 1);
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        pthread_create(&ids[i], NULL, run_thread, &sections);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(ids[i], NULL);
    }
    return 0;
}

static void *run_task(void *unused)
{
    (void)unused;
    repeat("task", 1);
    return NULL;
}

static int churn(int count, char **more)
{
    (void)more;
    for (int i = 0; i < count; i++) {
        pthread_t id;
        pthread_create(&id, NULL, run_task, NULL);
        pthread_join(id, NULL);
    }
    return 0;
}

static int plain(int count, char **more)
{
    (void)more;
    repeat("plain", count);
    dejank_frame_begin(1);
    dejank_frame_end();
    return 0;
}

static int fork_once(int count, char **more)
{
    repeat("parent", count);
    pid_t child = fork();
    if (child == 0) {
        repeat("child", atoi(more[0]));
        _exit(0);
    }
    waitpid(child, NULL, 0);
    repeat("parent", count);
    printf("%d %d\n", (int)getpid(), (int)child);
    return 0;
}

static int exec_once(int count, char **more)
{
    char name[] = "plain";
    repeat("first", count);
    execl(self, self, name, more[0], (char *)NULL);
    return 1;
}

static int hang(int count, char **more)
{
    (void)count;
    (void)more;
    dejank_section_begin("outer");
    repeat("done", 3);
    dejank_section_begin("stuck in here");
    puts("hangs");
    fflush(stdout);
    while (pause() != 0) {
    }
    return 0;
}

static int flood(int count, char **more)
{
    (void)more;
    repeat("flood", count);
    return 0;
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
    (void)number;
    handled++;
    repeat("handler", 1);
}

static int signals(int count, char **more)
{
    (void)more;
    struct sigaction action = {.sa_handler = handle};
    struct itimerspec often = {{0, 50000}, {0, 50000}};
    timer_t timer;
    sigaction(SIGALRM, &action, NULL);
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    timer_settime(timer, 0, &often, NULL);
    repeat("main", count);
    timer_delete(timer);
    printf("%d\n", (int)handled);
    return 0;
}

static int closed_fds(int count, char **more)
{
    repeat("before", 1);
    for (int fd = 3; fd < 2048; fd++) {
        close(fd);
    }
    for (int fd = 3; fd < 1000; fd++) {
        int opened = open(more[0], O_RDWR | O_APPEND | O_CREAT, 0600);
        (void)opened;
    }
    repeat("after", count);
    return 0;
}

static int toggle(int count, char **more)
{
    (void)count;
    (void)more;
    repeat("on", 1);
    dejank_sections_enable(false);
    printf("%d\n", dejank_sections_enabled());
    repeat("off", 1);
    dejank_sections_enable(true);
    repeat("on again", 1);
    return 0;
}

static const struct {
    const char *name;
    int words;
    int (*run)(int count, char **more);
} works[] = {
    {"nested", 1, nested},   {"threads", 2, threads},
    {"churn", 1, churn},     {"fork", 2, fork_once},
    {"exec", 2, exec_once},  {"plain", 1, plain},
    {"hang", 0, hang},       {"flood", 1, flood},
    {"signals", 1, signals}, {"closed-fds", 2, closed_fds},
    {"toggle", 0, toggle},
};

int main(int argc, char **argv)
{
    self = argv[0];
    for (size_t i = 0; argc > 1 && i < sizeof(works) / sizeof(works[0]); i++) {
        if (strcmp(argv[1], works[i].name) == 0 && argc == 2 + works[i].words) {
            return works[i].run(argc > 2 ? atoi(argv[2]) : 0, argv + 3);
        }
    }
    fputs("usage: see the head of sectioner.c\n", stderr);
    return 2;
}
