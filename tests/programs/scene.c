/*
 * A GL program whose work per frame is known: what the planted-truth tests record. It
 * draws next to nothing and burns time on the clock instead, so that its frames last what
 * its options say on any machine.
 *
 *   scene --display x11|wayland [--frames N] [--work MS] [--late-every N --late MS]
 * [--pace MS]
 *         [--burst N --idle MS] [--request x|socket --request-ms MS --after MS]
 * [--thread] [--no-end]
 *
 * On stdout: a line "frame I work_ms W" as each frame's work is done, flushed with the
 * frame, and "done" at the end.
 */
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scene.h"

struct options {
    const char *display;
    int frames;
    double work_ms, late_ms, pace_ms, idle_ms, request_ms, after_ms;
    int late_every, burst;
    const char *request;
    bool thread, no_end;
};

static struct options options = {.display = "x11", .frames = 300};
static const struct scene_display *display;
static int server = -1; /* answers requests after request_ms */

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

/* Sleeps to the next multiple of the pace, as a loop driven by a clock does. */
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

/* A request and its reply in mid-frame, as a client library does it: a function of its
 * own, deeper than the loop. */
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

/* The render thread of --thread: draws when the main thread has worked and wakes it. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int ready, drawn;
    bool end;
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *render(void *argument)
{
    (void)argument;
    display->make_current(true);
    pthread_mutex_lock(&shared.mutex);
    while (true) {
        while (shared.ready == shared.drawn && !shared.end) {
            pthread_cond_wait(&shared.changed, &shared.mutex);
        }
        if (shared.ready == shared.drawn) {
            break;
        }
        pthread_mutex_unlock(&shared.mutex);
        display->draw_and_swap();
        pthread_mutex_lock(&shared.mutex);
        shared.drawn++;
        pthread_cond_signal(&shared.changed);
    }
    pthread_mutex_unlock(&shared.mutex);
    return NULL;
}

static void hand_to_render_thread(void)
{
    pthread_mutex_lock(&shared.mutex);
    shared.ready++;
    pthread_cond_signal(&shared.changed);
    while (shared.drawn != shared.ready) {
        pthread_cond_wait(&shared.changed, &shared.mutex);
    }
    pthread_mutex_unlock(&shared.mutex);
}

static void end_render_thread(pthread_t thread)
{
    pthread_mutex_lock(&shared.mutex);
    shared.end = true;
    pthread_cond_signal(&shared.changed);
    pthread_mutex_unlock(&shared.mutex);
    pthread_join(thread, NULL);
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
        if (options.thread) {
            hand_to_render_thread();
        } else {
            display->draw_and_swap();
        }
    }
}

static void read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"display", 1, NULL, 'd'},    {"frames", 1, NULL, 'n'}, {"work", 1, NULL, 'w'},
        {"late-every", 1, NULL, 'e'}, {"late", 1, NULL, 'l'},   {"pace", 1, NULL, 'p'},
        {"burst", 1, NULL, 'b'},      {"idle", 1, NULL, 'i'},   {"request", 1, NULL, 'r'},
        {"request-ms", 1, NULL, 'm'}, {"after", 1, NULL, 'a'},  {"thread", 0, NULL, 't'},
        {"no-end", 0, NULL, 'x'},     {NULL, 0, NULL, 0},
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
            options.thread = true;
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
    if (options.thread) {
        display->make_current(false);
        pthread_create(&renderer, NULL, render, NULL);
    }
    run_frames();
    puts("done");
    fflush(stdout);
    while (options.no_end) {
        pause();
    }
    if (options.thread) {
        end_render_thread(renderer);
    }
    return 0;
}
