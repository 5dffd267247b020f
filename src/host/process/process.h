/*
 * process: programs of this machine — start, supervise and stop them, without a shell.
 * Not when a program is started and what its output means.
 *
 * A program that outlives a call has a guardian: a small process of ours that is its
 * parent. The guardian ends the program and what that started when the handle is closed,
 * and when this process ends, also by SIGKILL.
 *
 * Any thread may start programs. A handle is used by one thread at a time.
 */
#ifndef DEJANK_PROCESS_PROCESS_H
#define DEJANK_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "process/deadline.h"
#include "process/options.h"

/* Bytes per stream of dj_process_run(). */
enum { DJ_PROCESS_OUTPUT_MAX = 64 * 1024 * 1024 };

struct dj_process;

/* Starts a program under a guardian. Its signals are as at the start of a program, except
 * with DJ_SCOPE_FOREGROUND. DJ_E_NOT_FOUND where PATH has no such program; DJ_E_IO. */
int dj_process_start(const struct dj_process_options *options,
                     struct dj_process **process, struct dj_error *err);

/* Lets a held program go. */
void dj_process_release(struct dj_process *process);

pid_t dj_process_pid(const struct dj_process *process);

/* True while the program or anything in its scope runs. */
bool dj_process_is_running(struct dj_process *process);

/* True once the program has ended; *status is then as waitpid() reports it. What it
 * started may still run. */
bool dj_process_status(struct dj_process *process, int *status);

/*
 * Appends what the program wrote to its pipes (texts[0]: output, texts[1]: errors; both
 * may be the same text), and returns as soon as anything came;
 * nothing within timeout_ns is 0. *ended: the program has ended and all of its output has
 * been read; what it left running may hold the pipes open. DJ_E_LIMIT where a text has
 * reached its maximum, DJ_E_INTERRUPTED, DJ_E_IO.
 */
int dj_process_read(struct dj_process *process, const struct dj_interrupt *interrupt,
                    int64_t timeout_ns, struct dj_text *const texts[2], bool *ended,
                    struct dj_error *err);

/* Writes all to the program's input pipe. DJ_E_GONE where nothing reads it any more,
 * DJ_E_USAGE after dj_process_end_input(), DJ_E_TIMEOUT, DJ_E_INTERRUPTED. */
int dj_process_write(struct dj_process *process, const void *bytes, size_t size,
                     const struct dj_deadline *deadline, struct dj_error *err);

void dj_process_end_input(struct dj_process *process);

/* Appends the first DJ_PROCESS_KEPT_MAX bytes of what DJ_STREAM_KEEP has kept so far. */
void dj_process_output(struct dj_process *process, struct dj_text *text);

/* Asks the scope to end (SIGTERM), kills after grace_ns what is left of it (SIGKILL), and
 * waits for that. */
void dj_process_stop(struct dj_process *process, int64_t grace_ns);

/* Stops it with the grace of its options where it runs, and frees it. NULL is allowed. */
void dj_process_close(struct dj_process *process);

/* ---- programs that a call waits for; they have no guardian */

struct dj_process_run {
    const char *const *argv; /* argv[0] is looked up in PATH */
    const struct dj_deadline *deadline;
    struct dj_text *out, *err; /* both, or NULL: output is thrown away */
};

/*
 * Runs a program with empty input in a process group of its own, and waits for its end
 * and, where output is collected, for the end of its pipes. After the deadline the group
 * is killed: DJ_E_TIMEOUT or DJ_E_INTERRUPTED; the output until then is in the texts.
 * DJ_E_NOT_FOUND, DJ_E_IO; DJ_E_LIMIT past DJ_PROCESS_OUTPUT_MAX. Discard the output of a
 * program that leaves a daemon running: the daemon would keep the pipes open.
 */
int dj_process_run(const struct dj_process_run *run, int *exit_code,
                   struct dj_error *err);

/*
 * Runs a program in our place: as our child, with our streams, process group and signals.
 * Signals sent to this process are passed on; those that a terminal sends to the whole
 * group reach the program by themselves. Uses path, argv, prepare and user of the
 * options; the file at `path` is the shell's where it is text without "#!". DJ_E_IO: the
 * program was not started. Only for a process with one thread.
 */
int dj_process_run_in_place(const struct dj_process_options *options, int *status,
                            struct dj_error *err);

/* Ends this process as a program with that status ended: by the same exit code, or the
 * same signal. */
_Noreturn void dj_process_end_like(int status);

/* The exit code of a status: 128 + the signal's number where a signal ended it. */
int dj_process_exit_code(int status);

#endif
