/* A program that confines itself with seccomp and continues to present frames. After
 * that, only the system calls that this program itself makes are allowed. Any other
 * call kills the program or fails.
 *
 *   confined HOW BEFORE AFTER [WHAT]
 *
 * Presents BEFORE frames in one window, confines itself, and then presents AFTER
 * frames in two windows. Prints "done" before it exits.
 *
 * HOW:
 *   strict    strict mode of seccomp
 *   prctl     a filter that kills, set with prctl()
 *   seccomp   the same filter for all threads, set with the system call seccomp()
 *   errno     a filter that makes calls fail with EPERM
 *   no-files  first sets a limit of one open file, so that no file can be opened, and
 *             is then like prctl
 *   tsc       the CPU's time-stamp counter cannot be read
 *   none      no confinement
 *   vfork-X   a vfork() child, which shares this program's memory, confines itself in
 *             the way X and exits; this program is not confined
 *
 * WHAT:
 *   threads   two threads present AFTER frames each, in one window
 *   fork      a child presents AFTER frames too
 *   sections  each frame is also a section, if the program was built with sections */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_SECTIONS
#include <dejank/sections.h>
#else
static void dejank_section_begin(const char *name)
{
    (void)name;
}

static void dejank_section_end(void)
{
}
#endif

void glXSwapBuffers(void *display, unsigned long drawable);

enum { FIRST_WINDOW = 0x400001, SECOND_WINDOW };

static int wake[2], sockets[2], event;
static sem_t semaphore;
static bool has_sections, is_strict;

/* The system calls that this program makes after it has confined itself. */
static const int allowed[] = {
    SYS_read,  SYS_write,      SYS_sendto, SYS_recvfrom,
    SYS_futex, SYS_exit,       SYS_wait4,  SYS_clock_nanosleep,
    SYS_ppoll, SYS_exit_group, SYS_clone,  SYS_rt_sigprocmask,
#ifdef SYS_poll
    SYS_poll,
#endif
};

enum { ALLOWED = sizeof(allowed) / sizeof(allowed[0]) };

static struct sock_fprog make_filter(uint32_t otherwise)
{
    static struct sock_filter rules[2 * ALLOWED + 2];
    size_t used = 0;
    rules[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                 offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < ALLOWED; i++) {
        rules[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                     (uint32_t)allowed[i], 0, 1);
        rules[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    rules[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, otherwise);
    return (struct sock_fprog){(unsigned short)used, rules};
}

static bool confine(const char *how)
{
    const struct sock_fprog kill = make_filter(
        strcmp(how, "errno") == 0 ? SECCOMP_RET_ERRNO | 1 : SECCOMP_RET_KILL_PROCESS);
    if (strcmp(how, "none") == 0) {
        return true;
    }
    if (strncmp(how, "vfork-", 6) == 0) {
        int status = 0;
        pid_t child = vfork();
        if (child == 0) {
            syscall(SYS_exit, confine(how + 6) ? 0 : 1);
        }
        return waitpid(child, &status, 0) == child && status == 0;
    }
    if (strcmp(how, "strict") == 0) {
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
    }
    if (strcmp(how, "tsc") == 0) {
        return prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
    }
    if (strcmp(how, "no-files") == 0) {
        const struct rlimit one = {1, 1}; /* With a limit of 0, poll() fails. */
        return setrlimit(RLIMIT_NOFILE, &one) == 0 && confine("prctl");
    }
    /* libseccomp makes this call to find out whether the kernel has filters. It
     * confines nothing. */
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return false;
    }
    return strcmp(how, "prctl") == 0
               ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &kill) == 0
               : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                         &kill) == 0;
}

static void present(int frames, int windows)
{
    for (int i = 0; i < frames; i++) {
        if (has_sections) {
            dejank_section_begin("frame");
        }
        glXSwapBuffers(NULL, FIRST_WINDOW + (unsigned)(i % windows));
        if (has_sections) {
            dejank_section_end();
        }
    }
}

/* Makes every kind of call that the recorder hooks. Returns false if a call had a
 * wrong result. */
static bool use_calls(void)
{
    char byte = 'x';
    struct pollfd readable = {wake[0], POLLIN, 0};
    const struct timespec pause = {.tv_nsec = 300000};
    bool works = poll(&readable, 1, 1) == 0; /* The call blocks for longer than the
                                              * wait of an event loop. */
    works = works && write(wake[1], &byte, 1) == 1 && poll(&readable, 1, 1000) == 1 &&
            read(wake[0], &byte, 1) == 1;
    works =
        works && send(sockets[0], &byte, 1, 0) == 1 && recv(sockets[1], &byte, 1, 0) == 1;
    works = works && eventfd_write(event, 1) == 0;
    works = works && nanosleep(&pause, NULL) == 0 && usleep(300) == 0;
    return works && sem_post(&semaphore) == 0 && sem_wait(&semaphore) == 0;
}

struct presenter {
    pthread_t id;
    int frames;
    sem_t go, done;
};

_Noreturn static void *run_presenter(void *argument)
{
    struct presenter *presenter = argument;
    sem_post(&presenter->done);
    sem_wait(&presenter->go);
    present(presenter->frames, 1);
    sem_post(&presenter->done);
    for (;;) { /* The end of the program ends this loop. */
        sem_wait(&presenter->go);
    }
}

static void finish(const char *text, int status)
{
    if (write(1, text, strlen(text)) < 0) {
        status = 1;
    }
    syscall(is_strict ? SYS_exit : SYS_exit_group, status);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none", *what = argc > 4 ? argv[4] : "";
    int before = argc > 2 ? atoi(argv[2]) : 0, after = argc > 3 ? atoi(argv[3]) : 0;
    static struct presenter presenters[2];
    bool has_threads = strcmp(what, "threads") == 0;
    has_sections = strcmp(what, "sections") == 0;
    is_strict = strcmp(how, "strict") == 0;
    event = eventfd(0, 0);
    if (pipe(wake) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 ||
        event < 0) {
        return 2;
    }
    sem_init(&semaphore, 0, 0);
    for (int i = 0; has_threads && i < 2; i++) {
        presenters[i].frames = after;
        sem_init(&presenters[i].go, 0, 0);
        sem_init(&presenters[i].done, 0, 0);
        pthread_create(&presenters[i].id, NULL, run_presenter, &presenters[i]);
        sem_wait(&presenters[i].done); /* Wait until the thread has started. */
    }
    present(before, 1);
    if (!confine(how)) {
        return 3;
    }
    if (!is_strict && !use_calls()) {
        finish("a call failed\n", 4);
    }
    if (strcmp(what, "fork") == 0) {
        long child = syscall(SYS_clone, 17 /* SIGCHLD */, NULL, NULL, NULL, NULL);
        if (child == 0) {
            present(after, 2);
            finish("", use_calls() ? 0 : 4);
        }
        int status = -1;
        syscall(SYS_wait4, child, &status, 0, NULL);
        if (status != 0) {
            finish("the child was ended\n", 5);
        }
    }
    for (int i = 0; has_threads && i < 2; i++) {
        sem_post(&presenters[i].go);
    }
    for (int i = 0; has_threads && i < 2; i++) {
        sem_wait(&presenters[i].done);
    }
    present(has_threads ? 0 : after, 2);
    finish("done\n", 0);
}
