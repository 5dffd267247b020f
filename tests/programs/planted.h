/*
 * A program whose frames are late for known reasons: shared parts. What it is to do comes
 * as a plan, what it did is written as truth; tests/programs/planted_frames.c has both.
 */
#ifndef PLANTED_H
#define PLANTED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { NAME_BYTES = 64, STAGES_MOST = 8, PLANTS_MOST = 4, FRAMES_MOST = 1024 };

enum plant_kind {
    STAGE,
    SECTION,
    LOCK,
    COMPETITOR,
    FSYNC,
    BUS,
    SLEEP,
    LATE,
    PLANT_KINDS
};

/* What a thread has used so far. */
struct meter {
    int64_t wall_ns;  /* CLOCK_MONOTONIC */
    int64_t cpu_ns;   /* of the thread */
    int64_t ran_ns;   /* with interrupts and what the machine's host took meanwhile */
    int64_t delay_ns; /* that it waited for a CPU, as the kernel counts it */
};

struct plant {
    enum plant_kind kind;
    int stage;
    char name[NAME_BYTES]; /* of its section; "" of STAGE, and what has none of its own */
    int64_t size_ns;
    bool at[FRAMES_MOST];
    /* LOCK, COMPETITOR, BUS: who keeps it waiting, in what section, whether busily. */
    char holder[NAME_BYTES], held_in[NAME_BYTES];
    bool busy;
    /* While it runs. */
    pthread_t thread;
    pthread_mutex_t lock;
    atomic_bool held;
    atomic_llong waited_since_ns;
    struct competitor *competitor;
};

struct stage {
    char name[NAME_BYTES];
    int64_t work_ns;
    bool on_worker;
};

struct plan {
    int frames;
    int64_t period_ns;
    int cpu;  /* the frames' thread is bound to it; −1: to none */
    int user; /* whom to become; −1: stay */
    char frame[NAME_BYTES], main[NAME_BYTES], worker[NAME_BYTES],
        worker_section[NAME_BYTES];
    char markers[256], file[256], truth[256], address[256];
    struct stage stages[STAGES_MOST];
    int stage_count;
    struct plant plants[PLANTS_MOST];
    int plant_count;
};

/* What one execution of a plant took. */
struct taken {
    struct meter used;  /* differences */
    int64_t special_ns; /* LATE: after the time asked for; COMPETITOR: its CPU time */
};

/* planted_plan.c. Ends the program where the plan is wrong. */
void plan_read(struct plan *plan, FILE *in);

/* planted_marks.c */
void marks_open(const char *path); /* of a trace_marker; "": the sections of libdejank */
void mark_begin(const char *name);
void mark_end(void);
int64_t now_ns(void);
void sleep_until(int64_t at_ns);
struct meter meter_now(void); /* of the calling thread */
struct meter meter_since(struct meter before);
int64_t asleep_ns(struct meter used);
void burn(int64_t ns); /* of the thread's CPU time */
void name_thread(const char *name);
void fail(const char *what) __attribute__((noreturn));

/* planted_threads.c: what frames wait for. `next` is what frame comes next, and when. */
struct next_frame {
    atomic_int index;
    atomic_llong start_ns;
    atomic_bool over;
};
void holder_start(struct plant *plant, struct next_frame *next);
void holder_stop(struct plant *plant);
void competitor_start(struct plant *plant, int cpu); /* before any thread is started */
void competitor_go(struct plant *plant);
int64_t competitor_burst(struct plant *plant); /* its CPU time, once it is over */
void competitor_stop(struct plant *plant);
struct work; /* what a worker is to do */
void worker_start(const struct plan *plan);
/* Has the worker do `job(user)` in its section, and waits for it. */
void worker_do(void (*job)(void *user), void *user);
void worker_stop(void);

/* planted_bus.c: false where D-Bus is not built in. */
bool bus_built_in(void);
void bus_connect(const char *address);
void bus_call(const char *peer, int64_t ns); /* returns with the reply */
void bus_close(void);
/* Becomes the peer called `name`: answers after so long as it is asked to. */
int bus_peer(const char *address, const char *name, const char *thread, bool busy);

/* planted_causes.c: does the plant in the calling thread. */
struct taken plant_do(struct plant *plant, const struct plan *plan);

#endif
