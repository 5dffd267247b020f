/* The sums of graphicsstats: what was rendered per day, package and version, and the
 * segments that are included. */
#ifndef DEJANK_DUMPSYS_DAYS_H
#define DEJANK_DUMPSYS_DAYS_H

#include "base/text.h"
#include "segment/snapshot.h"

enum {
    DJ_DAYS_ENTRIES = 4096,  /* maximum number of entries */
    DJ_DAYS_MERGED = 1 << 14 /* maximum number of segments in all entries */
};

/* The identity of a segment. No two segments have the same values, not even across
 * boots. */
struct dj_days_segment {
    int64_t pid;
    uint64_t start_ticks;
    int64_t created_ns, created_wall_ns;
};

/* One package, version, owner and release on one day. */
struct dj_days_entry {
    char package[DJ_SEGMENT_NAME];
    char version[DJ_SEGMENT_APP_VERSION]; /* "": not given */
    unsigned uid;                         /* owner of the segments */
    const struct dj_dialect *dialect;     /* release with the rule that counted */
    int64_t day;                          /* day on which the segments were created, in
                                           * days since 1970, UTC */
    int64_t start_ms, end_ms;             /* since 1970: start of the first segment,
                                           * last frame */
    bool living;                          /* includes a process that still runs */
    struct dj_stats stats;
    struct dj_days_segment *merged; /* segments of ended processes that `stats`
                                     * includes; owned */
    size_t merged_count;
};

/* All zero is valid and empty. */
struct dj_days {
    struct dj_days_entry *entries; /* owned */
    size_t count;
    size_t merged_count; /* of all entries */
};

void dj_days_finish(struct dj_days *days);

/* Fills in the identity and the sums of a snapshot. The snapshot must be read with
 * ignore_reset, because a reset is for gfxinfo only. Processes of a package
 * ("com.x:helper") belong to the package. */
void dj_days_describe(const struct dj_snapshot *snapshot, unsigned uid,
                      struct dj_days_entry *entry);

/* Adds the sums of a snapshot, and notes the segment as merged if its process has
 * ended. Returns true if the days changed. Returns false if the segment is included
 * already, if it has no frames, or on an error (in err): DJ_E_LIMIT, DJ_E_NO_MEMORY. */
bool dj_days_add(struct dj_days *days, const struct dj_snapshot *snapshot, unsigned uid,
                 struct dj_error *err);

/* Adds the sums of `more`, without its list of segments. Returns DJ_E_LIMIT or
 * DJ_E_NO_MEMORY. */
int dj_days_merge(struct dj_days *days, const struct dj_days *more, struct dj_error *err);

/* Returns whether a record with this end is kept: it ended at most three days before
 * now, or at most one day after it, because clocks are adjusted. */
bool dj_days_is_kept(int64_t end_ms, int64_t now_ms);

/* Drops the records that are not kept. Returns true if there were any. */
bool dj_days_drop_old(struct dj_days *days, int64_t now_ms);

/* Sorts records with running processes first, then the others by their end, newest
 * first. */
void dj_days_sort(struct dj_days *days);

/* ---- days_text.c: the text of the state file, docs/format/state.md ---- */

void dj_days_write(const struct dj_days *days, struct dj_text *text);

/* Reads that text into empty days. Returns DJ_E_VERSION, DJ_E_INVALID or
 * DJ_E_TRUNCATED with the line in the message; the days are empty then. */
int dj_days_read(const char *bytes, size_t length, struct dj_days *days,
                 struct dj_error *err);

/* Adds an empty entry. Returns NULL and sets err if there is no room. */
struct dj_days_entry *dj_days_append(struct dj_days *days, struct dj_error *err);
int dj_days_note_merged(struct dj_days *days, struct dj_days_entry *entry,
                        const struct dj_days_segment *segment, struct dj_error *err);

#endif
