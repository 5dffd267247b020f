/*
 * A frame's critical path: its time, from start to end, cut into pieces, each with the
 * thread that had it in hand and the reason why it passed. Of this room only.
 */
#ifndef DEJANK_TRIAGE_PATH_H
#define DEJANK_TRIAGE_PATH_H

#include "triage/index.h"
#include "triage/kinds.h"

enum { DJ_PATH_DEPTH = 8 };

/* What those did who were waited for, ns. */
struct dj_triage_doing {
    int64_t running, ready, io, asleep, unknown;
};

void dj_triage_doing_add(struct dj_triage_doing *sum, const struct dj_triage_doing *more);

struct dj_triage_piece {
    int64_t start_ns, end_ns;
    uint32_t tid;        /* whose time it was */
    uint32_t other;      /* lock holder, peer, who ran on the core; 0: none known */
    int32_t slice;       /* innermost around it on tid, or DJ_NO_SLICE */
    int32_t other_slice; /* that `other` was in, or DJ_NO_SLICE */
    int32_t waker;       /* that ended it; −1: none known */
    uint8_t kind;        /* enum dj_cause_kind */
    uint8_t state;       /* enum dj_thread_state of tid */
    bool interrupted;    /* an interrupt ended it */
    bool untold;         /* a sleep, as nothing tells what it was for */
    const char *detail;  /* the kernel's function, an interrupt's handler; NULL: none */
    uint32_t asked;      /* of ipc: the thread that was asked, and maybe asked `other` in
                            turn; 0: not told */
    int32_t cpu;         /* of what ran: where; −1 unknown */
    int64_t khz;         /* … how fast; 0: not told */
    int64_t ought_khz;   /* of frequency: at which it would not have lost this */
    bool limited;        /* … a limit held it below that */
    int64_t core_khz;    /* … or its core never has more than this; 0: not so */
    struct dj_triage_doing doing; /* of those waited for: lock, ipc */
};

/* Zero it but for the index and the origin. */
struct dj_triage_path {
    const struct dj_triage_index *index;
    struct dj_triage_piece *pieces; /* by time, without gaps or overlaps; owned */
    size_t count;
    int64_t origin_ns;   /* when the frame began */
    uint32_t origin_tid; /* … and in which thread; 0: in the one it ended in */
    uint32_t chain[DJ_PATH_DEPTH]; /* threads that are followed, outermost first */
    size_t depth;
};

/* Appends the pieces of [from_ns, to_ns) that ends in thread tid: their lengths sum to
 * to_ns − from_ns. */
void dj_triage_walk(struct dj_triage_path *path, uint32_t tid, int64_t from_ns,
                    int64_t to_ns);

/* Whether the path came by way of that thread. */
bool dj_triage_is_followed(const struct dj_triage_path *path, uint32_t tid);

/* A piece of which nothing else is known. */
struct dj_triage_piece dj_triage_piece_of(uint32_t tid, enum dj_thread_state state,
                                          int64_t from_ns, int64_t to_ns);

/* The kind that the name of a slice, or else of one around it, tells; *told (may be NULL)
 * is that slice. DJ_CAUSE_UNEXPLAINED: none tells any. */
enum dj_cause_kind dj_triage_told_kind(const struct dj_triage_index *index, int32_t slice,
                                       enum dj_cause_kind (*kind_of)(const char *name),
                                       int32_t *told);

/* For wait.c. */
bool dj_triage_is_handed_over(const struct dj_triage_path *path,
                              const struct dj_triage_thread *thread, int32_t slice);
void dj_triage_path_put(struct dj_triage_path *path, const struct dj_triage_piece *piece);

#endif
