/*
 * process: starts, supervises and stops programs of this machine, without a shell. It
 * does not decide when a program runs or what its output means.
 *
 * A program that outlives a call has a guardian: a small process of dejank that is its
 * parent. The guardian ends the program and its descendants when the handle is closed,
 * and when this process ends, also by SIGKILL.
 *
 * Any thread may start programs. One thread uses a handle at a time.
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

/* Starts a program under a guardian. Its signals have their defaults, except with
 * DJ_SCOPE_FOREGROUND. DJ_E_NOT_FOUND: PATH has no such program. DJ_E_IO. */
int dj_process_start(const struct dj_process_options *options,
                     struct dj_process **process, struct dj_error *err);

/* Lets a program with `starts_held` call exec(). */
void dj_process_release(struct dj_process *process);

pid_t dj_process_pid(const struct dj_process *process);

/* Returns whether the program or anything in its scope runs. */
bool dj_process_is_running(struct dj_process *process);

/* Returns whether the program has ended. *status is then as waitpid() reports it. Its
 * descendants may still run. */
bool dj_process_status(struct dj_process *process, int *status);

/*
 * Appends what the program has written to its pipes (texts[0]: output, texts[1]: errors;
 * both may be the same text), and returns as soon as there is any. Returns 0 with nothing
 * appended after timeout_ns. *ended: the program has ended and all of its output was
 * read, although its descendants may still have the pipes open. DJ_E_LIMIT: a text
 * reached its maximum. DJ_E_INTERRUPTED, DJ_E_IO.
 */
int dj_process_read(struct dj_process *process,
                    const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                    struct dj_text *const texts[2], bool *ended, struct dj_error *err);

/* Writes all bytes to the program's input pipe. DJ_E_GONE: no process reads it any more.
 * DJ_E_USAGE: after dj_process_end_input(). DJ_E_TIMEOUT, DJ_E_INTERRUPTED. */
int dj_process_write(struct dj_process *process, const void *bytes, size_t size,
                     const struct dj_deadline *deadline, struct dj_error *err);

void dj_process_end_input(struct dj_process *process);

/* Appends the output that DJ_STREAM_KEEP has stored so far, at most DJ_PROCESS_KEPT_MAX
 * bytes. */
void dj_process_read_kept(struct dj_process *process, struct dj_text *text);

/* Sends SIGTERM to the scope, SIGKILL after grace_ns to what still runs, and waits until
 * all have ended. */
void dj_process_stop(struct dj_process *process, int64_t grace_ns);

/* Stops the program with the grace of its options if it runs, and frees the handle. NULL
 * is allowed. */
void dj_process_close(struct dj_process *process);

/* ---- programs that a call waits for; they have no guardian */

struct dj_process_run {
    const char *const *argv; /* argv[0] is looked up in PATH */
    const struct dj_deadline *deadline;
    struct dj_text *out, *err; /* both, or both NULL: output is discarded */
};

/*
 * Runs a program with empty input in its own process group, and waits until it ends and,
 * if output is collected, until its pipes end. After the deadline it kills the group.
 * DJ_E_TIMEOUT or DJ_E_INTERRUPTED: the texts contain the output so far. DJ_E_NOT_FOUND,
 * DJ_E_IO. DJ_E_LIMIT: more than DJ_PROCESS_OUTPUT_MAX. Discard the output of a program
 * that starts a daemon, because the daemon would keep the pipes open.
 */
int dj_process_run(const struct dj_process_run *run, int *exit_code,
                   struct dj_error *err);

/*
 * Runs a program in our place: as our child, with our streams, process group and signals.
 * Passes on signals that are sent to this process. Signals from a terminal reach the
 * program directly. Uses path, argv, prepare and user of the options. If the file at
 * `path` is text without "#!", the shell runs it. DJ_E_IO: the program was not started.
 * Only for a process with one thread.
 */
int dj_process_run_in_place(const struct dj_process_options *options, int *status,
                            struct dj_error *err);

/* Ends this process as a program with that status has ended: with the same exit code or
 * signal. */
_Noreturn void dj_process_end_like(int status);

/* Returns the exit code of a status, 128 + signal if a signal ended the program. */
int dj_process_exit_code(int status);

#endif
