/* Presents frames with fake_gl from processes and threads of every kind. Prints how
 * many frames each process presented.
 *
 *   swapper swap N               N frames
 *   swapper fork|_Fork|clone N M
 *                                N frames, a child without exec with M frames, and N
 *                                more frames
 *   swapper fork-idle N          like fork, but the child presents nothing
 *   swapper fork-threads N M     like fork, but the child presents M frames on each of
 *                                4 threads
 *   swapper vfork|spawn N M      N frames, and a child that is `swapper swap M`
 *   swapper exec N M             N frames, then becomes `swapper swap M`
 *   swapper exec-held N M        like exec, and then runs until a signal ends it
 *   swapper threads T N          T threads, each with its own window and N frames
 *   swapper warm-threads T N     like threads, after one frame in each of the windows
 *   swapper paced-threads T N    like threads, with 1 ms between frames
 *   swapper one-window T N       like threads, but all in the same window
 *   swapper windows W N          W windows on one thread, alternating, N frames each
 *   swapper paced-windows W N    W windows, one after the other, N frames each, with
 *                                1 ms between frames
 *   swapper late N               prints "ready", and presents N frames after SIGUSR1
 *   swapper errno                checks errno after waits and swaps */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern int fake_gl_errno;
extern char **environ;
void glXSwapBuffers(void *display, unsigned long drawable);

enum { FIRST_WINDOW = 0x400001, MOST_THREADS = 64 };

static char *self;

static void present(int frames, unsigned long window)
{
    for (int i = 0; i < frames; i++) {
        glXSwapBuffers(NULL, window);
    }
}

static void say(int frames)
{
    printf("%d frames\n", frames);
    fflush(stdout);
}

struct swapping_thread {
    pthread_t id;
    pthread_barrier_t *barrier;
    int frames, pause_ms;
    unsigned long window;
};

static void *run_thread(void *argument)
{
    struct swapping_thread *thread = argument;
    pthread_barrier_wait(thread->barrier);
    for (int i = 0; i < thread->frames; i++) {
        present(1, thread->window);
        if (thread->pause_ms > 0) {
            poll(NULL, 0, thread->pause_ms);
        }
    }
    return NULL;
}

/* All threads begin at the same time. */
static void present_on_threads(int count, const struct swapping_thread *model,
                               unsigned long step)
{
    struct swapping_thread threads[MOST_THREADS];
    pthread_barrier_t barrier;
    count = count < MOST_THREADS ? count : MOST_THREADS;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        threads[i] = *model;
        threads[i].barrier = &barrier;
        threads[i].window = FIRST_WINDOW + (unsigned)i * step;
        pthread_create(&threads[i].id, NULL, run_thread, &threads[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i].id, NULL);
    }
    say(count * model->frames);
}

static pid_t fork_by(const char *way)
{
    if (strcmp(way, "_Fork") == 0) {
        return _Fork();
    }
    if (strcmp(way, "clone") == 0) {
        return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    }
    return fork();
}

static int wait_for(pid_t child)
{
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                    : 1;
}

static int run_fork(const char *way, int before, int after)
{
    present(before, FIRST_WINDOW);
    fflush(stdout);
    pid_t child = fork_by(way);
    if (child == 0) {
        if (strcmp(way, "fork-threads") == 0) {
            present_on_threads(4, &(struct swapping_thread){.frames = after}, 1);
        } else if (strcmp(way, "fork-idle") != 0) {
            present(after, FIRST_WINDOW);
            say(after);
        }
        _exit(0);
    }
    present(before, FIRST_WINDOW);
    int status = wait_for(child);
    say(2 * before);
    return status;
}

static int run_exec(const char *way, int before, char *after)
{
    char *held = strcmp(way, "exec-held") == 0 ? "swap-held" : "swap";
    char *arguments[] = {self, held, after, NULL};
    pid_t child = 0;
    present(before, FIRST_WINDOW);
    say(before);
    if (strcmp(way, "spawn") == 0) {
        return posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0 ||
               wait_for(child);
    }
    if (strcmp(way, "vfork") == 0) {
        child = vfork();
    }
    if (child == 0) {
        execv(self, arguments);
        _exit(1);
    }
    return wait_for(child);
}

static int run_windows(int windows, int frames)
{
    for (int i = 0; i < frames; i++) {
        for (int window = 0; window < windows; window++) {
            present(1, FIRST_WINDOW + (unsigned)window);
        }
    }
    say(windows * frames);
    return 0;
}

static int run_paced_windows(int windows, int frames)
{
    for (int window = 0; window < windows; window++) {
        for (int i = 0; i < frames; i++) {
            present(1, FIRST_WINDOW + (unsigned)window);
            poll(NULL, 0, 1);
        }
    }
    say(windows * frames);
    return 0;
}

static int run_late(int frames)
{
    sigset_t signals;
    int number;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    puts("ready");
    fflush(stdout);
    sigwait(&signals, &number);
    present(frames, FIRST_WINDOW);
    say(frames);
    return 0;
}

static int check(const char *what, int expected)
{
    int found = errno;
    if (found != expected) {
        printf("%s: errno %d, expected %d\n", what, found, expected);
    }
    errno = 0;
    return found != expected;
}

static void ignore(int number)
{
    (void)number;
}

/* Starts a timer that interrupts the following wait after 5 ms with a signal. */
static void interrupt_soon(void)
{
    const struct itimerval timer = {.it_value = {.tv_usec = 5000}};
    const struct sigaction action = {.sa_handler = ignore};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    errno = 0;
}

static int run_errno(void)
{
    const struct timespec second = {1, 0}, past = {0, 0}, wrong = {0, -1};
    struct timeval a_second = {1, 0};
    int bad = 0;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    errno = ENOTTY; /* A successful call must not change errno. */
    poll(NULL, 0, 1);
    bad += check("poll", ENOTTY);
    interrupt_soon();
    poll(NULL, 0, 1000);
    bad += check("interrupted poll", EINTR);
    interrupt_soon();
    select(0, NULL, NULL, NULL, &a_second);
    bad += check("interrupted select", EINTR);
    interrupt_soon();
    nanosleep(&second, NULL);
    bad += check("interrupted nanosleep", EINTR);
    nanosleep(&wrong, NULL);
    bad += check("nanosleep of nonsense", EINVAL);
    sem_timedwait(&semaphore, &past);
    bad += check("sem_timedwait", ETIMEDOUT);
    interrupt_soon();
    sem_wait(&semaphore);
    bad += check("interrupted sem_wait", EINTR);
    syscall(SYS_close, -1);
    bad += check("syscall", EBADF);
    fake_gl_errno = EXDEV;
    present(1, FIRST_WINDOW); /* This frame creates the segment. */
    bad += check("first swap", EXDEV);
    present(1, FIRST_WINDOW);
    bad += check("swap", EXDEV);
    fake_gl_errno = 0;
    say(2);
    return bad != 0;
}

static int run(const char *what, int first, int second, char *last)
{
    if (strcmp(what, "swap") == 0) {
        present(first, FIRST_WINDOW);
        say(first);
        return 0;
    }
    if (strcmp(what, "swap-held") == 0) {
        present(first, FIRST_WINDOW);
        say(first);
        return pause();
    }
    if (strcmp(what, "fork-threads") == 0) {
        return run_fork(what, first, second);
    }
    if (strcmp(what, "warm-threads") == 0) {
        run_windows(first, 1);
    }
    if (strstr(what, "threads") != NULL || strcmp(what, "one-window") == 0) {
        const struct swapping_thread model = {
            .frames = second, .pause_ms = strcmp(what, "paced-threads") == 0};
        present_on_threads(first, &model, strcmp(what, "one-window") != 0);
        return 0;
    }
    if (strcmp(what, "windows") == 0) {
        return run_windows(first, second);
    }
    if (strcmp(what, "paced-windows") == 0) {
        return run_paced_windows(first, second);
    }
    if (strcmp(what, "late") == 0) {
        return run_late(first);
    }
    if (strcmp(what, "errno") == 0) {
        return run_errno();
    }
    if (strcmp(what, "vfork") == 0 || strcmp(what, "spawn") == 0 ||
        strncmp(what, "exec", 4) == 0) {
        return run_exec(what, first, last);
    }
    return run_fork(what, first, second);
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc < 2) {
        return 2;
    }
    return run(argv[1], argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0,
               argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0, argv[argc - 1]);
}
