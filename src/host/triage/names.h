/* What names of slices mean, and which names are one. Of this room only. */
#ifndef DEJANK_TRIAGE_NAMES_H
#define DEJANK_TRIAGE_NAMES_H

#include "base/str.h"
#include "base/text.h"
#include "triage/kinds.h"

/* Appends the name without what changes from one time to the next: "frame 19" is "frame",
 * "Choreographer#doFrame 417" without its number, "monitor contention with owner X (12)
 * at …" without all behind the verb. */
void dj_triage_plain_name(struct dj_text *text, const char *name);

/* The beginning of a thread's name without the number behind it: "llvmpipe-1" is
 * "llvmpipe". Long names are cut. */
struct dj_str dj_triage_family(const char *thread);

/* A thread of binder's pool without what tells it from the others: "Binder:612_A" is
 * "Binder:612". Empty: it is none of a pool. */
struct dj_str dj_triage_pool(const char *thread);

/* The kind that a slice of this name says a wait within it is; DJ_CAUSE_UNEXPLAINED: it
 * says nothing. Weaker words count where nothing else is known. */
enum dj_cause_kind dj_triage_wait_of(const char *slice);
enum dj_cause_kind dj_triage_weak_wait_of(const char *slice);

/* The kind of work in a slice of this name; DJ_CAUSE_UNEXPLAINED: it says nothing. */
enum dj_cause_kind dj_triage_work_of(const char *slice);

/* Such a slice waits for a fence, or for a buffer, which comes back behind a fence. */
bool dj_triage_is_fence_wait(const char *slice);
bool dj_triage_is_buffer_wait(const char *slice);

/* What a fence of "DRIVER/TIMELINE" is of: the GPU or the display; DJ_CAUSE_UNEXPLAINED:
 * neither is known of it. */
enum dj_cause_kind dj_triage_fence_kind(const char *fence);

/* The thread that a contention's slice names as the owner; 0: none. */
uint32_t dj_triage_owner_in(const char *slice);

#endif
