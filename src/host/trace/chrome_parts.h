/* A trace in Chrome's JSON while it is written. Of chrome_*.c only. */
#ifndef DEJANK_TRACE_CHROME_PARTS_H
#define DEJANK_TRACE_CHROME_PARTS_H

#include "trace/chrome_write.h"
#include "trace/file_out.h"

/* As in pftrace_parts.h: tables of a fixed size; what fell out of one is told again, or
 * told without what it knew. */
enum {
    DJ_CHROME_THREADS = 1 << 16,
    DJ_CHROME_FRAMES = 1 << 12,
    DJ_CHROME_CPUS = 1 << 12
};

/* Processors are threads of a process that no kernel has, and their interrupts others of
 * it. */
enum {
    DJ_CHROME_CPUS_PID = INT32_MAX,
    DJ_CHROME_IRQ_TID = 1 << 16,
    DJ_CHROME_SOFTIRQ_TID = 1 << 17
};

struct dj_chrome_thread {
    int32_t tid;    /* 0: a free place */
    int32_t pid;    /* 0: not known */
    uint64_t name;  /* hash of what was told; 0: nothing */
    uint64_t woken; /* by this flow, and it has not run since; 0: no */
    uint8_t state;  /* enum dj_thread_state, as it was told without a switch */
};

struct dj_chrome_frame {
    int64_t cookie;
    uint8_t side;
    bool known;
};

/* What a CPU runs. */
struct dj_chrome_cpu {
    int64_t since_ns;
    int32_t tid;
    char name[32];
    uint8_t name_length;
    bool known, titled;
};

struct dj_chrome {
    struct dj_file_out out;
    int64_t shift_ns; /* added to every stamp */
    bool mono;
    bool any; /* an event is written */
    uint64_t lost, flows;
    int64_t last_ns;
    struct dj_chrome_thread *threads;
    struct dj_chrome_frame *frames;
    struct dj_chrome_cpu *cpus;
};

/* ---- chrome_json.c ---- */

/* {"ph":"PHASE","ts":…,"pid":…,"tid":… */
void dj_chrome_open(struct dj_chrome *writer, const char *phase, int64_t at_ns,
                    int64_t pid, int64_t tid);
void dj_chrome_string(struct dj_chrome *writer, const char *key, const char *string);
/* What is no UTF-8 becomes U+FFFD. */
void dj_chrome_words(struct dj_chrome *writer, const char *key, struct dj_words words);
void dj_chrome_int(struct dj_chrome *writer, const char *key, int64_t value);
void dj_chrome_us(struct dj_chrome *writer, const char *key, int64_t ns);
void dj_chrome_id(struct dj_chrome *writer, uint64_t id);
/* ,"args":{ — what follows is in it, until dj_chrome_close() with "}". */
void dj_chrome_args(struct dj_chrome *writer);
void dj_chrome_close(struct dj_chrome *writer, const char *brackets);

/* ---- chrome_write.c: threads ---- */

struct dj_chrome_thread *dj_chrome_find(struct dj_chrome *writer, int32_t tid);
/* The process in which an event of the thread is shown, after what it tells of it. */
int32_t dj_chrome_pid(struct dj_chrome *writer, int32_t tid, int32_t pid,
                      struct dj_words name);
/* Tells what a thread (or, with its own pid, a process: `what` says) is called. */
void dj_chrome_name(struct dj_chrome *writer, const char *what, int64_t pid, int64_t tid,
                    struct dj_words name);

/* ---- chrome_kernel.c ---- */
void dj_chrome_switch(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_wake(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_blocked(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_processor(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_interrupt(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_reclaim(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_fence_wait(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_block(struct dj_chrome *writer, const struct dj_event *event);
void dj_chrome_task(struct dj_chrome *writer, const struct dj_event *event);
/* What runs still ends with the trace. */
void dj_chrome_end_cpus(struct dj_chrome *writer);

#endif
