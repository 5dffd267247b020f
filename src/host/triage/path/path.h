/* The critical path of a frame. It divides the frame's time into pieces. Each piece
 * contains the thread that worked on the frame or waited, and the reason why the time
 * passed. */
#ifndef DEJANK_TRIAGE_PATH_PATH_H
#define DEJANK_TRIAGE_PATH_PATH_H

#include "triage/cause.h"
#include "triage/index/index.h"

enum { DJ_PATH_DEPTH = 8 };

/* How threads spent the time in which another thread waited for them. Durations in ns. */
struct dj_triage_activity {
    int64_t running, ready, io, asleep, unknown;
};

void dj_triage_activity_add(struct dj_triage_activity *sum,
                            const struct dj_triage_activity *more);

/* A piece is a part of a critical path. In a piece, one thread did one thing, or waited
 * for one reason. */
struct dj_triage_piece {
    int64_t start_ns, end_ns;
    uint32_t tid; /* Id of the thread that worked or waited. */
    /* Id of the thread that held the lock, served the call, or had the CPU. 0 if unknown.
     */
    uint32_t other;
    int32_t slice; /* Index of the innermost slice of thread `tid`, or DJ_NO_SLICE. */
    int32_t other_slice; /* Index of the slice of thread `other`, or DJ_NO_SLICE. */
    int32_t waker; /* Id of the thread that ended the wait, or −1 if it is unknown. */
    uint8_t kind;  /* A value of enum dj_cause_kind. */
    uint8_t state; /* State of thread `tid`, a value of enum dj_thread_state. */
    bool interrupted;    /* True if an interrupt ended the wait. */
    bool reason_unknown; /* True if the piece is a sleep and its reason is unknown. */
    /* Name of a kernel function or of an interrupt handler, or NULL if it is unknown. */
    const char *detail;
    /* For DJ_CAUSE_IPC: id of the thread that was called, or 0 if it is unknown. `other`
     * may be another thread, which the called thread has called. */
    uint32_t called_tid;
    /* Number of the CPU on which thread `tid` ran, or −1 if it is unknown. */
    int32_t cpu;
    int64_t khz; /* Frequency of this CPU, or 0 if it is unknown. */
    /* For DJ_CAUSE_FREQUENCY: frequency at which the CPU was expected to run. */
    int64_t expected_khz;
    /* True if the CPU was below expected_khz because of a frequency limit. */
    bool is_limited;
    /* Maximum frequency of this CPU in kHz, if the trace shows another CPU with a higher
     * maximum. Otherwise 0. */
    int64_t core_khz;
    /* For DJ_CAUSE_LOCK and DJ_CAUSE_IPC: how the threads that `tid` waited for spent the
     * time of the piece. */
    struct dj_triage_activity activity;
};

/* A critical path while it is being built. Set `index`, `origin_ns` and `origin_tid`, and
 * zero the other members. */
struct dj_triage_path {
    const struct dj_triage_index *index;
    /* Pieces, sorted by time, without gaps or overlaps. Owned by this struct. */
    struct dj_triage_piece *pieces;
    size_t count;
    int64_t origin_ns; /* Start of the frame. */
    /* Id of the thread in which the frame began, or 0 if it began in the thread in which
     * it ended. */
    uint32_t origin_tid;
    /* Ids of the threads whose time is currently examined. Each thread waits for the next
     * one. */
    uint32_t chain[DJ_PATH_DEPTH];
    size_t depth;
};

/* Appends pieces for the time from from_ns to to_ns. `tid` is the thread in which the
 * frame is at to_ns. The pieces cover the time without gaps. */
void dj_triage_walk_thread(struct dj_triage_path *path, uint32_t tid, int64_t from_ns,
                           int64_t to_ns);

/* Returns true if path->chain contains the thread. */
bool dj_triage_is_followed(const struct dj_triage_path *path, uint32_t tid);

/* Returns a piece of kind DJ_CAUSE_UNEXPLAINED with these values. Its other members have
 * the values for "unknown". */
struct dj_triage_piece dj_triage_piece_init(uint32_t tid, enum dj_thread_state state,
                                            int64_t from_ns, int64_t to_ns);

/* Returns the kind that the name of a slice describes. Calls kind_of() for the slice,
 * then for the slices around it, until a name describes a kind. If named_slice is not
 * NULL, sets *named_slice to the slice with this name. Returns DJ_CAUSE_UNEXPLAINED if no
 * name describes a kind. */
enum dj_cause_kind
dj_triage_find_named_kind(const struct dj_triage_index *index, int32_t slice,
                          enum dj_cause_kind (*kind_of)(const char *name),
                          int32_t *named_slice);

bool dj_triage_is_before_handover(const struct dj_triage_path *path,
                                  const struct dj_triage_thread *thread, int32_t slice);
void dj_triage_path_append(struct dj_triage_path *path,
                           const struct dj_triage_piece *piece);

#endif
