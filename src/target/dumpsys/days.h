/* The data of the service "graphicsstats": for each day and package, the sums of the
 * package's frame statistics, and the segments that these sums include. */
#ifndef DEJANK_DUMPSYS_DAYS_H
#define DEJANK_DUMPSYS_DAYS_H

#include "base/text.h"
#include "segment/snapshot.h"

enum {
    DJ_DAYS_ENTRIES = 4096,  /* Maximum number of entries. */
    DJ_DAYS_MERGED = 1 << 14 /* Maximum number of merged segments in all entries. */
};

/* Identifies a segment. No two segments have equal values, not even across boots. */
struct dj_days_segment {
    int64_t pid;
    uint64_t start_ticks;
    int64_t created_ns, created_wall_ns;
};

/* An entry contains the sums of all segments with the same package, version, owner,
 * Android release and day of creation. */
struct dj_days_entry {
    char package[DJ_SEGMENT_NAME];
    char version[DJ_SEGMENT_APP_VERSION]; /* Version of the package, or "" if none was
                                           * given. */
    unsigned uid;                         /* User id of the owner of the segments. */
    const struct dj_dialect *dialect;     /* Release of Android by whose rule the
                                           * frames were counted. */
    int64_t day;                          /* Day on which the segments were created, in
                                           * days since 1970-01-01 UTC. */
    /* Creation of the first segment and completion of the last frame, in ms since
     * 1970-01-01 UTC. */
    int64_t start_ms, end_ms;
    bool running; /* True if the sums include a process that still runs. */
    struct dj_stats stats;
    struct dj_days_segment *merged; /* Segments of ended processes that the sums
                                     * include. Owned by the entry. */
    size_t merged_count;
};

/* A list of entries. An all-zero struct is an empty list. */
struct dj_days {
    struct dj_days_entry *entries; /* Owned by this struct. */
    size_t count;
    size_t merged_count; /* Number of merged segments of all entries together. */
};

void dj_days_finish(struct dj_days *days);

/* Computes an entry from one snapshot, without `merged`. Read the snapshot with
 * ignore_reset, because resets apply only to gfxinfo. A process of a package
 * ("com.x:helper") belongs to the package ("com.x"). */
void dj_days_compute_entry(const struct dj_snapshot *snapshot, unsigned uid,
                           struct dj_days_entry *entry);

/* Adds the sums of a snapshot. If the process has ended, also adds its segment to the
 * merged segments. Returns true if *days changed. Returns false, without a change, if the
 * segment is already merged, if it has no frames, or after an error. After an error,
 * err->code is DJ_E_LIMIT or DJ_E_NO_MEMORY. */
bool dj_days_add(struct dj_days *days, const struct dj_snapshot *snapshot, unsigned uid,
                 struct dj_error *err);

/* Adds the sums of `more`. Does not add its merged segments. Returns 0, DJ_E_LIMIT or
 * DJ_E_NO_MEMORY. */
int dj_days_merge(struct dj_days *days, const struct dj_days *more, struct dj_error *err);

/* Returns true if an entry with this end must be kept. Android keeps three days. An end
 * of up to one day after now_ms is also kept, because a clock may have been set back. */
bool dj_days_is_kept(int64_t end_ms, int64_t now_ms);

/* Removes the entries that need not be kept. Returns true if there were any. */
bool dj_days_drop_old(struct dj_days *days, int64_t now_ms);

/* Sorts the entries: first by whether a process still runs, then by the end, the latest
 * first. */
void dj_days_sort(struct dj_days *days);

/* Functions of days_text.c, which writes and reads the state file
 * (docs/format/state.md). */

void dj_days_write(const struct dj_days *days, struct dj_text *text);

/* Reads the text of dj_days_write() into empty `days`. Returns 0, DJ_E_VERSION,
 * DJ_E_INVALID or DJ_E_TRUNCATED. The message names the line. After an error `days` is
 * empty. */
int dj_days_read(const char *bytes, size_t length, struct dj_days *days,
                 struct dj_error *err);

/* Adds an empty entry. Returns NULL and sets err to DJ_E_LIMIT or DJ_E_NO_MEMORY if
 * that is not possible. */
struct dj_days_entry *dj_days_append(struct dj_days *days, struct dj_error *err);
/* Adds a segment to the entry's merged segments. Returns 0, DJ_E_LIMIT or
 * DJ_E_NO_MEMORY. */
int dj_days_add_merged(struct dj_days *days, struct dj_days_entry *entry,
                       const struct dj_days_segment *segment, struct dj_error *err);

#endif
