/*
 * Samples the call stacks of an app during a capture. A thread reads the rings of perf
 * events, converts each copied stack to addresses at once, and keeps only the addresses.
 * Names of functions are found when the trace is written.
 *
 * dj_sampler_watch() may be called by another thread than the one that started the
 * sampler. All other functions must be called by one thread at a time.
 */
#ifndef DEJANK_CAPTURE_SAMPLING_SAMPLER_H
#define DEJANK_CAPTURE_SAMPLING_SAMPLER_H

#include "capture/janky.h"
#include "capture/sampling/counts.h"
#include "trace/event.h"

struct dj_sampler;

/* Starts to sample. Samples are taken of processes that dj_sampler_watch() adds, and of
 * their future child processes. `kernel_ns` is CLOCK_MONOTONIC of this process minus
 * CLOCK_MONOTONIC of the kernel. Returns 0, DJ_E_OWNER or DJ_E_UNSUPPORTED if perf events
 * are not permitted, DJ_E_LIMIT if not enough memory may be locked, or DJ_E_NO_MEMORY. */
int dj_sampler_start(const struct dj_capture_stacks *wanted, int64_t kernel_ns,
                     struct dj_sampler **sampler, struct dj_error *err);

/* Starts to sample stacks of threads that begin to wait, too. Call this function before
 * dj_sampler_watch(). Only root may do this. Returns 0 or the error of tracefs. */
int dj_sampler_start_waits(struct dj_sampler *sampler, struct dj_error *err);

/* Adds a running process. Does nothing if it was added before or if it has ended. Returns
 * 0, or an error if its threads cannot be sampled. */
int dj_sampler_watch(struct dj_sampler *sampler, int32_t pid, struct dj_error *err);

/* Stops sampling and reads the rest of the rings. A second call does nothing. Returns 0,
 * or the error that ended the sampling early. */
int dj_sampler_stop(struct dj_sampler *sampler, struct dj_error *err);

/* Returns the counts. Call dj_sampler_stop() before. */
struct dj_sampler_counts dj_sampler_get_counts(const struct dj_sampler *sampler);

/* Passes the samples to the sink as DJ_EVENT_STACK, in order of time, with the kernel's
 * times. If `keep` is not NULL, passes only samples in its spans. Does not pass samples
 * after `until_ns`. Call dj_sampler_stop() before. Returns the sink's result, or an
 * error. */
int dj_sampler_write(struct dj_sampler *sampler, const struct dj_keep *keep,
                     int64_t until_ns, struct dj_event_sink sink, struct dj_error *err);

/* Stops sampling and frees the sampler. NULL is allowed. */
void dj_sampler_destroy(struct dj_sampler *sampler);

#endif
