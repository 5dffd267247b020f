/* Shared parts of a program whose frames are late for known reasons
 * (planted_frames.c). The plan is its input. The truth is its output, with the measured
 * times. A plant is a delay with a known cause. */
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

/* Clocks and counters of a thread, or differences of them. */
struct meter {
    int64_t wall_ns;  /* CLOCK_MONOTONIC. */
    int64_t cpu_ns;   /* CPU time of the thread. */
    int64_t ran_ns;   /* CPU time plus the time that interrupts and the machine's host
                       * used, or only the CPU time if perf events are not available. */
    int64_t delay_ns; /* Time that the thread waited for a CPU, as the kernel counts
                       * it. */
};

struct plant {
    enum plant_kind kind;
    int stage;
    char name[NAME_BYTES]; /* Name of the plant's section. "" for the kind STAGE and
                            * for a plant without a section. */
    int64_t size_ns;
    bool at[FRAMES_MOST];
    /* For the kinds LOCK, COMPETITOR and BUS. holder: name of the thread that makes the
     * frame wait. held_in: for LOCK the section of that thread, for BUS the D-Bus name of
     * the peer. busy: for LOCK and BUS, that thread uses the CPU and does not sleep. For
     * COMPETITOR, it is a real-time thread. */
    char holder[NAME_BYTES], held_in[NAME_BYTES];
    bool busy;
    /* The following members are used while the plant runs. */
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
    int cpu;  /* CPU of the frames' thread, or −1 if the thread may run on any CPU. */
    int user; /* User to run as, or −1 to keep the user. */
    char frame[NAME_BYTES], main[NAME_BYTES], worker[NAME_BYTES],
        worker_section[NAME_BYTES];
    char markers[256], file[256], truth[256], address[256];
    struct stage stages[STAGES_MOST];
    int stage_count;
    struct plant plants[PLANTS_MOST];
    int plant_count;
};

/* Times of one execution of a plant. */
struct taken {
    struct meter used;  /* Differences between the end and the start of the execution. */
    int64_t special_ns; /* For the kind LATE: how late the waits ended, in total. For the
                         * kind COMPETITOR: the competitor's CPU time. Otherwise 0. */
};

/* Defined in planted_plan.c. Ends the program if the plan is wrong. */
void plan_read(struct plan *plan, FILE *in);

/* Defined in planted_marks.c. Opens a trace_marker, or uses the sections of libdejank if
 * `path` is "". */
void marks_open(const char *path);
void mark_begin(const char *name);
void mark_end(void);
int64_t now_ns(void);
void sleep_until(int64_t at_ns);
struct meter meter_now(void); /* Reads the times of the calling thread. */
struct meter meter_since(struct meter before);
int64_t asleep_ns(struct meter used);
void burn(int64_t ns); /* Uses this much CPU time of the calling thread. */
void name_thread(const char *name);
void fail(const char *what) __attribute__((noreturn));

/* Defined in planted_threads.c: the threads for which frames wait. next_frame contains
 * the number and the planned start of the frame that runs or comes next. */
struct next_frame {
    atomic_int index;
    atomic_llong start_ns;
    atomic_bool over;
};
void holder_start(struct plant *plant, struct next_frame *next);
void holder_stop(struct plant *plant);
/* Call it before any other thread is started. */
void competitor_start(struct plant *plant, int cpu);
void competitor_go(struct plant *plant);
/* Waits for the end of the competitor's burst, and returns its CPU time. Returns 0 if
 * the burst takes too long. */
int64_t competitor_burst(struct plant *plant);
void competitor_stop(struct plant *plant);
void worker_start(const struct plan *plan);
/* Makes the worker run `job(user)` in its section, and waits for its end. */
void worker_do(void (*job)(void *user), void *user);
void worker_stop(void);

/* Defined in planted_bus.c. Returns false if the program was built without D-Bus. */
bool bus_built_in(void);
void bus_connect(const char *address);
void bus_call(const char *peer, int64_t ns); /* Returns when the reply has arrived. */
void bus_close(void);
/* Runs the D-Bus peer called `name`, which replies after the requested time. */
int bus_peer(const char *address, const char *name, const char *thread, bool busy);

/* Defined in planted_causes.c. Executes the plant in the calling thread. */
struct taken plant_do(struct plant *plant, const struct plan *plan);

#endif
