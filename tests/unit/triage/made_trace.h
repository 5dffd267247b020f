/* Writes a kernel trace line by line, and runs triage on it. */
#ifndef MADE_TRACE_H
#define MADE_TRACE_H

#include <stdbool.h>

#include "triage/triage.h"

/* Thread ids. MAIN, WORKER and HOLDER belong to one process. */
enum {
    MAIN = 100,
    WORKER = 101,
    HOLDER = 102,
    PEER = 200,
    BUS = 300,
    RIVAL = 400,
    OTHER_RIVAL = 500,
    KERNEL = 20
};

enum { FRAME_US = 20000, WORK_US = 2000 };

/* If true, lines are written as by `trace-cmd report`: without flags and processes. */
extern bool made_plain;

/* All times are in µs. */
void made_clear(void);
void made_switch(int at, int cpu, int from, const char *state, int to);
void made_wake(int at, int cpu, int by, int whom);
void made_wake_by_timer(int at, int cpu, int upon, int whom);
void made_wake_by_softirq(int at, int cpu, int upon, int whom, int vector);
void made_begin(int at, int cpu, int tid, const char *section);
void made_end(int at, int cpu, int tid);
void made_timer(int at, int cpu, int tid, int until);
void made_raw(const char *line);
void made_line(int at, int cpu, int tid, const char *flags, const char *event);

/* Adds frames of MAIN on CPU 0, one every FRAME_US. Each is a slice "frame N" that
 * contains a slice "work" of WORK_US. In frames 2, 7, 12 …, `odd` adds further events
 * from `at` on and returns the new time. MAIN runs on CPU 0 when `odd` is called and when
 * it returns. */
void made_frames(int count, int (*odd)(int at, int number));

/* Runs triage on the trace. The result is valid until made_clear(). `base` is the text of
 * another trace to compare with, or NULL. */
const struct dj_triage_result *made_triage(const char *base);
int made_triage_code(const char *frames, struct dj_error *err);
char *made_text(void); /* The caller frees the text. */

/* Adds samples of the stack `path`, such as "main/draw", one each ms from `at` to `to`,
 * both in µs. They belong to the trace, not to the base. The text does not contain them.
 */
void made_samples(int at, int to, int tid, const char *path);

/* Adds the stack `path` of a thread that leaves the CPU at `at`. A name such as
 * "read@libc.so.6" is a function in this file. */
void made_wait(int at, int tid, const char *path);

/* Returns the cause of this kind, or NULL. */
const struct dj_triage_cause *made_cause(const struct dj_triage_result *result,
                                         enum dj_cause_kind kind);

#endif
