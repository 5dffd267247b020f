/* What was rendered, per day, package and version: the sums of graphicsstats, and whose
 * segments are in them already. */
#ifndef DEJANK_DUMPSYS_DAYS_H
#define DEJANK_DUMPSYS_DAYS_H

#include "base/text.h"
#include "segment/snapshot.h"

enum {
    DJ_DAYS_ENTRIES = 4096,  /* kept at once */
    DJ_DAYS_MERGED = 1 << 14 /* segments in all of them */
};

/* Which segment: no two have all of it in common, not even over boots. */
struct dj_days_segment {
    int64_t pid;
    uint64_t start_ticks;
    int64_t created_ns, created_wall_ns;
};

/* One package, version, owner and release on one day. */
struct dj_days_entry {
    char package[DJ_SEGMENT_NAME];
    char version[DJ_SEGMENT_APP_VERSION]; /* "": none given */
    unsigned uid;                         /* whose segments */
    const struct dj_dialect *dialect;     /* whose rule counted */
    int64_t day;                          /* on which they were made, since 1970, UTC */
    int64_t start_ms, end_ms;             /* since 1970: first begun, last frame */
    bool living;                          /* a process is among them that still runs */
    struct dj_stats stats;
    struct dj_days_segment *merged; /* of ended processes, in `stats`; owned */
    size_t merged_count;
};

/* All zero is valid and empty. */
struct dj_days {
    struct dj_days_entry *entries; /* owned */
    size_t count;
    size_t merged_count; /* of all entries */
};

void dj_days_finish(struct dj_days *days);

/* Where the sums of a snapshot belong, and what they are. It must have been read with
 * ignore_reset: a reset is for gfxinfo. Children of a package ("com.x:helper") are of the
 * package. */
void dj_days_describe(const struct dj_snapshot *snapshot, unsigned uid,
                      struct dj_days_entry *entry);

/* Adds what was described, and the segment to those merged where it has ended. True where
 * the days changed; false where this segment is in them, it has no frames, or (an error
 * is in err) DJ_E_LIMIT, DJ_E_NO_MEMORY. */
bool dj_days_add(struct dj_days *days, const struct dj_snapshot *snapshot, unsigned uid,
                 struct dj_error *err);

/* Adds the sums of `more`, not which segments are in them. DJ_E_LIMIT, DJ_E_NO_MEMORY. */
int dj_days_join(struct dj_days *days, const struct dj_days *more, struct dj_error *err);

/* Whether a record that ended then is of the three days before now, which may be a day
 * ahead: clocks are set. */
bool dj_days_keeps(int64_t end_ms, int64_t now_ms);

/* Drops those it does not keep; true where there were any. */
bool dj_days_drop_old(struct dj_days *days, int64_t now_ms);

/* Those with living processes first, then by their end, newest first. */
void dj_days_sort(struct dj_days *days);

/* ---- days_text.c: as they stand in the state file, docs/format/state.md ---- */

void dj_days_write(const struct dj_days *days, struct dj_text *text);

/* Reads that back into empty days. DJ_E_VERSION, DJ_E_INVALID or DJ_E_TRUNCATED with the
 * line in the message; the days are empty then. */
int dj_days_read(const char *bytes, size_t length, struct dj_days *days,
                 struct dj_error *err);

/* Makes room for one more; NULL, with the error, where there is none. */
struct dj_days_entry *dj_days_append(struct dj_days *days, struct dj_error *err);
int dj_days_note_merged(struct dj_days *days, struct dj_days_entry *entry,
                        const struct dj_days_segment *segment, struct dj_error *err);

#endif
