/* A GL program with known work per frame, which the planted-truth tests record. It
 * draws almost nothing and waits for the clock instead, so that its frames take as
 * long as the options say on any machine.
 *
 *   scene --display x11|wayland [--frames N] [--work MS] [--late-every N --late MS]
 *         [--pace MS] [--burst N --idle MS]
 *         [--request x|socket --request-ms MS --after MS]
 *         [--thread cond|barrier|pipe|eventfd] [--no-end] [--again TIMES]
 *
 * Prints "frame I planned_ms P took_ms T" when the work of a frame is done, "swapped I
 * took_ms T" after the frame's swap, and "done" at the end. The first line is flushed
 * with the frame, and the second with the next frame. */
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scene.h"

struct options {
    const char *display;
    int frames;
    double work_ms, late_ms, pace_ms, idle_ms, request_ms, after_ms;
    int late_every, burst, again;
    const char *request;
    const char *thread; /* How the two threads wake each other, or NULL if one thread
                         * draws and works. */
    bool no_end;
};

static struct options options = {.display = "x11", .frames = 300};
static const struct scene_display *display;
static int server = -1; /* Replies to requests after request_ms. */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void burn(double ms)
{
    int64_t end_ns = now_ns() + (int64_t)(ms * 1e6);
    while (now_ns() < end_ns) {
    }
}

/* Sleeps until the next tick, like a loop that a clock drives. If that tick is over,
 * sleeps for a quarter of the pace. */
static void wait_for_tick(int64_t *next_ns, double pace_ms)
{
    int64_t pace_ns = (int64_t)(pace_ms * 1e6);
    *next_ns += pace_ns;
    if (*next_ns < now_ns()) {
        *next_ns = now_ns() + pace_ns / 4;
    }
    struct timespec until = {*next_ns / 1000000000, *next_ns % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void *serve(void *argument)
{
    int socket = *(int *)argument;
    char byte;
    while (read(socket, &byte, 1) == 1) {
        struct timespec delay = {0, (long)(options.request_ms * 1e6)};
        nanosleep(&delay, NULL);
        if (write(socket, &byte, 1) != 1) {
            break;
        }
    }
    return NULL;
}

static void start_server(void)
{
    static int sockets[2];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 ||
        pthread_create(&thread, NULL, serve, &sockets[1]) != 0) {
        perror("scene: socketpair");
        exit(1);
    }
    server = sockets[0];
}

/* Makes a request and waits for its reply in the middle of a frame, like a client
 * library. It is not inlined, so that it is deeper on the stack than the loop. */
static __attribute__((noinline)) void ask_socket(void)
{
    char buffer[512] = {0};
    struct pollfd reply = {.fd = server, .events = POLLIN};
    if (write(server, buffer, 1) != 1 || poll(&reply, 1, 1000) != 1 ||
        read(server, buffer, sizeof(buffer)) != 1) {
        fprintf(stderr, "scene: no reply\n");
        exit(1);
    }
}

static void make_request(void)
{
    if (options.request == NULL) {
        return;
    }
    if (strcmp(options.request, "socket") == 0) {
        ask_socket();
    } else {
        display->round_trip(options.request_ms);
    }
    burn(options.after_ms);
}

static void work(int frame)
{
    bool late =
        options.late_every > 0 && frame % options.late_every == options.late_every - 1;
    double ms = late ? options.late_ms : options.work_ms;
    int64_t begin_ns = now_ns();
    burn(ms);
    make_request();
    printf("frame %d planned_ms %g took_ms %.3f\n", frame, ms,
           (double)(now_ns() - begin_ns) / 1e6);
    fflush(stdout);
}

/* The render thread of --thread. It draws when the main thread has worked and has
 * woken it. Afterwards it wakes the main thread. */
static struct {
    int work[2], done[2]; /* The ends of a pipe, or twice the same eventfd. */
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int worked, drawn;
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void signal_count(int *count)
{
    pthread_mutex_lock(&shared.mutex);
    ++*count;
    pthread_cond_broadcast(&shared.changed);
    pthread_mutex_unlock(&shared.mutex);
}

static void await_count(const int *count, int least)
{
    pthread_mutex_lock(&shared.mutex);
    while (*count < least) {
        pthread_cond_wait(&shared.changed, &shared.mutex);
    }
    pthread_mutex_unlock(&shared.mutex);
}

static void write_number(int fd)
{
    uint64_t one = 1;
    if (write(fd, &one, sizeof(one)) != (ssize_t)sizeof(one)) {
        perror("scene: write");
        exit(1);
    }
}

static void await_number(int fd)
{
    uint64_t number;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, -1) != 1 || read(fd, &number, sizeof(number)) < 1) {
        perror("scene: read");
        exit(1);
    }
}

static void hand_over(const int *there, int *count)
{
    if (strcmp(options.thread, "cond") == 0) {
        signal_count(count);
    } else if (strcmp(options.thread, "barrier") == 0) {
        pthread_barrier_wait(&shared.barrier);
    } else {
        write_number(there[1]);
    }
}

static void await(const int *here, const int *count, int least)
{
    if (strcmp(options.thread, "cond") == 0) {
        await_count(count, least);
    } else if (strcmp(options.thread, "barrier") == 0) {
        pthread_barrier_wait(&shared.barrier);
    } else {
        await_number(here[0]);
    }
}

static void *render(void *argument)
{
    (void)argument;
    display->make_current(true);
    for (int i = 1; i <= options.frames; i++) {
        await(shared.work, &shared.worked, i);
        display->draw_and_swap();
        hand_over(shared.done, &shared.drawn);
    }
    return NULL;
}

static void start_render_thread(pthread_t *thread)
{
    if (strcmp(options.thread, "eventfd") == 0) {
        shared.work[0] = shared.work[1] = eventfd(0, 0);
        shared.done[0] = shared.done[1] = eventfd(0, 0);
    } else if (pipe(shared.work) != 0 || pipe(shared.done) != 0) {
        perror("scene: pipe");
        exit(1);
    }
    pthread_barrier_init(&shared.barrier, NULL, 2);
    display->make_current(false);
    pthread_create(thread, NULL, render, NULL);
}

static void present(int frame)
{
    int64_t begin_ns = now_ns();
    if (options.thread != NULL) {
        hand_over(shared.work, &shared.worked);
        await(shared.done, &shared.drawn, frame + 1);
    } else {
        display->draw_and_swap();
    }
    printf("swapped %d took_ms %.3f\n", frame, (double)(now_ns() - begin_ns) / 1e6);
}

static void run_frames(void)
{
    int64_t next_ns = now_ns();
    for (int i = 0; i < options.frames; i++) {
        if (options.burst > 0 && i > 0 && i % options.burst == 0) {
            struct timespec idle = {(time_t)(options.idle_ms / 1000),
                                    (long)(options.idle_ms * 1e6) % 1000000000};
            nanosleep(&idle, NULL);
            next_ns = now_ns();
        } else if (options.pace_ms > 0) {
            wait_for_tick(&next_ns, options.pace_ms);
        }
        work(i);
        present(i);
    }
}

static void read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"display", 1, NULL, 'd'},    {"frames", 1, NULL, 'n'}, {"work", 1, NULL, 'w'},
        {"late-every", 1, NULL, 'e'}, {"late", 1, NULL, 'l'},   {"pace", 1, NULL, 'p'},
        {"burst", 1, NULL, 'b'},      {"idle", 1, NULL, 'i'},   {"request", 1, NULL, 'r'},
        {"request-ms", 1, NULL, 'm'}, {"after", 1, NULL, 'a'},  {"thread", 1, NULL, 't'},
        {"no-end", 0, NULL, 'x'},     {"again", 1, NULL, 'g'},  {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (letter) {
        case 'd':
            options.display = optarg;
            break;
        case 'n':
            options.frames = (int)strtol(optarg, NULL, 10);
            break;
        case 'w':
            options.work_ms = strtod(optarg, NULL);
            break;
        case 'e':
            options.late_every = (int)strtol(optarg, NULL, 10);
            break;
        case 'l':
            options.late_ms = strtod(optarg, NULL);
            break;
        case 'p':
            options.pace_ms = strtod(optarg, NULL);
            break;
        case 'b':
            options.burst = (int)strtol(optarg, NULL, 10);
            break;
        case 'i':
            options.idle_ms = strtod(optarg, NULL);
            break;
        case 'r':
            options.request = optarg;
            break;
        case 'm':
            options.request_ms = strtod(optarg, NULL);
            break;
        case 'a':
            options.after_ms = strtod(optarg, NULL);
            break;
        case 't':
            options.thread = optarg;
            break;
        case 'g':
            options.again = (int)strtol(optarg, NULL, 10);
            break;
        case 'x':
            options.no_end = true;
            break;
        default:
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    pthread_t renderer;
    read_options(argc, argv);
    display = scene_display_find(options.display);
    if (display == NULL || !display->open()) {
        fprintf(stderr, "scene: cannot open the %s display\n", options.display);
        return 1;
    }
    start_server();
    if (options.thread != NULL) {
        start_render_thread(&renderer);
    }
    run_frames();
    while (options.again-- > 0 && display->close != NULL) {
        display->close();
        if (!display->open()) {
            return 1;
        }
        run_frames();
    }
    puts("done");
    fflush(stdout);
    while (options.no_end) {
        pause();
    }
    if (options.thread != NULL) {
        pthread_join(renderer, NULL);
    }
    return 0;
}
