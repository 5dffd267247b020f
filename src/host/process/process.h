/*
 * process: starts, supervises and stops programs on this machine, without a shell. This
 * module does not decide when a program runs or what its output means.
 *
 * A program that outlives the call that starts it has a guardian. The guardian is a child
 * process of dejank and the parent of the program. The guardian ends the program and its
 * descendants when the handle is closed, or when dejank ends, even by SIGKILL.
 *
 * Any thread may start programs. A handle may be used by one thread at a time.
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

/* Maximum output of dj_process_run() in bytes per stream. */
enum { DJ_PROCESS_OUTPUT_MAX = 64 * 1024 * 1024 };

struct dj_process;

/* Starts a program under a guardian. Signals have their default actions, except with
 * DJ_SCOPE_FOREGROUND. Returns 0, DJ_E_NOT_FOUND if PATH has no such program,
 * DJ_E_NO_MEMORY or DJ_E_IO. */
int dj_process_start(const struct dj_process_options *options,
                     struct dj_process **process, struct dj_error *err);

/* Lets a program that was started with `waits_for_release` call exec(). */
void dj_process_release(struct dj_process *process);

pid_t dj_process_pid(const struct dj_process *process);

/* Returns whether the program or another process in its scope is running. */
bool dj_process_is_running(struct dj_process *process);

/* Returns whether the program has ended, and sets *status as waitpid() does. Its
 * descendants may still run. */
bool dj_process_status(struct dj_process *process, int *status);

/*
 * Waits for output of the program and appends it: texts[0] receives standard output,
 * texts[1] standard error. Both may be the same text. Returns as soon as there is output,
 * or after timeout_ns without any. Sets *ended if the program has ended and all of its
 * output was read. (Descendants may then still have the pipes open.) Returns 0,
 * DJ_E_LIMIT if a text reached its maximum, DJ_E_INTERRUPTED or DJ_E_IO.
 */
int dj_process_read(struct dj_process *process,
                    const struct dj_interrupt_request *interrupt, int64_t timeout_ns,
                    struct dj_text *const texts[2], bool *ended, struct dj_error *err);

/* Writes all bytes to the program's input pipe. Returns 0, DJ_E_GONE if no process reads
 * the pipe any more, DJ_E_USAGE after dj_process_end_input(), DJ_E_TIMEOUT,
 * DJ_E_INTERRUPTED or DJ_E_IO. */
int dj_process_write(struct dj_process *process, const void *bytes, size_t size,
                     const struct dj_deadline *deadline, struct dj_error *err);

void dj_process_end_input(struct dj_process *process);

/* Appends the output that DJ_STREAM_STORE has stored so far, at most
 * DJ_PROCESS_STORED_MAX bytes. */
void dj_process_read_stored(struct dj_process *process, struct dj_text *text);

/* Sends SIGTERM to the processes in the scope. After grace_ns, sends SIGKILL to the
 * processes that still run. Waits until all have ended. */
void dj_process_stop(struct dj_process *process, int64_t grace_ns);

/* If the program is running, stops it with the grace period of its options. Frees the
 * handle. `process` may be NULL. */
void dj_process_close(struct dj_process *process);

/* The functions below wait until the program ends. They use no guardian. */

struct dj_process_run {
    const char *const *argv; /* Program and its arguments. argv[0] is searched in PATH. */
    const struct dj_deadline *deadline;
    /* Receive the output. Either both are set, or both are NULL to discard the output. */
    struct dj_text *out, *err;
};

/*
 * Runs a program in its own process group, with empty input. Waits until the program ends
 * and, if output is read, until its pipes are closed. After the deadline, kills the
 * group. Do not read the output of a program that starts a daemon, because the daemon
 * would keep the pipes open. Returns 0, DJ_E_TIMEOUT or DJ_E_INTERRUPTED (the texts then
 * have the output so far), DJ_E_NOT_FOUND, DJ_E_LIMIT if a stream exceeds
 * DJ_PROCESS_OUTPUT_MAX, or DJ_E_IO.
 */
int dj_process_run(const struct dj_process_run *run, int *exit_code,
                   struct dj_error *err);

/*
 * Runs a program as if it replaced this process: as a child with our streams, process
 * group and signals. Forwards signals that are sent to this process. (Signals from a
 * terminal reach the program directly.) Uses path, argv, prepare and user of the options.
 * If the file at `path` is a script without "#!", the shell runs it. Returns 0, or
 * DJ_E_IO if the program was not started. Only for processes with one thread.
 */
int dj_process_run_in_place(const struct dj_process_options *options, int *status,
                            struct dj_error *err);

/* Ends this process like a program with that status: with the same exit code, or by the
 * same signal. */
_Noreturn void dj_process_end_like(int status);

/* Returns the exit code for a status. If a signal ended the program, the code is 128 plus
 * the number of the signal. */
int dj_process_exit_code(int status);

#endif
