/* Interprets names of slices and threads: the kind of wait or work that a name states,
 * and names that are variants of one name. */
#ifndef DEJANK_TRIAGE_NAMES_H
#define DEJANK_TRIAGE_NAMES_H

#include "base/str.h"
#include "base/text.h"
#include "triage/cause.h"

/* Appends the name without parts that change each time. Examples: "frame 19" becomes
 * "frame", and "monitor contention with owner X (12) at …" becomes "monitor
 * contention". */
void dj_triage_append_plain_name(struct dj_text *text, const char *name);

/* Returns the start of a thread's name, without its trailing number: "llvmpipe-1" becomes
 * "llvmpipe". Long names are cut. */
struct dj_str dj_triage_get_family(const char *thread);

/* Returns the name of the binder pool of a thread: "Binder:612_A" becomes "Binder:612".
 * Returns an empty string if the thread is in no binder pool. */
struct dj_str dj_triage_get_pool(const char *thread);

/* Return the kind of wait that a slice's name states, or DJ_CAUSE_UNEXPLAINED. The
 * weak kind comes from words such as "lock", which are reliable only if nothing else
 * is known. */
enum dj_cause_kind dj_triage_get_wait_kind(const char *slice);
enum dj_cause_kind dj_triage_get_weak_wait_kind(const char *slice);

/* Returns the kind of work that a slice's name states, or DJ_CAUSE_UNEXPLAINED. */
enum dj_cause_kind dj_triage_get_work_kind(const char *slice);

/* Return whether the slice is a wait for a fence, or a wait for a graphics buffer, which
 * becomes free when a fence signals. */
bool dj_triage_is_fence_wait(const char *slice);
bool dj_triage_is_buffer_wait(const char *slice);

/* Returns whether a fence "DRIVER/TIMELINE" belongs to the GPU or the display. Returns
 * DJ_CAUSE_UNEXPLAINED if both are unknown. */
enum dj_cause_kind dj_triage_get_fence_kind(const char *fence);

/* Returns the thread id of the lock owner that a contention slice's name states, or 0. */
uint32_t dj_triage_parse_owner(const char *slice);

#endif
