/* Interprets names of slices and threads: which kind of wait or work they mean, and which
 * names are variants of one. */
#ifndef DEJANK_TRIAGE_NAMES_H
#define DEJANK_TRIAGE_NAMES_H

#include "base/str.h"
#include "base/text.h"
#include "triage/cause.h"

/* Appends the name without the parts that change each time: "frame 19" becomes "frame",
 * "Choreographer#doFrame 417" loses its number, "monitor contention with owner X (12) at
 * …" everything after the verb. */
void dj_triage_append_plain_name(struct dj_text *text, const char *name);

/* Returns the beginning of a thread's name without its trailing number: "llvmpipe-1"
 * becomes "llvmpipe". Long names are cut. */
struct dj_str dj_triage_get_family(const char *thread);

/* Returns the pool's name of a thread of a binder pool: "Binder:612_A" becomes
 * "Binder:612". Empty if it is not one. */
struct dj_str dj_triage_get_pool(const char *thread);

/* Return the kind of wait that a slice's name states, or DJ_CAUSE_UNEXPLAINED. The weak
 * words count only if nothing else is known. */
enum dj_cause_kind dj_triage_get_wait_kind(const char *slice);
enum dj_cause_kind dj_triage_get_weak_wait_kind(const char *slice);

/* Returns the kind of work that a slice's name states, or DJ_CAUSE_UNEXPLAINED. */
enum dj_cause_kind dj_triage_get_work_kind(const char *slice);

/* Whether the slice is a wait for a fence, or for a buffer (which comes back after a
 * fence). */
bool dj_triage_is_fence_wait(const char *slice);
bool dj_triage_is_buffer_wait(const char *slice);

/* Returns whether a fence "DRIVER/TIMELINE" belongs to the GPU or the display;
 * DJ_CAUSE_UNEXPLAINED if neither is known. */
enum dj_cause_kind dj_triage_get_fence_kind(const char *fence);

/* Returns the owner's thread id in the name of a contention slice; 0 if it has none. */
uint32_t dj_triage_parse_owner(const char *slice);

#endif
