/* What was changed on a device, written down before it is changed, so that it can be put
 * back whatever happens to us. docs/format/journal.md */
#ifndef DEJANK_MEASURE_JOURNAL_H
#define DEJANK_MEASURE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* One setting as it was. */
struct dj_journal_entry {
    char *space; /* "global", "system", "secure", "property", "screen", "file", "process",
                    "tracing" */
    char *name;
    char *value; /* NULL: it had none */
};

struct dj_journal {
    char *path;
    char *selector; /* the device's */
    struct dj_journal_entry *entries;
    size_t count;
};

/*
 * Opens the journal of a device, with what an earlier process left in it. Nothing is
 * written yet. Whoever opens it holds the device's lease. Finish it also after an error.
 */
int dj_journal_open(const char *device, struct dj_journal *journal, struct dj_error *err);

/* As dj_journal_open(), of the file of that name. DJ_E_INVALID where it is no journal. */
int dj_journal_read(const char *path, struct dj_journal *journal, struct dj_error *err);

/* Notes a value that is about to be changed; it is on the disk when this returns 0. What
 * is noted already stays as it is: the first value is the one to put back. */
int dj_journal_note(struct dj_journal *journal, const char *space, const char *name,
                    const char *value, struct dj_error *err);

/* That one is as it was again, and is not to be put back any more. Not there: fine. */
int dj_journal_forget(struct dj_journal *journal, const char *space, const char *name,
                      struct dj_error *err);

/* All is put back: nothing is left to remember. */
int dj_journal_clear(struct dj_journal *journal, struct dj_error *err);

void dj_journal_finish(struct dj_journal *journal);

/* The paths of all journals that are not empty; `take` not returning 0 ends it. */
int dj_journal_each(int (*take)(void *user, const char *path), void *user,
                    struct dj_error *err);

#endif
