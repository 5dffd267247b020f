/* Interprets the names of slices and threads. Finds the kind of wait or work that a name
 * describes, and finds names that are variants of one name. */
#ifndef DEJANK_TRIAGE_NAMES_H
#define DEJANK_TRIAGE_NAMES_H

#include "base/str.h"
#include "base/text.h"
#include "triage/cause.h"

/* Appends the name without the parts that differ each time. For example, "frame 19"
 * becomes "frame", and "monitor contention with owner X (12) at …" becomes "monitor
 * contention". */
void dj_triage_append_plain_name(struct dj_text *text, const char *name);

/* Returns the name of the thread's family, which is the thread's name without its
 * trailing number. For example, "llvmpipe-1" becomes "llvmpipe". Long names are
 * truncated. */
struct dj_str dj_triage_get_family(const char *thread);

/* Returns the name of the binder pool of a thread. For example, "Binder:612_A" becomes
 * "Binder:612". Returns an empty string if the thread is in no binder pool. */
struct dj_str dj_triage_get_pool(const char *thread);

/* Returns the kind of wait that the name of a slice certainly describes, or
 * DJ_CAUSE_UNEXPLAINED. */
enum dj_cause_kind dj_triage_get_wait_kind(const char *slice);

/* Returns the kind of wait that common words in the name of a slice suggest, such as
 * "lock", or DJ_CAUSE_UNEXPLAINED. Use the result only if nothing else is known. */
enum dj_cause_kind dj_triage_get_weak_wait_kind(const char *slice);

/* Returns the kind of work that the name of a slice describes, or DJ_CAUSE_UNEXPLAINED.
 */
enum dj_cause_kind dj_triage_get_work_kind(const char *slice);

/* Returns whether the slice is a wait for a fence. */
bool dj_triage_is_fence_wait(const char *slice);

/* Returns whether the slice is a wait for a graphics buffer, which becomes free when its
 * fence signals. */
bool dj_triage_is_buffer_wait(const char *slice);

/* Returns DJ_CAUSE_GPU or DJ_CAUSE_DISPLAY for the fence "DRIVER/TIMELINE", or
 * DJ_CAUSE_UNEXPLAINED if neither the driver nor the timeline is known. */
enum dj_cause_kind dj_triage_get_fence_kind(const char *fence);

/* The name of a slice about lock contention contains the id of the thread that owns
 * the lock. Returns this id, or 0 if the name contains none. */
uint32_t dj_triage_parse_owner(const char *slice);

#endif
